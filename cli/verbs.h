#pragma once
// Every verb of the program that is no method alone. A new one is a file of its own and a line in main.cpp's
// table; a method of the library is a line there.

#include <string>
#include <vector>

namespace legwork::cli {

// Exit codes; anything else that escapes is our bug and ends with 1.
inline constexpr int fine = 0, our_bug = 1, bad_input = 2, creature_failed = 3, interrupted_by_user = 130;

using Words = std::vector<std::string>;  // the arguments after the verb

// Each returns an exit code; bad input is thrown as Error.
int creatures(const Words& words);
int check(const Words& words);
int rig(const Words& words);
int inspect(const Words& words);
int discover(const Words& words);
int evolve(const Words& words);
int archive(const Words& words);
int run(const Words& words);
int rerun(const Words& words);
int study(const Words& words);
int gait(const Words& words);
int compare(const Words& words);
int view(const Words& words);
int render(const Words& words);
int export_motion(const Words& words);
int compile(const Words& words);

}  // namespace legwork::cli
