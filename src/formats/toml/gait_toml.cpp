#include "formats/toml/gait_toml.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/within.h"
#include "formats/file.h"
#include "formats/toml/toml_reader.h"

namespace legwork {

namespace {

double within(TomlTable& table, const std::string& key, double fallback, double low, double high) {
  const double x = table.number(key, fallback);
  if (x < low || x > high)
    table.fail_at(key, "'" + key + "' is " + to_text(x),
                  "must be from " + to_text(low) + " to " + to_text(high));
  return x;
}

double read_stride_time(TomlTable& top) {
  const std::string key = top.only_one_of({"stride_time", "frequency"});
  if (key.empty()) return 1;
  const double x = *top.number(key);
  if (x <= 0) top.fail_at(key, "'" + key + "' is " + to_text(x), "must be positive");
  return key == "frequency" ? 1 / x : x;
}

void read_leg(const TomlNode& node, const std::string& file, double duty, GaitPlan& plan,
              std::vector<char>& given) {
  TomlTable table(node, file, "leg");
  const std::string name = table.required_text("name");
  std::vector<std::string> names;
  for (const LegTiming& leg : plan.legs) names.push_back(leg.leg);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    table.fail_at("name", "there is no leg '" + name + "'", did_you_mean(name, names));
  const size_t i = size_t(found - names.begin());
  if (given[i]) table.fail_at("name", "leg '" + name + "' is here twice");
  given[i] = 1;
  plan.legs[i].phase = within(table, "phase", 0, 0, 1);
  plan.legs[i].duty_factor = within(table, "duty_factor", duty, 0.01, 1);
  table.finish();
}

}  // namespace

GaitPlan parse_gait_toml(const std::string& text, const std::string& source, const Creature& creature) {
  const TomlNode root = parse_toml(text, source);
  TomlTable top(root, source, "gait");
  const double stride_time = read_stride_time(top);
  const std::optional<std::string> known = top.text("gait");
  GaitPlan plan;
  if (known) {
    try {
      plan = plan_gait(*known, creature, stride_time);
    } catch (const Error& e) {
      throw within(top.where(), "", e);
    }
  } else {
    for (const Leg& leg : creature.legs) plan.legs.push_back({leg.name, leg.side, 0, 0, 0.5});
  }
  plan.stride_time = stride_time;
  plan.name = top.text("name").value_or(known.value_or("unnamed"));
  const double duty = within(top, "duty_factor", 0.5, 0.01, 1);
  if (known && top.has("duty_factor"))
    for (LegTiming& leg : plan.legs) leg.duty_factor = duty;
  std::vector<char> given(plan.legs.size(), known ? 1 : 0);
  std::vector<char> seen(plan.legs.size(), 0);
  for (const TomlNode* node : top.tables("leg")) read_leg(*node, source, duty, plan, known ? seen : given);
  top.finish();
  for (size_t i = 0; i < given.size(); ++i)
    if (!given[i])
      top.fail("leg '" + plan.legs[i].leg + "' has no timing", "add a [[leg]] with its name and phase");
  return plan;
}

GaitPlan read_gait_toml(const std::string& path, const Creature& creature) {
  return parse_gait_toml(read_file(path, toml_file_limit), path, creature);
}

std::string gait_toml(const GaitPlan& plan) {
  std::string out = "name = \"" + plan.name + "\"\nstride_time = " + to_text(plan.stride_time) + "\n";
  for (const LegTiming& leg : plan.legs)
    out += "\n[[leg]]\nname = \"" + leg.leg + "\"\nphase = " + to_text(leg.phase) +
           "\nduty_factor = " + to_text(leg.duty_factor) + "\n";
  return out;
}

std::string gait_toml(const Gait& gait) {
  GaitPlan plan{gait.name, gait.stride_time, {}};
  for (const LegGait& leg : gait.legs) {
    if (!std::isfinite(leg.phase) || !std::isfinite(leg.duty_factor))
      throw Error({}, "leg '" + leg.leg + "'", "makes no whole stride", "a gait file needs one of every leg");
    plan.legs.push_back({leg.leg, leg.side, 0, leg.phase, leg.duty_factor});
  }
  return gait_toml(plan);
}

}  // namespace legwork
