#pragma once
// Studies as text.

namespace legwork::test {

// Two gravities, three repetitions each: 6 drops of a box.
constexpr const char* drops_study = R"(name = "heights"
verb = "drop"
creature = "box"
repetitions = 3
measure = ["touch_down", "penetration"]
[options]
seconds = 0.8
height = "0.5 +- 0.05m"
[vary.world]
gravity = [9.81, 3.7]
)";

}  // namespace legwork::test
