// What is asked for in words: commands over time, lost legs, reflexes.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <legwork/options.h>
#include "base/text.h"
#include "walk/walk.h"

namespace legwork {

namespace {

std::optional<double> to_number(const std::string& text) {
  double x = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(x)) return {};
  return x;
}

double number_in(const std::string& text, const std::string& spec) {
  const std::optional<double> x = to_number(text);
  if (!x) throw Error({}, "walk: at", "'" + spec + "': '" + text + "' is no number", "write 2:turn=0.5");
  return *x;
}

}  // namespace

std::vector<TimedCommand> parse_commands(const WalkOptions& o, double slowness) {
  TimedCommand first;
  first.command.slowness = o.slowness > 0 ? o.slowness : slowness;
  first.command.speed = o.speed;
  first.command.turn = o.turn;
  std::vector<TimedCommand> all{first};
  for (const std::string& spec : o.at) {
    const size_t colon = spec.find(':');
    if (colon == std::string::npos)
      throw Error({}, "walk: at", "'" + spec + "' has no time", "write 2:turn=0.5");
    TimedCommand next = all.back();
    const std::string when = spec.substr(0, colon);
    const size_t plus = when.find('+');
    next.time = number_in(when.substr(0, plus), spec);
    next.over = plus == std::string::npos ? 0 : number_in(when.substr(plus + 1), spec);
    if (next.over < 0)
      throw Error({}, "walk: at", "'" + spec + "' has a negative time", "write 1+2:slowness=1");
    if (next.time < all.back().time + all.back().over)
      throw Error({}, "walk: at", "'" + spec + "' comes before the one given earlier is through",
                  "put them in order of time");
    for (const std::string& part : split_commas(spec.substr(colon + 1))) {
      const size_t equals = part.find('=');
      const std::string key = part.substr(0, equals);
      const std::vector<std::string> known{"slowness", "speed", "turn", "stroke"};
      if (equals == std::string::npos || std::find(known.begin(), known.end(), key) == known.end())
        throw Error({}, "walk: at", "'" + spec + "': no command '" + key + "'", did_you_mean(key, known));
      const double x = number_in(part.substr(equals + 1), spec);
      if (key == "slowness" && !(x >= 0.5 && x <= 1000))
        throw Error({}, "walk: at", "'" + spec + "': slowness must be 0.5 .. 1000");
      if (key == "slowness") next.command.slowness = x, next.command.speed = 0;
      if (key == "speed") next.command.speed = x;
      if (key == "turn") next.command.turn = x;
      if (key == "stroke") next.command.stroke = x;
    }
    all.push_back(next);
  }
  return all;
}

WalkCommand command_at(const std::vector<TimedCommand>& commands, double time) {
  size_t k = commands.size() - 1;
  while (k > 0 && commands[k].time > time) --k;
  const TimedCommand& now = commands[k];
  if (k == 0 || time >= now.time + now.over) return now.command;
  const WalkCommand &from = commands[k - 1].command, &to = now.command;
  const double share = (time - now.time) / now.over;
  const auto between = [&](double a, double b) { return a + share * (b - a); };
  WalkCommand c = to;
  c.slowness = between(from.slowness, to.slowness);
  c.turn = between(from.turn, to.turn);
  c.stroke = between(from.stroke, to.stroke);
  if (from.speed > 0 && to.speed > 0) c.speed = between(from.speed, to.speed);
  return c;
}

std::vector<Loss> parse_losses(const std::vector<std::string>& specs, const Creature& creature) {
  std::vector<Loss> losses;
  std::vector<std::string> names;
  for (const Leg& leg : creature.legs) names.push_back(leg.name);
  for (const std::string& spec : specs) {
    const size_t at = spec.find('@');
    const std::string name = spec.substr(0, at);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error({}, "walk: lose", "no leg '" + name + "'", did_you_mean(name, names));
    Loss loss{int(found - names.begin()), 0};
    if (at != std::string::npos) {
      const std::optional<double> time = to_number(spec.substr(at + 1));
      if (!time || *time < 0) throw Error({}, "walk: lose", "'" + spec + "': write LEG@SECONDS");
      loss.time = *time;
    }
    losses.push_back(loss);
  }
  std::stable_sort(losses.begin(), losses.end(),
                   [](const Loss& a, const Loss& b) { return a.time < b.time; });
  return losses;
}

Reflexes parse_reflexes(const std::string& spec, bool open_loop) {
  Reflexes r;
  if (spec == "none" || (spec == "auto" && open_loop)) return r;
  if (spec == "all" || spec == "auto") {
    r.step = r.load = r.neighbour = r.elevator = r.ground = true;
    return r;
  }
  const std::vector<std::string> known{"step", "load", "neighbour", "elevator", "ground"};
  for (const std::string& name : split_commas(spec)) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw Error({}, "walk: reflexes", "no reflex '" + name + "'", did_you_mean(name, known));
    bool* const field[] = {&r.step, &r.load, &r.neighbour, &r.elevator, &r.ground};
    *field[found - known.begin()] = true;
  }
  return r;
}

}  // namespace legwork
