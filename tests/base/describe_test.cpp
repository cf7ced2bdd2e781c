#include <legwork/options.h>

#include <gtest/gtest.h>

namespace legwork {
namespace {

enum class Pace { slow, fast };
struct Triple {
  double x = 0, y = 0, z = 0;
};
struct Wishes {
  double speed = 1.5;
  int steps = 4;
  bool loud = false;
  std::string note = "none", log;
  Pace pace = Pace::slow;
  Triple push;
  Length stride{0.5, true};
  std::vector<std::string> names;
  std::vector<double> weights = {1, 2};
};

template <class Visitor>
void describe(Visitor& v, Wishes& o) {
  v.number("speed", o.speed, {0, 10, "m/s", "how fast"});
  v.integer("steps", o.steps, {1, 100, "", "how many"});
  v.flag("loud", o.loud, "say more");
  v.text("note", o.note, "anything");
  v.file("log", o.log, "where to write");
  v.choice("pace", o.pace, {{"slow", "like a snail"}, {"fast", "like a hare"}}, "the pace");
  v.vector("first_push", o.push, {-1e12, 1e12, "N", "a push"});
  v.length("stride", o.stride, {0, 10, "m", "of a stride"});
  v.texts("names", o.names, "who");
  v.numbers("weights", o.weights, {0, 1e12, "kg", "how heavy"});
}

std::string complaint(const Options& options, const std::string& name,
                      const std::vector<std::string>& values) {
  try {
    options.find(name)->set(values, {}, options.find(name)->flag_name());
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Describe, EveryKindIsStoredAndComesBackAsTheSameText) {
  Wishes wishes;
  const Options options(wishes);
  const std::vector<std::pair<std::string, std::vector<std::string>>> values = {
      {"speed", {"2.25"}},  {"steps", {"7"}},        {"loud", {"true"}},
      {"note", {"a, b"}},   {"pace", {"fast"}},      {"first_push", {"1", "-2.5", "1e+20"}},
      {"stride", {"1.2m"}}, {"names", {"a,b", "c"}}, {"weights", {"0.1", "3"}}};
  for (const auto& [name, value] : values) {
    const Option* option = options.find(name);
    ASSERT_TRUE(option) << name;
    EXPECT_FALSE(option->changed()) << name;
    if (name == "first_push") continue;
    option->set(value, {}, name);
    EXPECT_EQ(option->get(), value) << name;
    EXPECT_TRUE(option->changed()) << name;
  }
  EXPECT_EQ(wishes.speed, 2.25);
  EXPECT_EQ(wishes.pace, Pace::fast);
  EXPECT_FALSE(wishes.stride.hip_heights);
  EXPECT_EQ(wishes.weights, (std::vector<double>{0.1, 3}));
}

TEST(Describe, VectorsAndNumbersMayBeOneTextWithCommasAndNumbersMayCarryTheirUnit) {
  Wishes wishes;
  const Options options(wishes);
  options.find("first-push")->set({"1, -2,3.5"}, {}, "");
  EXPECT_EQ(wishes.push.y, -2);
  options.find("weights")->set({"4,5,6"}, {}, "");
  EXPECT_EQ(wishes.weights.size(), 3u);
  options.find("speed")->set({"2.5 m/s"}, {}, "");
  EXPECT_EQ(wishes.speed, 2.5);
}

TEST(Describe, AnglesTakeDegreesAndRadiansWhateverTheirUnit) {
  double turn = 0, tilt = 0;
  Options options;
  options.number("turn", turn, {-7, 7, "rad/s", ""});
  options.number("tilt", tilt, {-90, 90, "deg", ""});
  options.find("turn")->set({"180deg/s"}, {}, "");
  EXPECT_DOUBLE_EQ(turn, 3.14159265358979323846);
  options.find("tilt")->set({"0.5 rad"}, {}, "");
  EXPECT_NEAR(tilt, 28.64788975654116, 1e-13);
  EXPECT_EQ(complaint(options, "turn", {"180deg"}), "--turn: '180deg' is not a number (in rad/s)");
  EXPECT_EQ(complaint(options, "tilt", {"2rad"}), "--tilt: 2rad is outside -90 .. 90 deg");
}

TEST(Describe, OneFormWithoutHelpNamesTheValue) {
  std::string pose;
  Options options;
  options.text("pose", pose, {"POSE"}, "where to start");
  EXPECT_EQ(options.find("pose")->value_name(), "POSE");
}

TEST(Describe, BadValuesNameOptionValueAndAllowedRangeAndChangeNothing) {
  Wishes wishes;
  const Options options(wishes);
  EXPECT_EQ(complaint(options, "speed", {"12"}), "--speed: 12 is outside 0 .. 10 m/s");
  EXPECT_EQ(complaint(options, "speed", {"nan"}), "--speed: 'nan' is not a number (in m/s)");
  EXPECT_EQ(complaint(options, "speed", {"2km/h"}), "--speed: '2km/h' is not a number (in m/s)");
  EXPECT_EQ(complaint(options, "steps", {"2.5"}), "--steps: '2.5' is not a whole number");
  EXPECT_EQ(complaint(options, "steps", {"0"}), "--steps: 0 is outside 1 .. 100");
  EXPECT_EQ(complaint(options, "loud", {"maybe"}), "--loud: 'maybe' is neither true nor false");
  EXPECT_EQ(complaint(options, "pace", {"fsat"}), "--pace: unknown value 'fsat'; did you mean 'fast'?");
  EXPECT_EQ(complaint(options, "first_push", {"1,2"}),
            "--first-push: needs three numbers, not '1,2'; write X,Y,Z");
  EXPECT_EQ(complaint(options, "stride", {"3ft"}),
            "--stride: '3ft' has the unknown unit 'ft'; use m, cm, mm or h (hip heights)");
  EXPECT_EQ(complaint(options, "weights", {"1,-1"}), "--weights: -1 is outside 0 kg or more");
  for (const Option& option : options.all()) EXPECT_FALSE(option.changed()) << option.name;
}

TEST(Describe, TheReferenceShowsDefaultsRangesAndMeanings) {
  Wishes wishes;
  const std::string table = reference_table(Options(wishes));
  EXPECT_NE(table.find("| `--speed m/s` | `1.5` | 0 .. 10 m/s | how fast |"), std::string::npos) << table;
  EXPECT_NE(table.find("| `--pace WHAT` | `slow` | slow, fast | the pace |"), std::string::npos) << table;
  EXPECT_NE(table.find("| `--log FILE` |  |  | where to write |"), std::string::npos) << table;
  EXPECT_NE(table.find("| `--loud` |  |  | say more |"), std::string::npos) << table;
}

TEST(Length, ReadsUnitsAndHipHeights) {
  EXPECT_EQ(parse_length("35cm").meters(2), 0.35);
  EXPECT_EQ(parse_length("0.5h").meters(0.8), 0.4);
  EXPECT_EQ(parse_length("1.5").meters(2), 1.5);
  EXPECT_EQ(to_text(parse_length("0.48h")), "0.48h");
  EXPECT_THROW(parse_length(""), Error);
  EXPECT_THROW(parse_length("inf"), Error);
}

}  // namespace
}  // namespace legwork
