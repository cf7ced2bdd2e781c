#include <gtest/gtest.h>

#include <cmath>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

// A point mass of 2 kg on a massless rod of 0.5 m that swings about y: everything has a closed form.
constexpr const char* pendulum = R"(
<mujoco>
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="swing" type="hinge" axis="0 1 0" damping="0.3"/>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="1e-6 1e-6 1e-6"/>
    </body>
  </worldbody>
</mujoco>)";

TEST(Inspect, APendulumHasItsClosedForms) {
  const Folder folder;
  folder.write("pendulum.xml", pendulum);
  folder.write("state.json", R"({"q": [0.4], "v": [1.5], "tau": [0.7]})");
  const Outcome outcome = folder.legwork(
      {"inspect", "pendulum.xml", "--state", "state.json", "--json", "-", "--point", "rod,0,0,-0.5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  const double m = 2, l = 0.5, g = 9.81, q = 0.4, v = 1.5, I = m * l * l + 1e-6;
  EXPECT_EQ(json["nq"], 1);
  EXPECT_EQ(json["nv"], 1);
  EXPECT_EQ(json["dofs"], Json({"swing"}));
  EXPECT_EQ(json["mass"], 2);
  EXPECT_NEAR(json["mass_matrix"][0][0], I, 1e-12);
  EXPECT_NEAR(json["bias"][0], m * g * l * std::sin(q), 1e-12);
  EXPECT_NEAR(json["qdd"][0], (0.7 - m * g * l * std::sin(q)) / I, 1e-11);
  EXPECT_NEAR(json["passive"][0], -0.3 * v, 1e-12);
  EXPECT_NEAR(json["kinetic"], 0.5 * I * v * v, 1e-12);
  EXPECT_NEAR(json["potential"], m * g * (1 - l * std::cos(q)), 1e-12);
  EXPECT_NEAR(json["com"][0], -l * std::sin(q), 1e-12);
  EXPECT_NEAR(json["point"]["position"][2], 1 - l * std::cos(q), 1e-12);
  EXPECT_NEAR(json["point"]["velocity"][0], -l * v * std::cos(q), 1e-12);
  // rows: angular x y z, then linear x y z
  EXPECT_NEAR(json["point"]["jacobian"][1][0], 1, 1e-12);
  EXPECT_NEAR(json["point"]["jacobian"][3][0], -l * std::cos(q), 1e-12);
  ASSERT_EQ(json["point"]["jacobian"].size(), 6u);
}

// The same pendulum with dry friction and a cord over its joint.
TEST(Inspect, FrictionHoldsWhatItCanAndTendonsPull) {
  const Folder folder;
  std::string text = pendulum;
  text.replace(text.find("damping"), 0, "frictionloss=\"4\" ");
  text.replace(
      text.find("</mujoco>"), 0,
      "<tendon><fixed stiffness=\"5\" damping=\"0.2\"><joint joint=\"swing\" coef=\"2\"/></fixed></tendon>");
  folder.write("pendulum.xml", text);
  const auto friction_at = [&](double q, double v) {
    const Outcome outcome = folder.legwork({"inspect", "pendulum.xml", "--state", "-", "--json", "-"},
                                           Json({{"q", {q}}, {"v", {v}}}).dump());
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NEAR(outcome.json()["passive"][0], -5 * 4 * q - (0.3 + 4 * 0.2) * v, 1e-12);
    return outcome.json()["friction"][0].get<double>();
  };
  const double weight = 2 * 9.81 * 0.5;
  EXPECT_NEAR(friction_at(0.1, 0), weight * std::sin(0.1) + 5 * 4 * 0.1, 1e-9);  // held
  EXPECT_NEAR(friction_at(0.4, 0), 4, 1e-12);                                    // too much to hold
  EXPECT_NEAR(friction_at(0.1, 2), -4, 1e-12);
  EXPECT_NEAR(friction_at(0.1, -2), 4, 1e-12);
}

TEST(Inspect, ForcesFromOutsideEnterAsAppliedTorques) {
  const Folder folder;
  folder.write("pendulum.xml", pendulum);
  const Outcome outcome = folder.legwork({"inspect", "pendulum.xml", "--state", "-", "--json", "-"},
                                         R"({"f_ext": {"rod": [3, 0, 0, 0, 0.25, 0]}})");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  EXPECT_NEAR(json["applied"][0], -3 * 0.5 + 0.25, 1e-12);
  const double M = json["mass_matrix"][0][0], qdd = json["qdd"][0], bias = json["bias"][0];
  EXPECT_NEAR(M * qdd + bias, double(json["applied"][0]), 1e-12);
}

TEST(Inspect, OfEveryShippedCreatureMTimesQddPlusBiasIsTauPlusWhatLoopsNeed) {
  const Folder folder;
  const Json list = folder.legwork({"creatures", "--json", "-"}).json()["creatures"];
  ASSERT_GE(list.size(), 6u);
  for (const Json& entry : list) {
    const std::string name = entry["name"];
    SCOPED_TRACE(name);
    const size_t nv = entry["dofs"];
    Json state = {{"v", Json::array()}, {"tau", Json::array()}};
    for (size_t i = 0; i < nv; ++i) {
      state["v"].push_back(std::sin(1.0 + double(i)));
      state["tau"].push_back(std::cos(2.0 + double(i)));
    }
    const Outcome outcome = folder.legwork({"inspect", name, "--state", "-", "--json", "-"}, state.dump());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json["nv"], nv);
    EXPECT_NEAR(json["mass"], double(entry["mass"]), 1e-9 * double(entry["mass"]));
    double largest = 0;
    std::vector<double> terms(nv);
    for (size_t i = 0; i < nv; ++i) {
      double sum = double(json["bias"][i]) - double(json["tau"][i]) - double(json["constraint"][i]);
      double size = std::abs(double(json["bias"][i])) + 1;
      for (size_t j = 0; j < nv; ++j) {
        const double term = double(json["mass_matrix"][i][j]) * double(json["qdd"][j]);
        sum += term;
        size += std::abs(term);
      }
      largest = std::max(largest, std::abs(sum) / size);
    }
    EXPECT_LT(largest, 1e-9);
  }
}

TEST(Inspect, WrongStatesAreNamed) {
  const Folder folder;
  folder.write("pendulum.xml", pendulum);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"q": [1, 2]})",
       "legwork: stdin: q: has 2 values, but 'pendulum' has nq = 1; legwork inspect without --state shows "
       "the order\n"},
      {R"({"v": ["fast"]})", "legwork: stdin: v: value 0 is not a finite number: \"fast\"\n"},
      {R"({"tua": [1]})", "legwork: stdin: state: unknown key 'tua'; did you mean 'tau'?\n"},
      {"{\n\"q\": [1,]}",
       "legwork: stdin:2: state: is not JSON; write {\"q\": [...], \"v\": [...], \"tau\": [...]}\n"},
      {R"({"f_ext": {"rood": [1, 2, 3]}})",
       "legwork: stdin: f_ext: unknown link 'rood'; did you mean 'rod'?\n"},
      {R"({"f_ext": {"rod": [1, 2]}})",
       "legwork: stdin: f_ext of 'rod': has 2 values; write [fx, fy, fz] or [fx, fy, fz, mx, my, mz]\n"},
  };
  for (const auto& [state, message] : cases) {
    const Outcome outcome = folder.legwork({"inspect", "pendulum.xml", "--state", "-"}, state);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, message);
  }
  EXPECT_EQ(folder.legwork({"inspect", "pendulum.xml", "--point", "rood,0,0,0"}).err,
            "legwork: --point: unknown link 'rood'; did you mean 'rod'?\n");
  EXPECT_EQ(folder.legwork({"inspect", "pendulum.xml", "--point", "rod,0,0"}).err,
            "legwork: --point: 'rod,0,0' is not LINK,X,Y,Z; write for example rod,0,0,0.1\n");
}

TEST(Inspect, QuaternionsMustBeOfUnitLength) {
  const Folder folder;
  const Outcome bad = folder.legwork({"inspect", "box", "--state", "-"}, R"({"q": [0, 0, 0, 1, 1, 0, 0]})");
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("q[3] to q[6]: is a quaternion of length 1.414"), std::string::npos) << bad.err;
  const Outcome rounded = folder.legwork({"inspect", "box", "--state", "-", "--json", "-"},
                                         R"({"q": [0, 0, 0, 0.7071, 0.7071, 0, 0]})");
  EXPECT_EQ(rounded.code, 0);
  EXPECT_NE(rounded.err.find("was normalized"), std::string::npos) << rounded.err;
}

}  // namespace
}  // namespace legwork::test
