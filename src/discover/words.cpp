#include "discover/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/text.h"
#include "creature/place.h"
#include "math/real.h"

namespace legwork {

namespace {

// What an onlooker sees after the first third.
struct Look {
  double flight = 0;  // share of frames without any contact
  double up = 0;      // mean cosine of the root's vertical with the world's
  double bounce = 0;  // m: between the lowest and the highest place of the centre of mass
  double together =
      0;             // share of frames, of those with some touch, in which two or more touch sensors are on
  double turns = 0;  // about the lateral axis
};

Look look_at(const Problem& p, const Motion& motion) {
  Look look;
  const Creature& c = motion.creature;
  const int n = motion.frames(), first = n / 3, nq = c.nq();
  const Channel *com = motion.channel("center of mass"), *sensors = motion.channel("sensors");
  if (n - first < 2 || !com) return look;
  const auto frame_of = [&](int f) {
    const std::vector<double> q(motion.q.begin() + f * nq, motion.q.begin() + (f + 1) * nq);
    return place(c, q)[size_t(p.root)].R;
  };
  const Mat3d start = frame_of(0);
  const Vec3d up = transpose_times(start, Vec3d(0, 0, 1)), nose = transpose_times(start, Vec3d(1, 0, 0));
  const size_t sites = c.contacts.size();
  double lowest = unlimited, highest = -unlimited, angle = 0;
  int touching = 0, several = 0;
  for (int f = first; f < n; ++f) {
    const Mat3d R = frame_of(f);
    look.up += (R * up).z / (n - first);
    const Vec3d x = R * nose;
    const double now = atan2(-x.z, x.x);
    if (f > first) look.turns += std::remainder(now - angle, 2 * pi) / (2 * pi);
    angle = now;
    const double height = com->values[size_t(f) * 3 + 2];
    lowest = std::min(lowest, height), highest = std::max(highest, height);
    bool touch = false;
    for (size_t k = 0; k < 3 * sites && !touch; ++k)
      touch = motion.contact_force[size_t(f) * 3 * sites + k] != 0;
    look.flight += (touch ? 0.0 : 1.0) / (n - first);
    int on = 0;
    for (size_t k = 0; sensors && k < c.sensors.size(); ++k)
      on += c.sensors[k].type == SensorType::touch &&
            sensors->values[size_t(f) * size_t(sensors->width) + k] > 0.5;
    touching += on > 0, several += on > 1;
  }
  look.bounce = highest - lowest;
  look.together = touching > 0 ? double(several) / touching : 0;
  return look;
}

std::string way_of(const Problem& p, const Look& look) {
  const bool swims = p.world.water.acts() && look.flight > 0.9;
  const double bounce = look.bounce / p.length;
  if (swims) return "swims";
  if (bounce < 1e-3) return "crawls";
  if (std::fabs(look.turns) > 0.75) return look.flight > 0.2 ? "somersaults" : "rolls";
  if (look.flight > 0.2) return bounce > 0.2 ? "leaps" : "hops";
  if (look.flight > 0.03) return "makes small hops";
  if (look.together < 0.5) return bounce > 0.03 ? "steps" : "shuffles";
  return bounce > 0.08 ? "lunges" : "shuffles";
}

}  // namespace

std::string name_gait(const Problem& problem, const Motion& motion, const Evaluation& e) {
  const Look look = look_at(problem, motion);
  std::string text = way_of(problem, look);
  const double direction = e.descriptor.empty() ? 0 : 2 * e.descriptor.back() - 1;
  text += direction > 0.7            ? " forward"
          : direction < -0.7         ? " backward"
          : std::fabs(direction) > 0 ? " sideways"
                                     : "";
  if (std::fabs(look.turns) <= 0.75) {
    if (look.up < -0.5)
      text += " on its back";
    else if (look.up < 0.5)
      text += " upended";
  }
  char tempo[32] = "no steady cycle";
  if (e.period > 0) std::snprintf(tempo, sizeof tempo, "%.1f Hz", 1 / e.period);
  return text + ", " + tempo;
}

std::string to_text(const Candidate& candidate) {
  std::string text;
  for (const std::int8_t w : candidate.weights) text += char('0' + w + largest_weight);
  for (size_t i = 0; i < candidate.parameters.size(); ++i)
    text += (i == 0 ? ":" : ",") + to_text(candidate.parameters[i]);
  return text;
}

Candidate parse_candidate(const std::string& text, const Problem& problem) {
  const std::string who = "discover: controller";
  Candidate c;
  const size_t colon = std::min(text.find(':'), text.size());
  for (size_t i = 0; i < colon; ++i) {
    if (text[i] < '0' || text[i] > '0' + 2 * largest_weight)
      throw Error({}, who,
                  std::string("'") + text[i] + "' at character " + std::to_string(i + 1) + " is no weight",
                  "digits 0 to 4 stand for -2 to 2");
    c.weights.push_back(std::int8_t(text[i] - '0' - largest_weight));
  }
  if (int(c.weights.size()) != problem.shape.weights())
    throw Error({}, who,
                std::to_string(c.weights.size()) + " weights, but this body's network has " +
                    std::to_string(problem.shape.weights()),
                "it was made for another body, or another --hidden");
  for (size_t at = colon; at < text.size();) {
    double x = 0;
    const auto [end, failed] = std::from_chars(text.data() + at + 1, text.data() + text.size(), x);
    const size_t next = size_t(end - text.data());
    if (failed != std::errc() || (next < text.size() && text[next] != ','))
      throw Error({}, who, "no number at character " + std::to_string(at + 2),
                  "numbers are separated by commas");
    c.parameters.push_back(x);
    at = next;
  }
  if (!c.parameters.empty() && c.parameters.size() != problem.parameters.size())
    throw Error({}, who,
                std::to_string(c.parameters.size()) + " numbers, but this search tunes " +
                    std::to_string(problem.parameters.size()),
                "--tune-body and --tune-springs must be as they were");
  return c;
}

}  // namespace legwork
