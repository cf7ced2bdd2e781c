#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include <legwork/archive.h>
#include <legwork/files.h>
#include <legwork/study.h>
#include "evolve/vary.h"
#include "formats/toml/creature_toml.h"
#include "methods/evolve_account.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/program.h"
#include "tests/scenes/same.h"

namespace legwork::test {
namespace {

// An evolution that takes seconds.
EvolveOptions small_evolution(const std::string& archive = {}) {
  EvolveOptions options;
  options.generations = 2, options.children = 4, options.budget = 24, options.seconds = 1;
  options.metric = "distance", options.atlas = 3;
  options.archive = archive;
  return options;
}

TEST(Evolve, AShorterRunsArchiveIsTheBeginningOfALongerOnes) {
  const Folder folder;
  const World world = load_world("bounder");
  const Result whole =
      evolve(world, small_evolution((folder / "whole.db").string()), {.seed = 3, .threads = 2});
  EvolveOptions shorter = small_evolution((folder / "part.db").string());
  shorter.generations = 1;
  evolve(world, shorter, {.seed = 3, .threads = 1});
  EXPECT_NE(archive_csv((folder / "part.db").string()), archive_csv((folder / "whole.db").string()));
  const Result rest =
      evolve(world, small_evolution((folder / "part.db").string()), {.seed = 3, .threads = 1});
  EXPECT_EQ(archive_csv((folder / "part.db").string()), archive_csv((folder / "whole.db").string()));
  expect_same(rest.motion, whole.motion);
  ASSERT_EQ(rest.others.size(), whole.others.size());
}

TEST(Evolve, EveryAncestorIsMadeAgainAndIsACreature) {
  const Folder folder;
  const std::string path = (folder / "bodies.db").string();
  const Result result = evolve(load_world("bounder"), small_evolution(path));
  const std::vector<EvolvedBody> bodies = read_evolution(path);
  ASSERT_EQ(bodies.size(), 9u);
  for (const EvolvedBody& body : bodies) {
    SCOPED_TRACE(body.number);
    EXPECT_NO_THROW(parse_creature(evolved_creature(path, body.number), "body"));
    const Result again = replay_body(path, body.number);
    const Channel* com = again.motion.channel("center of mass");
    ASSERT_TRUE(com);
    const size_t last = com->values.size() - 3;
    const double distance =
        std::hypot(com->values[last] - com->values[0], com->values[last + 1] - com->values[1]);
    if (body.score > 0) EXPECT_NEAR(distance, body.score, 1e-9) << "as far as its search said";
  }
  // the best of the run, from the archive and from its own scenario
  const std::uint64_t best = std::uint64_t(*result.account.values.find("body")->integer());
  expect_same(replay_body(path, best).motion, result.motion);
  save(result, (folder / "best.glb").string());
  EXPECT_EQ(rerun((folder / "best.glb").string()).difference, "");
  expect_same(evolution_so_far(path).motion, result.motion);
}

TEST(Evolve, NoSearchUsesMoreThanItsBudget) {
  const Folder folder;
  const std::string path = (folder / "bodies.db").string();
  evolve(load_world("bounder"), small_evolution(path));
  std::istringstream lines(archive_csv(path));
  std::string line;
  std::getline(lines, line);
  EXPECT_NE(line.find("evaluations"), std::string::npos);
  const Result result = evolution_so_far(path);
  EXPECT_LE(*result.account.values.find("evaluations")->integer(), 9 * 24);
  EXPECT_GT(*result.account.values.find("evaluations")->integer(), 9 * 12);
}

TEST(Evolve, NetworksAloneKeepTheBody) {
  const Folder folder;
  const std::string path = (folder / "bodies.db").string();
  EvolveOptions options = small_evolution(path);
  options.change = EvolveOptions::Change::network;
  evolve(load_world("bounder"), options);
  Creature first = parse_creature_toml(evolved_creature(path, 0), "first");
  for (const EvolvedBody& body : read_evolution(path)) {
    Creature own = parse_creature_toml(evolved_creature(path, body.number), "own");
    own.name = first.name;
    EXPECT_EQ(write_creature_toml(own), write_creature_toml(first));
  }
}

// Bodies as they are born, that nobody has selected: of those that its check takes most walk (7 of 11).
TEST(Evolve, BodiesThatWalkTakesWalk) {
  using namespace evolution;
  const Creature blank = *put_together(take_apart(load_world("blob").body));
  int taken = 0, walked = 0;
  for (std::uint64_t stream = 0; stream < 120; ++stream) {
    Random random(17, stream);
    const std::optional<Child> child = vary(blank, 8, random);
    if (!child || !unfit_to_walk(child->body).empty()) continue;
    ++taken;
    World world;
    world.body = child->body;
    WalkOptions options;
    options.seconds = 3;
    walked += walk(world, options, {.threads = 1}).motion.status == Status::ok;
  }
  EXPECT_GE(taken, 10);
  EXPECT_GE(walked, taken / 2);
  EXPECT_EQ(unfit_to_walk(blank), "it stands on no limb");
}

TEST(Evolve, PartsOfGenerationsMergedAreTheWhole) {
  const Folder folder;
  const World world = load_world("bounder");
  EvolveOptions options = small_evolution((folder / "whole.db").string());
  options.generations = 1;
  evolve(world, options);
  std::string all = (folder / "all.db").string();
  for (int round = 0; round < 2; ++round)
    for (const std::string part : {"1", "2"}) {
      const std::string path = (folder / ("part_" + std::to_string(round) + part + ".db")).string();
      if (round > 0) merge_archives(path, {all});
      options.shard = part + "/2", options.archive = path;
      evolve(world, options);
      if (part == "2")
        merge_archives(all, {path, (folder / ("part_" + std::to_string(round) + "1.db")).string()});
    }
  EXPECT_EQ(archive_csv(all), archive_csv((folder / "whole.db").string()));
}

TEST(Evolve, WhatCannotBeDoneSaysWhy) {
  EvolveOptions options = small_evolution();
  options.shard = "1/2";
  EXPECT_EQ(error_of([&] { evolve(load_world("bounder"), options); }),
            "evolve: shard: a part of a generation is of use in an archive only; add --archive part.db");
  options = small_evolution();
  options.metric = "distanse";
  EXPECT_NE(error_of([&] { evolve(load_world("bounder"), options); }).find("distanse"), std::string::npos);
  const Folder folder;
  const std::string path = (folder / "bodies.db").string();
  evolve(load_world("bounder"), small_evolution(path));
  EXPECT_EQ(
      error_of([&] { evolve(load_world("bounder"), small_evolution(path), {.seed = 2}); }),
      path +
          ": archive: belongs to another search: scenario differs; ask for the same, or name another with "
          "--archive");
  EXPECT_EQ(error_of([&] { replay_body(path, 99); }), path + ": has no body 99; it has 9 bodies, from 0 on");
}

}  // namespace
}  // namespace legwork::test
