// Which methods can move a body, as the library reports it.

#include <gtest/gtest.h>

#include <legwork/files.h>
#include <legwork/methods.h>
#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

TEST(Supports, TheProgramTellsWhatTheLibraryTells) {
  const Json list = Folder().legwork({"creatures", "dog", "pendulum", "--json", "-"}).json()["creatures"];
  for (const Json& creature : list) {
    SCOPED_TRACE(creature["name"].get<std::string>());
    const std::vector<Support> told = supports(load_world(creature["name"]));
    ASSERT_EQ(told.size(), creature["methods"].size());
    for (const Support& support : told) {
      const Json& program = creature["methods"][support.method];
      EXPECT_EQ(program["supported"], support.supported) << support.method;
      EXPECT_EQ(program["how"], support.how);
      EXPECT_EQ(program["lacks"], support.lacks);
      EXPECT_EQ(program["advice"], support.advice);
    }
  }
}

TEST(Supports, ABodyWithoutLegsIsToldWhatItLacks) {
  const std::vector<Support> told = supports(load_world("pendulum"));
  ASSERT_EQ(told[0].method, "walk");
  EXPECT_FALSE(told[0].supported);
  EXPECT_EQ(told[0].lacks, "has no legs");
  EXPECT_NE(told[0].advice.find("[[leg]]"), std::string::npos) << told[0].advice;
  ASSERT_EQ(told[2].method, "direct");
  EXPECT_TRUE(told[2].supported);
  EXPECT_EQ(told[2].how, "--track");
}

TEST(Supports, AWorldThatCannotBeSimulatedIsRefused) {
  World world = load_world("dog");
  world.rate = 0;
  EXPECT_THROW(supports(world), Error);
}

}  // namespace
}  // namespace legwork::test
