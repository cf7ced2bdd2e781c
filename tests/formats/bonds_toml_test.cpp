// Friction, couplings, tendons and kinds of shapes in creature files.

#include <gtest/gtest.h>

#include "formats/toml/creature_toml.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

const std::string body = R"(
name = "b"
apart = [["base", "tip"]]
[[link]]
name = "base"
shape = { box = [0.2, 0.2, 0.1], kind = 2, meets = 6 }
[[link]]
name = "arm"
parent = "base"
joint = { name = "hip", hinge = "y", friction = 0.3 }
shape = { capsule = [0.02, 0.2] }
[[link]]
name = "tip"
parent = "arm"
at = [0, 0, 0.2]
joint = { name = "knee", universal = ["y", "x"], friction = [0.1, 0.2] }
shape = { sphere = 0.03 }
)";

const std::string bonds = R"(
[[coupling]]
name = "gear"
terms = [{ joint = "knee.1" }]
drivers = [{ joint = "hip", factor = 2 }]
polynomial = [0.1, -0.5, 0.2]
[[tendon]]
name = "cord"
points = [{ link = "base", pos = [0, 0.05, 0] }, { link = "tip" }, { pos = [0, 0, 2], starts = true }, { link = "arm", divisor = 2 }]
stiffness = 40
rest = [0.1, 0.3]
range = [0, 0.5]
[[tendon]]
name = "sum"
terms = [{ joint = "hip" }, { joint = "knee.2", factor = -1 }]
damper = 0.2
[[actuator]]
angular = "hip"
tendon = "sum"
ks = 3
lag = 0.05
)";

void expect_all(const Creature& c) {
  EXPECT_EQ(c.dofs()[6]->friction, 0.3);
  EXPECT_EQ(c.dofs()[8]->friction, 0.2);
  EXPECT_EQ(c.links[0].shapes[0].kind, 2);
  EXPECT_EQ(c.links[0].shapes[0].meets, 6);
  ASSERT_EQ(c.apart.size(), 1u);
  EXPECT_EQ(c.apart[0], (std::array<int, 2>{0, 2}));
  ASSERT_EQ(c.couplings.size(), 1u);
  const Coupling& gear = c.couplings[0];
  EXPECT_EQ(gear.terms[0].dof, 7);
  EXPECT_EQ(gear.drivers[0].factor, 2);
  EXPECT_EQ(gear.polynomial, (std::array<double, 5>{0.1, -0.5, 0.2, 0, 0}));
  ASSERT_EQ(c.tendons.size(), 2u);
  const Tendon& cord = c.tendons[0];
  ASSERT_EQ(cord.points.size(), 4u);
  EXPECT_TRUE(cord.points[0].starts);
  EXPECT_FALSE(cord.points[1].starts);
  EXPECT_EQ(cord.points[2].link, -1);
  EXPECT_EQ(cord.points[3].divisor, 2);
  EXPECT_EQ(cord.rest_upper, 0.3);
  EXPECT_EQ(cord.upper, 0.5);
  EXPECT_EQ(c.tendons[1].terms[1].factor, -1);
  EXPECT_EQ(c.tendons[1].damper, 0.2);
  EXPECT_EQ(c.actuators[0].tendon, 1);
  EXPECT_EQ(c.actuators[0].lag, 0.05);
}

TEST(BondsToml, AreReadAndWrittenWithoutLoss) {
  const Creature read = parse_creature_toml(body + bonds, "b.toml");
  expect_all(read);
  const std::string text = write_creature_toml(read);
  const Creature again = parse_creature_toml(text, "again.toml");
  expect_all(again);
  EXPECT_EQ(write_creature_toml(again), text);
}

TEST(BondsToml, ErrorsSayWhoWhatAndWhatToTry) {
  const auto error = [](const std::string& text) {
    return error_of([&] { parse_creature_toml(body + text, "b.toml"); });
  };
  const auto has = [&](const std::string& text, const std::string& part) {
    const std::string said = error(text);
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  };
  has("[[coupling]]\nterms = [{ joint = \"hp\" }]\n",
      "there is no degree of freedom 'hp'; did you mean 'hip'?");
  has("[[coupling]]\nname = \"c\"\n", "coupling 'c': couples no joint; name one");
  has("[[coupling]]\nterms = [{ joint = \"hip\" }]\ndrivers = [{ joint = \"hip\" }]\n",
      "joint 'hip' drives itself; name another joint");
  has("[[coupling]]\nterms = [{ joint = \"hip\" }]\ndrivers = [{ joint = \"knee.1\" }]\n[[coupling]]\n"
      "terms = [{ joint = \"knee.1\" }]\ndrivers = [{ joint = \"hip\" }]\n",
      "drives itself in a circle; take one of the couplings out");
  has("[[coupling]]\nterms = [{ joint = \"base.rx\" }]\n",
      "'base' turns in space and has no angle of its own; name hinges and slides");
  has("[[tendon]]\nname = \"t\"\nstiffness = 3\n",
      "tendon 't': runs around nothing; give it joints, or points of links");
  has("[[tendon]]\nname = \"t\"\npoints = [{ link = \"arm\" }]\n",
      "tendon 't': runs around nothing; give it two points or more");
  const auto path = [](const std::string& points) {
    return "[[tendon]]\nname = \"t\"\npoints = [" + points + "]\n";
  };
  const std::string here = "{ link = \"arm\", pos = [0.1, 0, 0] }";
  has(path(here + ", " + here), "tendon 't': runs from a point to itself; lead it from one point to another");
  has(path(here + ", { link = \"arm\" }"),
      "tendon 't': runs around nothing: no joint moves its points against each other; lead it to a link "
      "beyond a joint");
  has("[[actuator]]\nmotor = \"hip\"\ntendon = \"no\"\n", "there is no tendon 'no'");
}

}  // namespace
}  // namespace legwork
