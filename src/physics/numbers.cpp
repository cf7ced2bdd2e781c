#include "physics/numbers.h"

#include <cmath>

#include "base/text.h"
#include "dynamics/dynamics.h"

namespace legwork {

namespace {

constexpr double rounding = 1e-3;  // by which a quaternion's length may differ from 1

void check_quaternion(const double* quaternion, int at, const std::string& who) {
  double square = 0;
  for (int i = 0; i < 4; ++i) square += quaternion[i] * quaternion[i];
  const double length = std::sqrt(square);
  if (std::abs(length - 1) < rounding) return;
  throw Error({}, who + "[" + std::to_string(at) + ":" + std::to_string(at + 4) + "]",
              "is a quaternion of length " + brief(length), "give a unit quaternion w, x, y, z");
}

}  // namespace

void check_numbers(std::span<const double> values, int size, const std::string& who,
                   const std::string& size_name, const Creature& creature) {
  if (int(values.size()) != size)
    throw Error({}, who,
                "has " + std::to_string(values.size()) + (values.size() == 1 ? " value" : " values") +
                    ", but '" + creature.name + "' has " + size_name + " = " + std::to_string(size));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error({}, who + "[" + std::to_string(i) + "]", to_text(values[i]) + " is not finite");
}

std::vector<double> checked_positions(const Model<double>& model, std::span<const double> q,
                                      const std::string& who, const Creature& creature) {
  check_numbers(q, model.nq, who, "nq", creature);
  for (const Screw<double>& screw : model.screws)
    if (screw.type == ScrewType::ball || screw.type == ScrewType::free) {
      const int at = screw.type == ScrewType::free ? screw.q + 3 : screw.q;
      check_quaternion(&q[std::size_t(at)], at, who);
    }
  std::vector<double> unit(q.begin(), q.end());
  normalize_positions(model, unit.data());
  return unit;
}

}  // namespace legwork
