#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include <legwork/files.h>
#include "dynamics/dynamics.h"
#include "formats/base64.h"
#include "formats/file.h"
#include "formats/gltf/glb.h"
#include "report/ground.h"
#include "report/limbs.h"
#include "tests/scenes/example_motion.h"
#include "tests/scenes/scratch.h"
#include "tests/scenes/walker.h"

namespace legwork {
namespace {

using nlohmann::json;

// What the page reads: the JSON block of an id.
json block(const std::string& page, const std::string& id) {
  const std::string head = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t begin = page.find(head) + head.size();
  EXPECT_GE(begin, head.size()) << id;
  return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// An independent decoder.
std::vector<float> floats(const std::string& text) {
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bits = bits << 6 | unsigned(letters.find(c)), count += 6;
    if (count >= 8) count -= 8, bytes.push_back(char(bits >> count & 255));
  }
  std::vector<float> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), out.size() * 4);
  return out;
}

std::string report_of(const std::vector<ReportEntry>& entries, const ReportOptions& options = {}) {
  const Scratch scratch;
  const std::string path = scratch / "report.html";
  write_report(entries, path, options);
  return read_file(path);
}

ReportEntry entry_of(const Motion& motion) {
  ReportEntry entry;
  entry.motion = &motion;
  return entry;
}

const WalkerOptions trot{.name = "hound", .phase = {0, 0.5, 0.5, 0}, .seconds = 4};

// Values of one series of a plot.
std::vector<float> series(const json& entry, const std::string& id, const std::string& name) {
  const auto frames = entry["frames"].get<std::size_t>();
  for (const json& plot : entry["channels"]) {
    if (plot["id"] != id) continue;
    const std::vector<float> values = floats(plot["values"]);
    std::size_t at = 0;
    for (const json& group : plot["groups"])
      for (const json& one : group["series"]) {
        if (one == name) return {values.begin() + long(at), values.begin() + long(at + frames)};
        at += frames;
      }
  }
  ADD_FAILURE() << "no series " << name << " in plot " << id;
  return {};
}

TEST(Base64, FollowsTheExamplesOfRfc4648) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : examples) {
    EXPECT_EQ(base64(plain, std::strlen(plain)), text);
    EXPECT_EQ(from_base64(text), plain);
  }
  EXPECT_EQ(from_base64("Zm9v!"), std::nullopt);
}

TEST(Report, HoldsEveryLinkWhereTheKinematicsPutIt) {
  const Motion motion = example_motion(31, 1.0 / 30);
  const std::string page = report_of({entry_of(motion)});
  const json entry = block(page, "legwork-entry-0"), body = block(page, "legwork-body-0");
  ASSERT_EQ(entry["frames"], 31);
  const std::vector<float> poses = floats(entry["poses"]);
  std::vector<int> drawn;
  for (std::size_t k = 0; k < motion.creature.links.size(); ++k)
    if (!motion.creature.links[k].shapes.empty()) drawn.push_back(int(k));
  ASSERT_EQ(body["links"].size(), drawn.size());
  ASSERT_EQ(poses.size(), 31 * drawn.size() * 7);

  const Model<double> model = make_model(motion.creature);
  Workspace<double> w(model);
  for (int f = 0; f < 31; ++f) {
    update_positions(model, motion.q.data() + std::size_t(f) * model.nq, w);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      const float* pose = poses.data() + 7 * (std::size_t(f) * drawn.size() + k);
      const Mat3d R = matrix(Quatd{pose[6], pose[3], pose[4], pose[5]});
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(pose[i], w.p[drawn[k]][i], 1e-5);
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(R(i, j), w.R[drawn[k]](i, j), 1e-5);
      }
    }
  }
}

