#include "formats/table/places_file.h"

#include <gtest/gtest.h>

#include "tests/scenes/error_of.h"

namespace legwork {
namespace {

TEST(Places, AreReadWithOrWithoutALineOfNames) {
  const std::vector<Vec2> places = parse_places("x,y\n1,2\r\n\n-3.5,0\n", {"p.csv", 0}, "");
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[1].x, -3.5);
  EXPECT_EQ(parse_places("3,0.5", {}, "walk: to").size(), 1u);
}

TEST(Places, ThatMakeNoSenseAreRefusedWithTheirLine) {
  const auto refusal = [](const std::string& text, const Where& where) {
    return error_of([&] { parse_places(text, where, where.file.empty() ? "walk: to" : ""); });
  };
  EXPECT_EQ(refusal("1,2\n1,2,3\n", {"p.csv", 0}), "p.csv:2: '1,2,3' is no place; write x,y in m: 3,0.5");
  EXPECT_EQ(refusal("there", {}), "walk: to: 'there' is no place; write x,y in m: 3,0.5");
  EXPECT_EQ(refusal("1e9,0", {}), "walk: to: '1e9,0' is no place; write x,y in m: 3,0.5");
}

}  // namespace
}  // namespace legwork
