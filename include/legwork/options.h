#pragma once
// Options, described once. A function per options struct names each field with its range, unit and meaning;
// the default is what the field holds when it is described:
//
//   template <class Visitor> void describe(Visitor& v, DropOptions& o) {
//     v.number("seconds", o.seconds, {0, 3600, "s", "how long to simulate"});
//   }
//   DropOptions drop;
//   Options options(drop);
//
// The command line, --help, scenario files and the reference all walk the list that this makes. An Option
// refers to the field it describes: the struct must outlive it and stay where it is.

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <legwork/error.h>

namespace legwork {

// A length in metres, or in hip heights (h, the height of the hips in the pose "stand"): 1.2m, 35cm, 0.48h.
struct Length {
  double value = 0;
  bool hip_heights = false;

  double meters(double hip_height) const { return hip_heights ? value * hip_height : value; }
};

// "1.2m", "35cm", "4mm", "0.48h"; a plain number means metres. Throws Error that says what is wrong.
Length parse_length(std::string_view text);
// Reads back as the same length.
std::string to_text(const Length& length);

// Allowed values (both ends included), unit ("1" or empty for a pure number) and meaning of a number.
struct About {
  double lower, upper;
  std::string unit, meaning;
};

// Values with a line of help each (which may be empty).
struct Choices {
  std::vector<std::pair<std::string, std::string>> values;

  Choices() = default;
  Choices(std::initializer_list<const char*> names) {
    for (const char* name : names) values.emplace_back(name, "");
  }
  Choices(std::initializer_list<std::pair<const char*, const char*>> list) {
    for (const auto& [name, help] : list) values.emplace_back(name, help);
  }
  Choices(std::vector<std::pair<std::string, std::string>> list) : values(std::move(list)) {}

  std::vector<std::string> names() const;
};

// number, integer: one number; flag: on or off; text: anything; choice: one of a list; vector: three numbers;
// length: metres or hip heights; texts, numbers: any number of values.
enum class OptionKind { number, integer, flag, text, choice, vector, length, texts, numbers };

struct Option {
  std::string name;  // snake_case; on the command line --with-hyphens
  OptionKind kind;
  About about;      // range of numbers; unit; meaning
  Choices choices;  // choice: all values; text, texts: the forms that are understood, for --help
  // Values as text: one; three for a vector; any number for texts and numbers.
  std::vector<std::string> initial;
  std::function<std::vector<std::string>()> get;
  std::function<void(const std::vector<std::string>&)> assign;  // checked values only

  // Checks and stores. A vector may also come as one text "x,y,z". Throws Error{where, who, ...} and then
  // leaves the field as it was.
  void set(const std::vector<std::string>& values, const Where& where, const std::string& who) const;
  bool changed() const { return get() != initial; }
  std::string flag_name() const;     // "--dry-run"
  std::string range_text() const;    // "0 .. 100 N/m", "0 or more s", or nothing
  std::string value_name() const;    // "N/m", "X,Y,Z", "TEXT": what stands after the flag in --help
  std::string initial_text() const;  // default for --help; empty when there is none
};

// The list of options; also the visitor that fills it.
class Options {
 public:
  Options() = default;
  template <class T>
  requires(!std::same_as<std::remove_cvref_t<T>, Options>) explicit Options(T& fields) { add(fields); }
  template <class T>
  void add(T& fields) {
    describe(*this, fields);
  }

  const std::vector<Option>& all() const { return list_; }
  const Option* find(const std::string& name) const;  // '-' and '_' count as the same
  std::vector<std::string> names() const;

  // What describe() calls.
  void number(const char* name, double& field, About about);
  template <std::integral I>
  void integer(const char* name, I& field, About about) {
    push(
        name, OptionKind::integer, std::move(about), {}, [&field] { return Texts{std::to_string(field)}; },
        [&field](const Texts& t) { field = I(to_integer(t[0])); });
  }
  void flag(const char* name, bool& field, std::string meaning);
  void text(const char* name, std::string& field, std::string meaning) {
    text(name, field, Choices(), std::move(meaning));
  }
  void text(const char* name, std::string& field, Choices forms, std::string meaning);
  // A text that names a file.
  void file(const char* name, std::string& field, std::string meaning);
  // The field is a text, or an enumeration whose values are 0, 1, 2, ... in the order of the names.
  template <class E>
  void choice(const char* name, E& field, Choices choices, std::string meaning) {
    const std::vector<std::string> names = choices.names();
    const auto get = [&field, names] {
      if constexpr (std::is_enum_v<E>)  // a value that has no name is refused when it is set again
        return Texts{size_t(field) < names.size() ? names[size_t(field)] : std::to_string(int(field))};
      else
        return Texts{field};
    };
    const auto assign = [&field, names](const Texts& t) {
      if constexpr (std::is_enum_v<E>) {
        for (size_t i = 0; i < names.size(); ++i)
          if (names[i] == t[0]) field = E(int(i));
      } else {
        field = t[0];
      }
    };
    push(name, OptionKind::choice, {0, 0, "", std::move(meaning)}, std::move(choices), get, assign);
  }
  // Anything with numbers x, y, z.
  template <class V>
  void vector(const char* name, V& field, About about) {
    push(
        name, OptionKind::vector, std::move(about), {},
        [&field] {
          return Texts{number_text(field.x), number_text(field.y), number_text(field.z)};
        },
        [&field](const Texts& t) {
          field.x = to_number(t[0]), field.y = to_number(t[1]), field.z = to_number(t[2]);
        });
  }
  void length(const char* name, Length& field, About about);
  void texts(const char* name, std::vector<std::string>& field, std::string meaning) {
    texts(name, field, Choices(), std::move(meaning));
  }
  void texts(const char* name, std::vector<std::string>& field, Choices forms, std::string meaning);
  void numbers(const char* name, std::vector<double>& field, About about);

 private:
  using Texts = std::vector<std::string>;
  void push(const char* name, OptionKind kind, About about, Choices choices, std::function<Texts()> get,
            std::function<void(const Texts&)> assign);
  static std::string number_text(double x);
  static double to_number(const std::string& text);
  static std::int64_t to_integer(const std::string& text);

  std::vector<Option> list_;
};

// "1.5, 2,3" -> {"1.5", "2", "3"}
std::vector<std::string> split_commas(const std::string& text);

// The options as a table of Markdown: flag, default, range, meaning.
std::string reference_table(const Options& options);

}  // namespace legwork
