#include "cli/legacy.h"

#include "base/stopwatch.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/discover.h"
#include "methods/finish.h"

namespace legwork::cli {

namespace {

Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    Value list = Value::list();
    for (const Json& item : json) list.push_back(value_of(item));
    return list;
  }
  if (json.is_object()) {
    Value object = Value::object();
    for (const auto& [key, value] : json.items()) object[key] = value_of(value);
    return object;
  }
  return {};
}

class Legacy : public Method {
 public:
  explicit Legacy(std::unique_ptr<MotionVerb> verb) : verb_(std::move(verb)) {}
  std::string name() const override { return verb_->name(); }
  std::string purpose() const override { return verb_->purpose(); }
  std::string examples() const override { return verb_->examples(); }
  std::pair<std::string, std::string> subject() const override { return verb_->subject(); }
  const Options& options() const override { return verb_->options(); }
  Result run(const World& world, const Run& run) const override {
    const Stopwatch watch;
    const Task task{world, world.origin.asked, run.seed, run.threads, run};
    StepOptions step;
    verb_->set_source(world.origin.source);
    verb_->begin(world.origin.name);
    Result result;
    result.motion = verb_->make(task, step);
    Scenario own = scenario_of(name(), world, verb_->effective(task, step), options(), run);
    own.source = verb_->source();
    result.motion.made = {name(), own.creature, version(), saved_text(own), run.seed};
    const Story story = verb_->tell(result.motion, task);
    Scenario scenario = scenario_of(name(), world, verb_->effective(task, step), options(), run);
    scenario.source = verb_->source();
    result.account.title = story.title;
    if (!story.about.empty()) result.account.statements.push_back({story.about});
    for (const std::string& line : story.lines)
      if (!line.empty() && line[0] == ' ' && !result.account.statements.empty())
        result.account.statements.back().lines.push_back(line);
      else
        result.account.statements.push_back({line});
    result.account.measures = story.measures;
    result.account.panels = story.panels;
    result.account.values = value_of(story.keys);
    for (const Showing& more : story.more) {
      Result other;
      other.motion = *more.motion;
      other.account.title = more.title;
      other.account.statements.push_back({more.text});
      other.account.measures = more.measures;
      other.account.panels = more.panels;
      result.others.push_back(std::move(other));
    }
    finish(result, world, scenario, watch);
    return result;
  }

 private:
  std::unique_ptr<MotionVerb> verb_;
};

}  // namespace

std::unique_ptr<Method> method_of(const std::string& name) {
  constexpr struct {
    const char* name;
    std::unique_ptr<MotionVerb> (*make)();
  } verbs[] = {
      {"discover", make_discover},
  };
  for (const auto& verb : verbs)
    if (name == verb.name) return std::make_unique<Legacy>(verb.make());
  return make_method(name);
}

std::string saved_text(const Scenario& scenario) {
  WorldOptions words;
  return scenario_text(scenario, Options(words), method_of(scenario.verb)->options());
}

}  // namespace legwork::cli
