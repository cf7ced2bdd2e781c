#pragma once
// Result: what every method returns. The motion, its gait, an account of how it went, and the scenario that
// makes it again.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <legwork/gait.h>
#include <legwork/motion.h>

namespace legwork {

// A value with a name or a place in a list: nothing, true or false, a number, a text, a list, or named
// values. The
// --json of the command line is one of these.
class Value {
 public:
  using List = std::vector<Value>;
  struct Members {  // in the order in which they were added
    std::vector<std::string> names;
    std::vector<Value> values;
  };

  Value() = default;
  Value(std::nullptr_t) {}
  Value(bool x) : data_(x) {}
  Value(std::integral auto x) : data_(std::int64_t(x)) {}
  Value(double x) : data_(x) {}
  Value(std::string x) : data_(std::move(x)) {}
  Value(const char* x) : data_(std::string(x)) {}
  template <class T>
  Value(const std::vector<T>& list) : data_(List(list.begin(), list.end())) {}
  Value(const Vec3d& v) : data_(List{v.x, v.y, v.z}) {}
  Value(std::initializer_list<std::pair<const char*, Value>> members);
  static Value object();
  static Value list(List items = {}) { return Value(std::move(items)); }

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data_); }
  const double* number() const { return std::get_if<double>(&data_); }  // one that may have a fraction
  const std::string* text() const { return std::get_if<std::string>(&data_); }
  const List* items() const { return std::get_if<List>(&data_); }
  const Members* members() const { return std::get_if<Members>(&data_); }

  // The member of that name; one that is not there is added, and a null becomes an object first.
  Value& operator[](std::string_view name);
  // The member of that name, or null.
  const Value* find(std::string_view name) const;
  void push_back(Value item);  // to a list; a null becomes a list first
  // Adds the members of another object; those of the same name are replaced.
  void join(const Value& other);

 private:
  explicit Value(List items) : data_(std::move(items)) {}
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Members> data_;
};

// The value as JSON; a number that is not finite is null there. indent: spaces a level, -1: all on one line.
std::string to_json(const Value& value, int indent = -1);

using TableCell = std::variant<double, std::string>;

// A number (or a word) about the whole motion and what it means.
struct Measure {
  std::string id;  // as in --json; "name" is the gait's and becomes the headline, "speed" shows in a gallery
  std::string name;  // for people
  TableCell value;
  std::string unit;        // empty or "1": a pure number
  std::string text;        // one line: how it is defined
  bool important = false;  // also shown beside the film
};

// What a method has to show beyond the motion.
struct TablePanel {
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;
};
struct PlotPanel {
  std::string x_label, y_label;
  std::vector<double> x;  // rising where lines are drawn
  std::vector<std::pair<std::string, std::vector<double>>> series;
  bool dots = false;  // dots instead of lines
};
struct PointsPanel {
  struct Set {
    std::string name;
    std::vector<Vec3d> points;   // m
    std::vector<double> values;  // colours; empty: one colour for the set
  };
  std::vector<Set> sets;
  std::string value_label;
};
struct SvgPanel {
  std::string svg;  // shown as a picture: scripts do not run, links do not load
};
struct ImagePanel {
  std::string png;  // the file's bytes
};
struct TextPanel {
  std::string text;  // an empty line begins a paragraph
};
// A panel that a script of the page itself draws and moves.
struct LivePanel {
  std::string type;  // which: a maker in viewer/src/panels.js
  std::string json;  // its data
};
struct Panel {
  std::string title, text;
  std::variant<TablePanel, PlotPanel, PointsPanel, SvgPanel, ImagePanel, TextPanel, LivePanel> body;
};

// A sentence without its full stop, and lines that belong under it on a terminal: a table, a diagram.
struct Statement {
  std::string text;
  std::vector<std::string> lines = {};
  bool heading = false;  // the text only names the lines: where they are not shown, it is not either
};

// What a method has to say and show of its motion.
struct Account {
  std::string title;  // names the motion among others; empty: its creature and method
  std::vector<Statement> statements;
  std::vector<Measure> measures;  // shown before those of the gait
  std::vector<Panel> panels;
  Value values = Value::object();  // all that was found, by name
};
// The statements as sentences, one after the other, without their lines.
std::string sentences(const Account& account);

// What the computation cost. Differs from run to run, so it is reported and never written into motions.
struct Effort {
  double seconds = 0;
  std::vector<std::string> statements = {};
  Value values = Value::object();
};

// One key of a table, its values as text.
struct Setting {
  std::string key;
  std::vector<std::string> values;
  Where where = {};
};

// A run as data: all that makes a result again, bit for bit. docs/scenario_file.md has it as a file.
struct Scenario {
  std::string verb, creature;
  std::uint64_t seed = 1;
  std::vector<Setting> world, options;  // every one, as it was
  std::vector<Setting> asked;           // those of both that somebody asked for: what a command line says
  std::string source;                   // a text that the verb needs, such as a script; empty: none
  Where where = {};                     // its place in a file
};

struct Result {
  Motion motion;
  std::optional<Gait> gait;  // where the body has legs and moved
  Account account;
  // run_scenario(scenario) makes this result again. A motion has a scenario of its own, motion.made.options,
  // which makes that motion alone, not the search that found it.
  Scenario scenario;
  Creature given;  // the body that the method was given; it may have changed the motion's
  Effort effort;
  std::vector<Result> others;  // further motions of a gallery
};

}  // namespace legwork
