// Options by name, in several lists at once.

#include <gtest/gtest.h>

#include <legwork/methods.h>
#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

TEST(FindOption, LooksInEveryListAndSuggestsFromAllOfThem) {
  DropOptions drop;
  WorldOptions world;
  const Options of_drop(drop), of_world(world);
  find_option({&of_drop, &of_world}, "friction", "drop").set({"0.3"}, {}, "drop: friction");
  EXPECT_EQ(world.friction, 0.3);
  EXPECT_EQ(error_of([&] {
              find_option({&of_drop, &of_world}, "fricton", "drop");
            }),
            "drop: there is no option 'fricton'; did you mean 'friction'?");
}

}  // namespace
}  // namespace legwork