TEST(Report, ResamplesToItsRateAndShowsTheLastFrame) {
  const Motion motion = walk({.seconds = 1.01, .rate = 200});
  const json entry = block(report_of({entry_of(motion)}), "legwork-entry-0");
  EXPECT_EQ(entry["frames"], 62);
  EXPECT_NEAR(entry["rate"].get<double>(), 61 / 1.01, 1e-9);
  const json slow = block(report_of({entry_of(motion)}, {.rate = 10}), "legwork-entry-0");
  EXPECT_EQ(slow["frames"], 11);
}

TEST(Report, PlotsSpeedForcesAndAnglesOfAKnownWalk) {
  const Motion motion = walk(trot);
  const json entry = block(report_of({entry_of(motion)}), "legwork-entry-0");
  for (const float v : series(entry, "speed", "over a stride")) EXPECT_NEAR(v, 0.5, 0.002);
  for (const float angle : series(entry, "orientation", "pitch")) EXPECT_NEAR(angle, 0, 1e-5);
  const std::vector<float> hip = series(entry, "joints", "lf_hip"), force = series(entry, "forces", "lf");
  const double weight = 9.81 * motion.creature.mass();
  for (int i = 0; i < entry["frames"].get<int>(); ++i) {
    EXPECT_NEAR(hip[i], motion.q[std::size_t(4 * i) * 15 + 7] * 180 / M_PI, 1e-3);
    double sum = 0;
    for (const char* leg : {"lf", "rf", "lh", "rh"}) sum += series(entry, "forces", leg)[i];
    EXPECT_NEAR(sum, weight, 0.01 * weight);
  }
  EXPECT_EQ(force.size(), hip.size());
}

TEST(Report, JointsStandLimbByLimbLeftBesideRightAFewInEachPlot) {
  const Motion motion = walk(trot);
  const json entry = block(report_of({entry_of(motion)}), "legwork-entry-0");
  std::vector<std::string> told;
  for (const json& plot : entry["channels"])
    if (plot["id"] == "joints")
      for (const json& group : plot["groups"]) {
        EXPECT_LE(group["series"].size(), 4u);
        told.push_back(group["row"].get<std::string>() + ": " + group["name"].get<std::string>() + " " +
                       std::to_string(group["scale"].get<int>()));
      }
  EXPECT_EQ(told, (std::vector<std::string>{"fore legs: lf 0", "fore legs: rf 0", "hind legs: lh 1",
                                            "hind legs: rh 1"}));
}

TEST(Report, JointsThatHardlyMoveAreNamedNotDrawn) {
  const Motion wagging = walk({.tail = 1, .seconds = 2});
  Motion motion = wagging;
  for (int f = 0; f < motion.frames(); ++f) motion.q[std::size_t((f + 1) * motion.creature.nq() - 1)] = 0;
  const auto joints = [](const Motion& m) {
    const json entry = block(report_of({entry_of(m)}), "legwork-entry-0");
    for (const json& plot : entry["channels"])
      if (plot["id"] == "joints") return plot;
    return json();
  };
  const std::string tail = motion.creature.links.back().joints[0].name;
  EXPECT_EQ(joints(motion)["note"], "Not shown, since they hardly change: " + tail + ".");
  EXPECT_EQ(joints(wagging)["note"], "");
  EXPECT_EQ(joints(wagging)["groups"].size(), joints(motion)["groups"].size() + 1);
}

// "row: limb limb" of every row.
std::vector<std::string> rows_of(const Creature& creature) {
  std::vector<std::string> rows;
  std::string row;
  for (const Limb& limb : limbs_of(creature)) {
    if (limb.row != row) rows.push_back(limb.row + ":");
    row = limb.row;
    rows.back() += " " + limb.name;
  }
  return rows;
}

