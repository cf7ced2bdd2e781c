#pragma once
// A method of the public face as an object: its options by name, its texts for help.

#include <memory>
#include <string>
#include <utility>

#include <legwork/methods.h>

namespace legwork {

struct MethodText {
  std::string name, purpose, examples;
  std::pair<std::string, std::string> subject = {
      "CREATURE", "a shipped name or a file: .toml, MJCF .xml, .urdf, .corpus"};
};

template <class O>
class MethodOf : public Method {
 public:
  using Function = Result (*)(const World&, const O&, const Run&);
  MethodOf(MethodText text, Function function) : text_(std::move(text)), function_(function) {}

  std::string name() const override { return text_.name; }
  std::string purpose() const override { return text_.purpose; }
  std::string examples() const override { return text_.examples; }
  std::pair<std::string, std::string> subject() const override { return text_.subject; }
  const Options& options() const override { return described_; }
  Result run(const World& world, const Run& run) const override { return function_(world, fields_, run); }

 private:
  MethodText text_;
  Function function_;
  O fields_;
  Options described_{fields_};
};

// Each in its method's file.
std::unique_ptr<Method> drop_method();
std::unique_ptr<Method> walk_method();
std::unique_ptr<Method> discover_method();
std::unique_ptr<Method> evolve_method();
std::unique_ptr<Method> direct_method();
std::unique_ptr<Method> modes_method();
std::unique_ptr<Method> reach_method();
std::unique_ptr<Method> script_method();

}  // namespace legwork
