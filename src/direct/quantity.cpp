#include "direct/quantity.h"

namespace legwork {

Quantity Quantity::along(const char* components) const {
  Quantity some = *this;
  some.axes.clear();
  for (const char* c = components; *c; ++c) some.axes.push_back(*c - 'x');
  return some;
}

Quantity operator+(Quantity a, const Quantity& b) {
  a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
  return a;
}
Quantity operator-(Quantity a, const Quantity& b) { return std::move(a) + -1.0 * b; }
Quantity operator*(double s, Quantity a) {
  for (Quantity::Term& term : a.terms) term.weight *= s;
  return a;
}

}  // namespace legwork
