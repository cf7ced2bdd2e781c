#include "walk/tuning.h"

#include <algorithm>

namespace legwork {

Tuning make_tuning(const Creature& c, const WalkBody& body) {
  Tuning t;
  for (size_t i = 0; i < c.legs.size(); ++i) {
    const std::string& girdle = c.legs[i].girdle;
    auto same = std::find_if(t.girdles.begin(), t.girdles.end(), [&](const std::vector<int>& legs) {
      return !girdle.empty() && c.legs[size_t(legs[0])].girdle == girdle &&
             body.legs[size_t(legs[0])].dofs.size() == body.legs[i].dofs.size();
    });
    if (same == t.girdles.end())
      t.girdles.push_back({int(i)});
    else
      same->push_back(int(i));
  }
  for (const std::vector<int>& legs : t.girdles) {
    const std::string name = c.legs[size_t(legs[0])].girdle.empty() ? c.legs[size_t(legs[0])].name
                                                                    : c.legs[size_t(legs[0])].girdle;
    for (size_t k = 0; k < body.legs[size_t(legs[0])].dofs.size(); ++k) {
      t.variables.push_back({name + " joint " + std::to_string(k + 1) + " stroke", 0.3, 1.8, 1});
      t.variables.push_back({name + " joint " + std::to_string(k + 1) + " offset", -0.25, 0.25, 0});
    }
    t.variables.push_back({name + " lift", 0.5, 1.6, 1});
  }
  return t;
}

WalkBody tuned_body(const WalkBody& body, const Tuning& t, const std::vector<double>& values) {
  WalkBody out = body;
  size_t at = 0;
  for (const std::vector<int>& legs : t.girdles) {
    const size_t n = body.legs[size_t(legs[0])].dofs.size();
    const double* x = &values[at];
    for (const int i : legs) {
      WalkLeg& leg = out.legs[size_t(i)];
      for (std::vector<Stroke>* program : {&leg.step, &leg.stance})
        for (Stroke& s : *program) {
          const auto k = size_t(std::find(leg.dofs.begin(), leg.dofs.end(), s.dof) - leg.dofs.begin());
          const double middle = 0.5 * (leg.down[k] + leg.up[k]);
          // within a step: the lift
          if (program == &leg.step && s.end < 1) s.still = middle + x[2 * n] * (s.still - middle);
          s.still += x[2 * k + 1];
          s.forward *= x[2 * k], s.turn *= x[2 * k];
        }
      for (size_t k = 0; k < n; ++k) {
        const double middle = 0.5 * (leg.down[k] + leg.up[k]);
        for (double* end : {&leg.down[k], &leg.up[k]})
          *end = middle + x[2 * k] * (*end - middle) + x[2 * k + 1];
      }
    }
    at += 2 * n + 1;
  }
  return out;
}

}  // namespace legwork