TEST(Limbs, AreLegsByGirdleThenTrunkAndChains) {
  EXPECT_EQ(rows_of(walker_body({.pairs = 3})),
            (std::vector<std::string>{"fore legs: lf rf", "mid legs: lm rm", "hind legs: lh rh"}));
  // every joint of a shipped body is in one limb
  for (const std::string name : {"dog", "human", "roach", "wills_reptile", "newt", "octopod"}) {
    SCOPED_TRACE(name);
    const Creature c = load_creature(name);
    std::vector<int> seen(c.links.size());
    for (const Limb& limb : limbs_of(c))
      for (const int link : limb.links) ++seen[std::size_t(link)];
    for (std::size_t k = 0; k < seen.size(); ++k) {
      bool moves = false;
      for (const Joint& joint : c.links[k].joints) moves |= joint.type != JointType::free && nv(joint) > 0;
      EXPECT_LE(seen[k], 1) << c.links[k].name;
      if (moves) EXPECT_EQ(seen[k], 1) << c.links[k].name;
    }
  }
}

TEST(Limbs, ArmsThatMirrorEachOtherArePairs) {
  const std::vector<std::string> rows = rows_of(load_creature("human"));
  EXPECT_EQ(rows[0], "legs: l r");
  EXPECT_NE(std::find(rows.begin(), rows.end(), "upper_arm: l_upper_arm r_upper_arm"), rows.end())
      << ::testing::PrintToString(rows);
}

