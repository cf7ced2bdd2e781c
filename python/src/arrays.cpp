// Arrays of numpy: views without copies, and numbers that a caller gives.

#include "core.h"

namespace legwork::python {

py::array view(std::span<const double> memory, const Shape& shape, py::handle owner) {
  py::array array(py::dtype::of<double>(), shape, memory.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array writable_view(std::span<double> memory, const Shape& shape, py::handle owner) {
  return py::array(py::dtype::of<double>(), shape, memory.data(), owner);
}

py::array owned(std::vector<double>&& values, const Shape& shape) {
  auto* kept = new std::vector<double>(std::move(values));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<double>*>(p); });
  return py::array(py::dtype::of<double>(), shape, kept->data(), owner);
}

std::string to_text(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? std::string("n") : std::to_string(shape[i]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

namespace {

// What numpy makes a number of: not words, not objects, not complex numbers.
bool is_numeric(const py::object& array) {
  const std::string kind = array.attr("dtype").attr("kind").cast<std::string>();
  return kind == "f" || kind == "i" || kind == "u" || kind == "b";
}

// What numpy makes of something; null where it cannot, of rows of different lengths for example.
py::object array_of(py::handle given) {
  try {
    return py::module_::import("numpy").attr("asarray")(given);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;  // Ctrl-C
    return {};
  }
}

bool is_aligned(py::handle array) {
  return py::detail::array_proxy(array.ptr())->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_;
}

}  // namespace

Numbers::Numbers(py::handle given, const std::string& who) {
  if (py::array_t<double, py::array::c_style>::check_(given) && is_aligned(given)) {
    array_ = py::reinterpret_borrow<py::array_t<double, py::array::c_style>>(given);
    return;
  }
  const py::object raw = array_of(given);
  if (!raw || !is_numeric(raw)) throw Error({}, who, "is no array of numbers");
  constexpr int flags = py::array::c_style | py::array::forcecast | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  const auto made = py::array_t<double, flags>::ensure(raw);
  if (!made) throw Error({}, who, "does not fit into memory", "give fewer numbers at a time");
  array_ = made;
}

Numbers::Numbers(py::handle given, const std::string& who, const Shape& wanted) : Numbers(given, who) {
  bool same = array_.ndim() == py::ssize_t(wanted.size());
  for (std::size_t i = 0; same && i < wanted.size(); ++i)
    same = wanted[i] < 0 || array_.shape(py::ssize_t(i)) == wanted[i];
  if (!same) throw Error({}, who, "has the shape " + to_text(shape()) + ", not " + to_text(wanted));
}

int checked_threads(int threads, const std::string& who) {
  if (threads < 0 || threads > 4096)
    throw Error({}, who + ": threads", std::to_string(threads) + " is outside 0 .. 4096");
  return threads;
}

std::vector<int> to_indices(py::handle given, int count, const std::string& who) {
  const py::object array = array_of(given);
  const char* wrong = "is no list of bodies' numbers, nor a truth value for each";
  if (!array || array.attr("ndim").cast<int>() != 1) throw Error({}, who, wrong);
  if (py::len(array) == 0) return {};
  const std::string kind = array.attr("dtype").attr("kind").cast<std::string>();
  if (kind == "b" && py::len(array) == std::size_t(count))
    return array.attr("nonzero")().cast<py::tuple>()[0].cast<std::vector<int>>();
  if (kind != "i" && kind != "u") throw Error({}, who, wrong);
  return to<std::vector<int>>(array, who, "a list of bodies' numbers");
}

}  // namespace legwork::python
