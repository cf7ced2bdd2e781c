#include <legwork/methods.h>

#include "base/text.h"
#include "methods/method_of.h"

namespace legwork {

namespace {

// Every method. A new one is a file of its own and a line here.
constexpr struct {
  const char* name;
  std::unique_ptr<Method> (*make)();
} methods_by_name[] = {
    {"drop", drop_method},     {"walk", walk_method},     {"discover", discover_method},
    {"evolve", evolve_method}, {"direct", direct_method}, {"modes", modes_method},
    {"reach", reach_method},   {"script", script_method},
};

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& method : methods_by_name) names.push_back(method.name);
  return names;
}

std::unique_ptr<Method> make_method(const std::string& name) {
  for (const auto& method : methods_by_name)
    if (name == method.name) return method.make();
  throw Error("there is no method '" + name + "'", did_you_mean(name, method_names()));
}

const Option& find_option(const std::vector<const Options*>& lists, const std::string& name,
                          const std::string& who) {
  std::vector<std::string> names;
  for (const Options* list : lists) {
    if (const Option* option = list->find(name)) return *option;
    for (const std::string& known : list->names()) names.push_back(known);
  }
  throw Error({}, who, "there is no option '" + name + "'", did_you_mean(name, names));
}

}  // namespace legwork
