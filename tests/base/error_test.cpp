#include <legwork/error.h>

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/within.h"

namespace legwork {
namespace {

TEST(Error, HasItsPartsAsDataAndJoinsThemToOneLine) {
  const Error e({"newt.toml", 41}, "joint 'elbow_l'", "axis [0, 0, 0] has no direction",
                "did you mean [0, 1, 0]?");
  EXPECT_EQ(e.where().file, "newt.toml");
  EXPECT_EQ(e.where().line, 41);
  EXPECT_EQ(e.who(), "joint 'elbow_l'");
  EXPECT_EQ(e.problem(), "axis [0, 0, 0] has no direction");
  EXPECT_EQ(e.advice(), "did you mean [0, 1, 0]?");
  EXPECT_STREQ(e.what(),
               "newt.toml:41: joint 'elbow_l': axis [0, 0, 0] has no direction; did you mean [0, 1, 0]?");
}

TEST(Error, LeavesOutThePartsThatAreMissing) {
  EXPECT_STREQ(Error("no creature named").what(), "no creature named");
  EXPECT_STREQ(Error("no creature named", "name one").what(), "no creature named; name one");
  EXPECT_STREQ(Error({}, "--rate", "-1 is no frame rate").what(), "--rate: -1 is no frame rate");
  EXPECT_STREQ(Error({"a.glb", 0}, "", "is cut short", "copy it again").what(),
               "a.glb: is cut short; copy it again");
  EXPECT_STREQ(Error({"", 3}, "", "is cut short").what(), "is cut short");
}

TEST(Error, KeepsItsPartsWhenTheyHoldColonsAndSemicolons) {
  const Error e({}, "--at", "'2; 3': 'x' is no number", "write 2:turn=0.5; or leave it out");
  EXPECT_EQ(e.who(), "--at");
  EXPECT_EQ(e.problem(), "'2; 3': 'x' is no number");
  EXPECT_EQ(e.advice(), "write 2:turn=0.5; or leave it out");
}

TEST(Error, WithinAnotherFileNamesBothPlacesAndKeepsTheAdvice) {
  const Error inner({"newt.toml", 7}, "link 'tail'", "has no mass", "give kg");
  const Error outer = within({"pond.toml", 3}, "body 'newt'", inner);
  EXPECT_EQ(outer.where().file, "pond.toml");
  EXPECT_EQ(outer.where().line, 3);
  EXPECT_EQ(outer.who(), "body 'newt'");
  EXPECT_EQ(outer.problem(), "newt.toml:7: link 'tail': has no mass");
  EXPECT_EQ(outer.advice(), "give kg");
  EXPECT_EQ(outer.what(), "pond.toml:3: body 'newt': " + std::string(inner.what()));
}

TEST(Error, GetsMoreAdviceAfterItsOwn) {
  const Error bare({"a.toml", 1}, "hold", "there is no link 'toe'");
  EXPECT_EQ(with_advice(bare, "name a link").advice(), "name a link");
  EXPECT_STREQ(with_advice(with_advice(bare, "name a link"), "or none").what(),
               "a.toml:1: hold: there is no link 'toe'; name a link; or none");
}

TEST(Text, AdvisesTheClosestNameElseListsThem) {
  EXPECT_EQ(did_you_mean("hinje", {"hinge", "slide"}), "did you mean 'hinge'?");
  EXPECT_EQ(did_you_mean("wheel", {"hinge", "slide"}), "one of: hinge, slide");
  EXPECT_EQ(did_you_mean("wheel", {}), "");
}

}  // namespace
}  // namespace legwork
