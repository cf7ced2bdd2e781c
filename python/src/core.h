#pragma once
// What the files of the Python module share. Each binds one noun of the public face; everything that Python
// sees of options, their defaults and their meaning comes from the library's own descriptions.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <legwork/legwork.h>

namespace legwork::python {

namespace py = pybind11;

// A body in the surroundings that it wishes for, and a world: the same data, for Python's eyes two nouns.
struct PyCreature {
  std::shared_ptr<const World> home;
  const Creature& body() const { return home->body; }
};
struct PyWorld {
  std::shared_ptr<const World> world;
};

void bind_errors(py::module_& m);
void bind_options(py::module_& m);
void bind_creature(py::module_& m);
void bind_result(py::module_& m);
void bind_gait(py::module_& m);
void bind_methods(py::module_& m);
void bind_files(py::module_& m);
void bind_archive(py::module_& m);
void bind_compile(py::module_& m);
void bind_study(py::module_& m);
void bind_simulation(py::module_& m);
void bind_dynamics(py::module_& m);
void bind_environment(py::module_& m);

// --- options.cpp

// The values of an option as its texts: numbers, words, lists, and for lists of words also a dict. Throws
// Error.
std::vector<std::string> texts_of(py::handle value, const std::string& who);
// Sets every option that a dict names. Throws Error with a suggestion for a name that is in none of the
// lists.
void set_options(const std::vector<const Options*>& lists, const py::dict& values, const std::string& who);
// Whether a dict's key is one of the list's.
bool has(const Options& list, py::handle key);
// The entries that are options of the list, or those that are not.
py::dict part(const py::dict& all, const Options& list, bool of_it);

// A docstring that ends with the options of these groups, by the names of legwork.options().
std::string with_options(const std::string& meaning, const std::vector<std::string>& groups);

// --- creature.cpp

// A shipped name, a path, a Creature or a World, changed as the options say. Throws Error.
World to_world(py::handle given, const py::dict& options, const std::string& who);
PyCreature creature_of(Creature body);

// --- run.cpp

// How Python asks for a run: seed and threads among the options, callbacks beside them.
struct Callbacks {
  py::object progress = py::none(), stop = py::none();
};
// Calls work in a thread of its own, without the interpreter's lock. Meanwhile this thread hears signals,
// calls progress(what, done, total), where True stands for a line on stderr, and asks stop(). Throws what
// the work or a callback throws. Whether stop() said so, and the work came to an end all the same.
bool run_in_background(const Run& asked, const Callbacks& given, const std::function<void(const Run&)>& work);

// Frees the interpreter's lock until the end of its scope. Python ends a thread that asks for the lock while
// the interpreter exits, by unwinding its stack, which C++ does not survive; such a thread waits for the end
// of the process instead.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// An object that one thread uses at a time: a second one gets an error, not a race.
class InUse {
 public:
  InUse(std::atomic<bool>& flag, const char* what, const char* advice) : flag_(flag) {
    if (flag_.exchange(true)) throw Error({}, what, "is in use by another thread", advice);
  }
  ~InUse() { flag_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& flag_;
};

// --- arrays.cpp

using Shape = std::vector<py::ssize_t>;
// The memory as an array that keeps its owner alive; nothing is copied.
py::array view(std::span<const double> memory, const Shape& shape, py::handle owner);
py::array writable_view(std::span<double> memory, const Shape& shape, py::handle owner);
// The vector's memory as an array of its own.
py::array owned(std::vector<double>&& values, const Shape& shape);
// Numbers that a caller gave, as one block in C order. Throws Error for what is no array of numbers.
class Numbers {
 public:
  Numbers(py::handle given, const std::string& who);
  // Throws Error unless the array has this shape; -1 = any.
  Numbers(py::handle given, const std::string& who, const Shape& shape);
  std::span<const double> span() const { return {array_.data(), std::size_t(array_.size())}; }
  const py::array& array() const { return array_; }
  Shape shape() const { return {array_.shape(), array_.shape() + array_.ndim()}; }

 private:
  py::array_t<double, py::array::c_style> array_;
};
std::string to_text(const Shape& shape);  // "(3, 4)"
// Numbers of bodies that a caller gave, or the truth of each of so many. Throws Error for anything else.
std::vector<int> to_indices(py::handle given, int count, const std::string& who);
// A number of threads that a caller gave; 0 = all cores. Throws Error.
int checked_threads(int threads, const std::string& who);

// --- values.cpp

py::object to_python(const Value& value);
std::string type_name(py::handle thing);
std::string short_text(double x);  // "0.1235", for people
inline py::tuple to_python(const Vec3d& v) { return py::make_tuple(v.x, v.y, v.z); }
Vec3d to_vector(py::handle given, const std::string& who);
// Throws Error for a value of another kind.
template <class T>
T to(py::handle given, const std::string& who, const char* kind) {
  try {
    return given.cast<T>();
  } catch (const py::cast_error&) {
    throw Error({}, who, std::string("is not ") + kind);
  }
}
// Copies of what is constant are the thing itself. A pickle keeps what keep(self) gives, from which
// restore(that) makes it again, and the attributes of a subclass.
template <class Class, class Keep, class Restore>
void copy_and_pickle(Class& c, Keep keep, Restore restore) {
  using Self = typename Class::type;
  c.def("__copy__", [](py::object self) { return self; });
  c.def("__deepcopy__", [](py::object self, py::object) { return self; });
  c.def(py::pickle(
      [keep](py::object self) {
        const py::tuple state = keep(self.cast<const Self&>());
        return py::make_tuple(state, py::getattr(self, "__dict__", py::dict()));
      },
      [restore](const py::tuple& kept) {
        if (kept.size() != 2) throw Error("this is no pickle of this version of Legwork");
        return std::make_pair(restore(kept[0].cast<py::tuple>()), kept[1].cast<py::dict>());
      }));
}
inline constexpr const char* unicode = "a text of Unicode characters";  // what half a surrogate pair is not
// str or os.PathLike as text.
std::string to_path(py::handle given, const std::string& who);

}  // namespace legwork::python
