#include <gtest/gtest.h>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

TEST(DirectVerb, APoseThatTheBodyDoesNotHaveIsRefused) {
  const Folder folder;
  for (const std::vector<std::string>& what :
       {std::vector<std::string>{"--algorithm", "stand"}, {"--track", "x.glb"}}) {
    std::vector<std::string> words = {"direct", "biped", "--pose", "stnd"};
    words.insert(words.end(), what.begin(), what.end());
    const Outcome outcome = folder.legwork(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "legwork: pose: 'biped' has no pose 'stnd'; did you mean 'stand'?\n");
  }
}

}  // namespace
}  // namespace legwork::test
