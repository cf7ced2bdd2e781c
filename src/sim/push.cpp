#include "sim/push.h"

#include <algorithm>
#include <cstdlib>

#include "base/text.h"

namespace legwork {

namespace {

// Numbers separated by exactly the given characters; false where the text is anything else.
bool read_numbers(const std::string& text, const std::string& separators, std::vector<double>& numbers) {
  const char* at = text.c_str();
  for (std::size_t i = 0;; ++i) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    const double x = numbers.back();
    if (end == at || !(x - x == 0)) return false;
    if (i == separators.size()) return *end == 0;
    if (*end != separators[i]) return false;
    at = end + 1;
  }
}

}  // namespace

Push parse_push(const std::string& spec, const Creature& creature) {
  const std::string who = "push '" + spec + "'";
  const std::size_t colon = spec.rfind(':');
  const std::string name = colon == std::string::npos ? "" : spec.substr(0, colon);
  const std::string numbers_text = colon == std::string::npos ? spec : spec.substr(colon + 1);

  Push push;
  if (colon != std::string::npos) {
    push.link = creature.link(name);
    std::vector<std::string> names;
    for (const Link& link : creature.links) names.push_back(link.name);
    if (push.link < 0) throw Error({}, who, "no link '" + name + "'", did_you_mean(name, names));
  }
  std::vector<double> x;
  if (!read_numbers(numbers_text, ",,@+", x))
    throw Error({}, who, "not a push", "write LINK:fx,fy,fz@start+duration, as in trunk:40,0,0@0.5+0.1");
  push.force = {x[0], x[1], x[2]};
  push.start = x[3];
  push.duration = x[4];
  if (push.duration <= 0)
    throw Error({}, who, "lasts " + to_text(push.duration) + " s", "write a duration above 0");
  return push;
}

std::string to_text(const Push& push, const Creature& creature) {
  const Vec3d& f = push.force;
  return creature.links[size_t(push.link)].name + ":" + to_text(f.x) + "," + to_text(f.y) + "," +
         to_text(f.z) + "@" + to_text(push.start) + "+" + to_text(push.duration);
}

std::vector<std::pair<std::string, std::string>> push_choices() {
  return {
      {"LINK:fx,fy,fz@start+duration", "a force in newtons at the link's centre of mass, times in seconds"},
      {"fx,fy,fz@start+duration", "such a force at the first link"}};
}

double overlap(const Push& push, double t, double h) noexcept {
  const double from = std::max(t, push.start), to = std::min(t + h, push.start + push.duration);
  return to > from ? (to - from) / h : 0;
}

}  // namespace legwork
