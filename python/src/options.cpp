// Options by name: what Python's keyword arguments become, and what the package tells of them.

#include <charconv>

#include "core.h"

namespace legwork::python {

namespace {

std::string number_text(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

// One value as text: true or false, a whole number, a number, a word, a path.
std::string text_of(py::handle value, const std::string& who) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::str>(value)) return to<std::string>(value, who, unicode);
  if (py::hasattr(value, "__fspath__")) return to_path(value, who);
  if (py::hasattr(value, "dtype") && value.attr("dtype").attr("kind").cast<std::string>() == "b")
    return value.cast<bool>() ? "true" : "false";
  if (PyIndex_Check(value.ptr())) {
    const py::object whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!whole) throw py::error_already_set();
    return py::str(whole).cast<std::string>();
  }
  if (PyFloat_Check(value.ptr()) || py::hasattr(value, "__float__")) {
    const double x = PyFloat_AsDouble(value.ptr());
    if (x == -1 && PyErr_Occurred()) throw py::error_already_set();
    return number_text(x);
  }
  throw Error({}, who, "a value of type " + type_name(value) + " is no value of an option");
}

// Whatever is iterable and has an order.
bool is_list(py::handle value) {
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) || py::hasattr(value, "__fspath__"))
    return false;
  if (py::hasattr(value, "ndim")) return value.attr("ndim").cast<int>() > 0;
  return py::isinstance<py::iterable>(value) && !PyAnySet_Check(value.ptr());
}

// Numbers of a list are one text of an option that holds a single one: gravity=(0, 0, -1.6), to=(2, 1).
std::vector<std::string> joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return {all};
}

const char* kind_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::number:
      return "number";
    case OptionKind::integer:
      return "integer";
    case OptionKind::flag:
      return "flag";
    case OptionKind::text:
      return "text";
    case OptionKind::choice:
      return "choice";
    case OptionKind::vector:
      return "vector";
    case OptionKind::length:
      return "length";
    case OptionKind::texts:
      return "texts";
    case OptionKind::numbers:
      return "numbers";
  }
  return "?";
}

double read_number(const std::string& text) {
  double x = 0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

// The default as a value of Python.
py::object initial_value(const Option& option) {
  const std::vector<std::string>& texts = option.initial;
  switch (option.kind) {
    case OptionKind::number:
      return py::float_(read_number(texts[0]));
    case OptionKind::integer:
      return py::int_(std::stoll(texts[0]));
    case OptionKind::flag:
      return py::bool_(texts[0] == "true");
    case OptionKind::vector:
      return py::make_tuple(read_number(texts[0]), read_number(texts[1]), read_number(texts[2]));
    case OptionKind::numbers:
    case OptionKind::texts: {
      py::tuple list(texts.size());
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (option.kind == OptionKind::numbers)
          list[i] = read_number(texts[i]);
        else
          list[i] = texts[i];
      }
      return list;
    }
    default:
      return py::str(texts[0]);
  }
}

py::list describe_all(const Options& options) {
  py::list all;
  for (const Option& option : options.all()) {
    py::dict about;
    about["name"] = option.name;
    about["kind"] = kind_name(option.kind);
    about["default"] = initial_value(option);
    about["unit"] = option.about.unit;
    about["range"] = option.range_text();
    about["meaning"] = option.about.meaning;
    py::list choices;
    for (const auto& [name, help] : option.choices.values) choices.append(py::make_tuple(name, help));
    about["choices"] = choices;
    all.append(about);
  }
  return all;
}

// An option's lines in a docstring.
std::string lines_of(const Option& option) {
  std::string about = "default " + py::repr(initial_value(option)).cast<std::string>();
  const std::string range = option.range_text(), unit = option.about.unit;
  if (!range.empty())
    about += ", " + range;
  else if (!unit.empty() && unit != "1")
    about += ", " + unit;
  std::string text = "\n    " + option.name + ": " + option.about.meaning + " (" + about + ")";
  for (const auto& [name, help] : option.choices.values)
    text += "\n        " + name + (help.empty() ? "" : ": " + help);
  return text;
}

template <class Fields, class Tell>
auto told_of(const Tell& tell) {
  Fields fields;
  return tell(Options(fields));
}

// tell(options) for every description that the package uses, by the name of what takes the options.
template <class Tell>
auto options_by_name(const std::string& what, const Tell& tell) {
  if (what == "world") return told_of<WorldOptions>(tell);
  if (what == "run") return told_of<Run>(tell);
  if (what == "gait") return told_of<GaitOptions>(tell);
  if (what == "task") return told_of<TaskOptions>(tell);
  if (what == "rollout") return told_of<RolloutOptions>(tell);
  if (what == "compile_c") return told_of<CompileOptions>(tell);
  return tell(make_method(what)->options());
}

py::list options_of(const std::string& what) { return options_by_name(what, describe_all); }

std::string options_text(const std::string& what) {
  return options_by_name(what, [](const Options& options) {
    std::string text;
    for (const Option& option : options.all()) text += lines_of(option);
    return text;
  });
}

}  // namespace

std::vector<std::string> texts_of(py::handle value, const std::string& who) {
  if (py::isinstance<py::dict>(value)) {
    std::vector<std::string> texts;
    const py::dict items =
        value.attr("copy")();  // what a value's __float__ does to the dict is its own affair
    for (const auto& [key, item] : items) texts.push_back(text_of(key, who) + "=" + text_of(item, who));
    return texts;
  }
  if (!is_list(value)) return {text_of(value, who)};
  std::vector<std::string> texts;
  for (const py::handle item : value) texts.push_back(text_of(item, who));
  return texts;
}

bool has(const Options& list, py::handle key) { return list.find(key.cast<std::string>()) != nullptr; }

py::dict part(const py::dict& all, const Options& list, bool of_it) {
  py::dict out;
  for (const auto& [key, value] : all)
    if (has(list, key) == of_it) out[key] = value;
  return out;
}

void set_options(const std::vector<const Options*>& lists, const py::dict& values, const std::string& who) {
  for (const auto& [key, value] : values) {
    const std::string name = to<std::string>(key, who + ": the name of an option", unicode);
    const Option& option = find_option(lists, name, who);
    if (value.is_none()) continue;
    const std::string place = who + ": " + option.name;
    std::vector<std::string> texts = texts_of(value, place);
    if (option.kind == OptionKind::text && is_list(value) && !py::isinstance<py::dict>(value))
      texts = joined(texts);
    option.set(texts, {}, place);
  }
}

std::string with_options(const std::string& meaning, const std::vector<std::string>& groups) {
  std::string text = meaning;
  for (const std::string& group : groups) {
    const bool of_all = group == "world" || group == "run";
    text += "\n\n" + (of_all ? "The " + group : "Options") + ":" + options_text(group);
    if (group == "run")
      text +=
          "\n    progress: True for a line on stderr, or a function of what, done and total"
          "\n    stop: a function; the work ends with legwork.Stopped when it returns true";
  }
  return text;
}

void bind_options(py::module_& m) {
  m.def("options_of", options_of, py::arg("what"),
        "Every option of a method, or of 'world', 'run', 'gait', 'task', 'rollout' or 'compile_c', as dicts: "
        "name, kind, default, unit, range, meaning, choices.");
  m.def("with_options", with_options, py::arg("meaning"), py::arg("groups"),
        "A docstring that ends with the options of these groups.");
}

}  // namespace legwork::python
