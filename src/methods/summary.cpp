#include <legwork/study.h>

#include <legwork/files.h>
#include "formats/value_json.h"

namespace legwork {

namespace {

bool has_gait(const Motion& motion) { return !motion.creature.legs.empty() && motion.frames() > 0; }

// The members but one.
Value without(const Value& object, std::string_view name) {
  Value rest = Value::object();
  if (const Value::Members* all = object.members())
    for (size_t i = 0; i < all->names.size(); ++i)
      if (all->names[i] != name) rest[all->names[i]] = all->values[i];
  return rest;
}

// Without what goes over time. What cannot be known is null.
Value gait_values(const Gait& gait) {
  Value values = without(*parse_json(gait_json(gait)), "margin");
  Value legs = Value::object();
  if (const Value::Members* all = values["legs"].members())
    for (size_t i = 0; i < all->names.size(); ++i) legs[all->names[i]] = without(all->values[i], "stances");
  values["legs"] = std::move(legs);
  return values;
}

Value common(const Motion& motion, const Gait* gait) {
  Value values{{"verb", motion.made.verb},
               {"creature", motion.made.creature},
               {"seed", motion.made.seed},
               {"version", motion.made.version},
               {"status", to_string(motion.status)},
               {"status_text", motion.status_text},
               {"fell", motion.status == Status::fell || (has_gait(motion) && has_fallen(motion))},
               {"duration", motion.duration()},
               {"frames", motion.frames()}};
  if (gait) values["gait"] = gait_values(*gait);
  return values;
}

}  // namespace

Value summary(const Motion& motion) {
  if (!has_gait(motion)) return common(motion, nullptr);
  const Gait gait = measure_gait(motion);
  return common(motion, &gait);
}

Value summary(const Result& result) {
  const double seconds = result.effort.seconds;
  Value values = common(result.motion, result.gait ? &*result.gait : nullptr);
  values["realtime_factor"] = seconds > 0 ? result.motion.duration() / seconds : 0.0;
  values["wall_seconds"] = seconds;
  values.join(result.account.values);
  values.join(result.effort.values);
  return values;
}

}  // namespace legwork