TEST(Report, DrawsStancesAndTracksInHildebrandsOrder) {
  const Motion motion = walk(trot);
  const json entry = block(report_of({entry_of(motion)}), "legwork-entry-0");
  std::vector<std::string> names;
  for (const json& leg : entry["legs"]) names.push_back(leg["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"lh", "lf", "rf", "rh"}));
  for (const json& leg : entry["stance"])
    for (const json& bar : leg) {
      const double down = bar[0], up = bar[1];
      if (down > 0 && up < 4) EXPECT_NEAR(up - down, trot.duty * trot.period, 2.0 / trot.rate);
    }
  // landings of one foot lie a stride apart, on the ground
  std::vector<double> x;
  for (const json& track : entry["tracks"]) {
    EXPECT_EQ(track["point"][2], 0);
    if (track["leg"] == 1 && track["time"] > 0) x.push_back(track["point"][0]);
  }
  ASSERT_GE(x.size(), 3u);
  for (std::size_t k = 1; k < x.size(); ++k) EXPECT_NEAR(x[k] - x[k - 1], 0.4, 0.003);
}

TEST(Report, TellsTheGaitsMeasuresLegByLeg) {
  const Motion motion = walk({.phase = {0.25, 0.75, 0, 0.5}, .seconds = 8});
  const std::string page = report_of({entry_of(motion)});
  const json entry = block(page, "legwork-entry-0");
  EXPECT_EQ(entry["measures"][0]["value"], "walk");
  EXPECT_EQ(block(page, "legwork-report")["entries"][0]["brief"].get<std::string>().substr(0, 4), "walk");
  const json& table = entry["legMeasures"];
  ASSERT_EQ(table["columns"][1]["name"], "phase");
  const double phases[] = {0, 0.75, 0.25, 0.5};  // lh lf rf rh; a later touch-down is a lower share above
  for (int row = 0; row < 4; ++row) {
    EXPECT_NEAR(table["rows"][row][0].get<double>(), 0.62, 0.01);
    EXPECT_NEAR(table["rows"][row][1].get<double>(), phases[row], 0.01);
  }
}

TEST(Report, ShowsAGivenGaitInsteadOfMeasuringOne) {
  const Motion motion = walk(trot);
  Gait gait = measure_gait(motion);
  gait.name = "prance";
  ReportEntry entry = entry_of(motion);
  entry.gait = &gait;
  EXPECT_EQ(block(report_of({entry}), "legwork-entry-0")["measures"][0]["value"], "prance");
}

TEST(Report, HoldsABodyOnceForAllItsMotions) {
  const Motion a = walk(trot), b = walk({.name = "hound", .phase = {0, 0, 0.5, 0.5}}), c = walk({.pairs = 3});
  const std::string page = report_of({entry_of(a), entry_of(b), entry_of(c)});
  EXPECT_EQ(block(page, "legwork-entry-0")["body"], 0);
  EXPECT_EQ(block(page, "legwork-entry-1")["body"], 0);
  EXPECT_EQ(block(page, "legwork-entry-2")["body"], 1);
  EXPECT_EQ(page.find("id=\"legwork-body-2\""), page.npos);
  EXPECT_EQ(block(page, "legwork-report")["entries"].size(), 3u);
}

TEST(Report, StaysUnderItsSizeByLoweringTheRate) {
  const Motion motion = walk({.pairs = 8, .seconds = 20});
  std::vector<ReportEntry> entries(10, entry_of(motion));
  const std::string page = report_of(entries);
  EXPECT_LT(page.size(), 10e6);
  EXPECT_GT(page.size(), 8e6);
  const double rate = block(page, "legwork-entry-0")["rate"];
  EXPECT_LT(rate, 60);
  EXPECT_GT(rate, 15);
}

TEST(Report, EndsADivergedMotionBeforeItsFirstBrokenFrame) {
  Motion motion = walk({.seconds = 2, .rate = 60});
  motion.q[std::size_t(60 * motion.creature.nq() + 9)] = std::numeric_limits<double>::quiet_NaN();
  motion.status = Status::diverged;
  const json entry = block(report_of({entry_of(motion)}), "legwork-entry-0");
  EXPECT_EQ(entry["frames"], 60);
  EXPECT_EQ(entry["status"]["name"], "diverged");
  for (const float x : floats(entry["poses"])) EXPECT_TRUE(std::isfinite(x));
}

TEST(Report, TellsHowItWasMadeEvenWithHostileText) {
  Motion motion = walk({.seconds = 1});
  motion.made.seed = 0xFFFFFFFFFFFFFFFFull;
  motion.made.options = "note = \"</script><!-- \xff\"\n";
  ReportEntry entry = entry_of(motion);
  entry.title = "</title><script>alert(1)</script>";
  const std::string page = report_of({entry});
  EXPECT_EQ(page.find("<script>alert"), page.npos);
  EXPECT_NE(page.find("<title>&lt;/title>&lt;script>alert(1)&lt;/script></title>"), page.npos);
  const json made = block(page, "legwork-entry-0")["made"];
  EXPECT_EQ(made["seed"], "18446744073709551615");
  EXPECT_EQ(made["options"], "note = \"</script><!-- \xEF\xBF\xBD\"\n");
}

TEST(Report, PanelsKeepTheirNumbers) {
  const Motion motion = walk({.seconds = 1});
  ReportEntry entry = entry_of(motion);
  entry.account.panels = {{"t", "", TablePanel{{"a", "b"}, {{1.5, "x"}}}},
                          {"p", "", PlotPanel{"x", "y", {1, 2}, {{"s", {3, 4}}}, true}},
                          {"c", "", PointsPanel{{{"foot", {{1, 2, 3}}, {0.5}}}, "m"}},
                          {"i", "", ImagePanel{"\x89PNG"}}};
  const json panels = block(report_of({entry}), "legwork-entry-0")["panels"];
  EXPECT_EQ(panels[0]["data"]["rows"], json::parse(R"([[1.5,"x"]])"));
  EXPECT_EQ(floats(panels[1]["data"]["series"][0]["values"]), (std::vector<float>{3, 4}));
  EXPECT_EQ(panels[1]["data"]["style"], "dots");
  EXPECT_EQ(floats(panels[2]["data"]["sets"][0]["points"]), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(panels[3]["data"]["png"], "iVBORw==");
}

TEST(Report, WhatTheMethodSaysStandsThereAsSentences) {
  const Motion motion = walk({.seconds = 1});
  ReportEntry entry = entry_of(motion);
  entry.account.statements = {
      {"it walks"}, {"Is it tired?"}, {"steps", {"##.."}, true}, {"feet hold", {"a line"}}};
  const json told = block(report_of({entry}), "legwork-entry-0");
  EXPECT_EQ(told["sentences"], (json{"It walks.", "Is it tired?", "Feet hold."}));
  EXPECT_EQ(told["text"], "It walks. Is it tired? Feet hold.");
}

TEST(Report, AMotionFileCarriesItsAccountToAnyPage) {
  const Scratch scratch;
  Motion motion = walk({.seconds = 1});
  motion.contact_force.clear();  // of made-up contacts, which no file keeps
  ReportEntry entry = entry_of(motion);
  entry.account = {"",
                   {{"it walks"}, {"feet hold"}},
                   {{"speed", "Speed", 0.5, "m/s", "of the root", true},
                    {"gap", "Gap", std::nan(""), "m", "unknown", false}},
                   {{"t", "why", TablePanel{{"a", "b"}, {{1.5, "x"}}}},
                    {"c", "", PointsPanel{{{"foot", {{1, 2, 3}}, {0.5}}}, "m"}}}};
  write_glb(motion, scratch / "m.glb", {.account = entry.account});
  ReportEntry again = entry_of(motion);
  read_glb(scratch / "m.glb", &again.account);
  EXPECT_EQ(report_of({again}), report_of({entry}));

  write_glb(motion, scratch / "plain.glb");
  Account none;
  read_glb(scratch / "plain.glb", &none);
  EXPECT_TRUE(none.panels.empty());
}

TEST(Report, RefusesWhatItCannotShowAndWritesNothing) {
  const Scratch scratch;
  const std::string path = scratch / "report.html";
  const auto message = [&](const std::vector<ReportEntry>& entries, const ReportOptions& options = {}) {
    try {
      write_report(entries, path, options);
    } catch (const Error& e) {
      return std::string(e.what()).substr(path.size());
    }
    return std::string("no error");
  };
  Motion empty;
  empty.creature = walker_body({});
  EXPECT_EQ(message({}), ": report: there is no motion to show");
  EXPECT_EQ(message({entry_of(empty)}),
            ": the motion has no frames, so there is nothing to write; record some time");
  Motion broken = walk({.name = "hound", .seconds = 1});
  EXPECT_EQ(message({entry_of(broken)}, {.rate = 0}),
            ": report: rate: 0 Hz is no frame rate; give one above 0");
  broken.q[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message({entry_of(broken)}),
            ": hound, walk: its first frame is not finite, so there is nothing to show");
  EXPECT_FALSE(std::filesystem::exists(path));
}

// Height of the mesh's triangles over a point, seen from above.
double mesh_height(const GroundMesh& mesh, double x, double y) {
  double best = -1e30;
  for (const auto& t : mesh.triangles) {
    const auto &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area < 1e-12) continue;  // a riser
    const double v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
    const double w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
    if (v < -1e-6 || w < -1e-6 || v + w > 1 + 1e-6) continue;
    best = std::max(best, a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2]));
  }
  return best;
}

TEST(ReportGround, LiesWhereTheTerrainIs) {
  for (const Terrain& terrain : {slope_terrain(0.2), steps_terrain(0.1, 0.35), steps_terrain(-0.1, 0.35),
                                 formula_terrain("0.2*sin(2*x)*cos(3*y)", 0.1, 6)}) {
    SCOPED_TRACE(terrain.spec);
    const GroundMesh mesh = ground_mesh(terrain, {-2, -1.5, 0}, {3, 1.5, 0});
    for (double x = -1.97; x < 3; x += 0.3137)
      for (double y = -1.41; y < 1.5; y += 0.37)
        EXPECT_NEAR(mesh_height(mesh, x, y), sample(terrain, x, y).height, 1e-5) << x << " " << y;
  }
}

}  // namespace
}  // namespace legwork
