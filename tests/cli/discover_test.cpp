#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "tests/scenes/program.h"

namespace legwork::test {
namespace {

using Json = nlohmann::json;

// A search that takes seconds.
std::vector<std::string> small_search(std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"discover", "cart", "--seconds", "1", "--random", "96",
                                    "--vary",   "32",   "--gaits",   "3", "--tune",   "2"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json without_times(Json json) {
  for (const char* key :
       {"evaluations_per_second", "simulated_seconds_per_second", "wall_seconds", "realtime_factor", "files"})
    json.erase(key);
  for (Json& gait : json["gaits"]) gait.erase("file");
  return json;
}

TEST(Discover, GivesAGalleryWithTheKeysOfEveryGait) {
  const Folder folder;
  const Outcome outcome =
      folder.legwork(small_search({"--json", "-", "--folder", "gaits", "--out", "best.glb"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = outcome.json();
  for (const char* key :
       {"evaluations", "evaluations_per_second", "useful_share", "best_speed", "verb", "status"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_GT(json["evaluations"], 96 + 32 + 2 * 3) << "and those at half the step";
  ASSERT_EQ(json["gaits"].size(), 3u);
  for (const Json& gait : json["gaits"]) {
    for (const char* key : {"speed", "distance", "period", "robustness", "descriptor", "seed", "file"})
      EXPECT_TRUE(gait.contains(key)) << key;
    EXPECT_TRUE(std::filesystem::exists(folder / std::string(gait["file"])));
  }
  // every motion carries what makes it again, without a search
  for (const char* file : {"best.glb", "gaits/gait_02.glb"}) {
    const Outcome again = folder.legwork({"rerun", file});
    EXPECT_EQ(again.code, 0) << file << again.out << again.err;
  }
}

TEST(Discover, GivesTheSameGalleryForAnyThreadsInBatchesOrNot) {
  const Folder folder;
  const Json one = without_times(folder.legwork(small_search({"--json", "-", "--threads", "1"})).json());
  const Json two = without_times(folder.legwork(small_search({"--json", "-", "--threads", "2"})).json());
  const Json scalar = without_times(folder.legwork(small_search({"--json", "-", "--scalar"})).json());
  EXPECT_EQ(one, two);
  EXPECT_EQ(one, scalar);
  const Json other = without_times(folder.legwork(small_search({"--json", "-", "--seed", "2"})).json());
  EXPECT_NE(one["gaits"], other["gaits"]);
}

TEST(Discover, AnArchiveGoesOnToTheSameResultAndShowsEveryMotion) {
  const Folder folder;
  const Json whole = without_times(folder.legwork(small_search({"--json", "-"})).json());
  const Json first = without_times(folder.legwork(small_search({"--json", "-", "--archive", "a.db"})).json());
  EXPECT_EQ(first, whole);
  const Outcome again = folder.legwork(small_search({"--archive", "a.db"}));
  EXPECT_NE(
      again.out.find("went on from " + std::to_string(int(whole["evaluations"])) + " evaluations in a.db"),
      std::string::npos)
      << again.out;
  EXPECT_EQ(without_times(folder.legwork(small_search({"--json", "-", "--archive", "a.db"})).json()), whole);

  const Outcome other = folder.legwork(small_search({"--archive", "a.db", "--seed", "3"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("a.db"), std::string::npos) << other.err;

  const Outcome list = folder.legwork({"discover", "--show", "a.db", "--json", "-"});
  ASSERT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(list.json()["gaits"].size(), 3u);
  const Outcome shown = folder.legwork({"discover", "--show", "a.db", "--gait", "2", "--json", "-"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_EQ(shown.json()["distance"], whole["gaits"][1]["distance"]);
  const Outcome any = folder.legwork({"discover", "--show", "a.db", "--number", "17", "--out", "x.glb"});
  EXPECT_EQ(any.code, 0) << any.err;
  EXPECT_EQ(folder.legwork({"discover", "--show", "a.db", "--gait", "9"}).err,
            "legwork: a.db: has no gait 9; it has 3 gaits and " + std::to_string(int(whole["evaluations"])) +
                " evaluations\n");
}

TEST(Discover, SaysWhyABodyCannotMove) {
  const Folder folder;
  const Outcome box = folder.legwork({"discover", "box"});
  EXPECT_EQ(box.code, 2);
  EXPECT_NE(box.err.find("creature 'box': has no joint that an actuator could move; give a link a joint"),
            std::string::npos)
      << box.err;
  const Outcome pendulum = folder.legwork({"discover", "pendulum"});
  EXPECT_EQ(pendulum.code, 2);
  EXPECT_NE(pendulum.err.find("is held by the world; free it with"), std::string::npos) << pendulum.err;
  const Outcome nowhere = folder.legwork({"discover", "cart", "--folder", "/dev/null/gaits"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_NE(nowhere.err.find("discover: folder: '/dev/null/gaits' cannot be made: "), std::string::npos)
      << nowhere.err;
  const Outcome formula = folder.legwork({"discover", "cart", "--metric", "distance +"});
  EXPECT_EQ(formula.code, 2);
  EXPECT_NE(formula.err.find("discover: metric: "), std::string::npos) << formula.err;
}

// While it lives, files of this process and of programs that it starts cannot grow beyond this size: a full
// disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  void (*handler_)(int);
};

TEST(Discover, AFullDiskLosesNoFinishedEvaluation) {
  const Folder folder;
  const Json whole = without_times(folder.legwork(small_search({"--json", "-"})).json());
  {
    const FullDisk full(100'000);
    const Outcome outcome = folder.legwork(small_search({"--archive", "a.db"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("is the disk full? Make room and run the same command again"),
              std::string::npos)
        << outcome.err;
  }
  const int kept = folder.legwork({"discover", "--show", "a.db", "--json", "-"}).json()["evaluations"];
  EXPECT_GE(kept, 64);
  EXPECT_LT(kept, int(whole["evaluations"]));
  const Outcome on = folder.legwork(small_search({"--archive", "a.db"}));
  EXPECT_NE(on.out.find("went on from " + std::to_string(kept) + " evaluations"), std::string::npos)
      << on.out << on.err;
  EXPECT_EQ(without_times(folder.legwork(small_search({"--json", "-", "--archive", "a.db"})).json()), whole);
}

// Not even root makes a file there.
TEST(Discover, AFolderThatCannotBeWrittenIsToldBeforeTheSearch) {
  const Folder folder;
  folder.write("plain.txt", "");
  for (const char* place : {"/proc/a.db", "plain.txt/a.db"}) {
    const Outcome outcome = folder.legwork(small_search({"--archive", place}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

// A body of another program's format gets a gallery, each gait of which can be made again.
void expect_gallery(const Folder& folder, const std::string& file, const std::string& told) {
  SCOPED_TRACE(file);
  const std::vector<std::string> search = {"discover", file,     "--seconds", "1",         "--random", "40",
                                           "--vary",   "8",      "--tune",    "1",         "--gaits",  "2",
                                           "--out",    "it.glb", "--archive", file + ".db"};
  const Outcome outcome = folder.legwork(search);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(told), std::string::npos) << outcome.out;
  const Outcome again = folder.legwork({"rerun", "it.glb"});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  const Outcome shown = folder.legwork({"discover", "--show", file + ".db", "--gait", "1", "--json", "-"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  EXPECT_GT(shown.json()["distance"], 0.0);
}

TEST(Discover, BodiesOfOtherFormatsMoveWithoutTouchingCode) {
  const Folder folder;
  folder.write("tripod.xml", R"(<mujoco model="tripod"><compiler angle="degree"/><worldbody>
    <body name="trunk" pos="0 0 0.25"><freejoint/><geom type="sphere" size="0.1"/>
      <body name="a" pos="0.1 0 0"><joint name="ja" axis="0 1 0" range="-40 40"/>
        <geom type="capsule" fromto="0 0 0 0.15 0 -0.2" size="0.02"/></body>
      <body name="b" pos="-0.05 0.09 0"><joint name="jb" axis="0 1 0" range="-40 40"/>
        <geom type="capsule" fromto="0 0 0 -0.08 0.13 -0.2" size="0.02"/></body>
      <body name="c" pos="-0.05 -0.09 0"><joint name="jc" axis="0 1 0" range="-40 40"/>
        <geom type="capsule" fromto="0 0 0 -0.08 -0.13 -0.2" size="0.02"/></body>
    </body></worldbody>
    <actuator><position joint="ja" kp="30"/><motor joint="jb" gear="5"/><motor joint="jc"/></actuator></mujoco>)");
  expect_gallery(folder, "tripod.xml", "actuators without range or stiffness: chosen from the joints");

  const auto limb = [](const std::string& name, const std::string& length) {
    return "<link name='" + name +
           "'><inertial><origin xyz='0 0 -0.1'/><mass value='1'/><inertia ixx='0.004' iyy='0.004' "
           "izz='0.001' "
           "ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='0 0 -0.1'/><geometry><cylinder "
           "radius='0.03' length='" +
           length + "'/></geometry></collision></link>";
  };
  const auto joint = [](const std::string& parent, const std::string& child, const std::string& y) {
    return "<joint name='" + child + "_joint' type='revolute'><parent link='" + parent + "'/><child link='" +
           child + "'/><origin xyz='0 " + y +
           " -0.1'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='40' velocity='10'/></joint>";
  };
  folder.write("legs.urdf", "<robot name='legs'>" + limb("hip", "0.1") + limb("left", "0.3") +
                                limb("right", "0.3") + joint("hip", "left", "0.1") +
                                joint("hip", "right", "-0.1") + "</robot>");
  expect_gallery(folder, "legs.urdf", "no sensors in the file: 2 touch");

  folder.write("worm.toml", R"(name = "worm"
[[link]]
name = "head"
at = [0, 0, 0.021]
joint = { planar = "xz" }
density = 1000
shape = { capsule = 0.02, to = [-0.2, 0, 0] }
[[link]]
name = "tail"
parent = "head"
at = [-0.2, 0, 0]
joint = { hinge = "y", range = [-1, 1] }
density = 1000
shape = { capsule = 0.02, to = [-0.2, 0, 0] }
)");
  expect_gallery(folder, "worm.toml", "no actuators in the file: 1 added");
}

TEST(Discover, ABodyNeverSeenBeforeGetsSensorsAndActuatorsAndIsTold) {
  const Folder folder;
  folder.write(
      "thing.xml",
      R"(<mujoco><worldbody><body pos="0 0 0.3"><freejoint/><geom type="capsule" fromto="-.1 0 0 .1 0 0"
               size=".03"/><body pos=".1 0 0"><joint axis="0 1 0" range="-60 60" limited="true"/>
               <geom type="capsule" fromto="0 0 0 .1 0 -.2" size=".02"/></body></body></worldbody></mujoco>)");
  const Outcome outcome = folder.legwork({"discover", "thing.xml", "--seconds", "0.5", "--random", "16",
                                          "--vary", "0", "--tune", "0", "--gaits", "2"});
  EXPECT_NE(outcome.out.find("no actuators in the file: 1 added"), std::string::npos)
      << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("no sensors in the file"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace legwork::test
