#include <legwork/files.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "tests/scenes/error_of.h"
#include "tests/scenes/example_motion.h"
#include "tests/scenes/scratch.h"

namespace legwork {
namespace {

// Columns by name, read as any script would.
struct Read {
  std::vector<std::string> header, names;
  std::map<std::string, std::vector<double>> columns;
};

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, separator);) cells.push_back(cell);
  return cells;
}

Read read_table(const std::string& path, char separator) {
  Read table;
  std::istringstream in(read_file(path));
  std::string line;
  while (separator == '\t' && std::getline(in, line) && line != "endheader") table.header.push_back(line);
  std::getline(in, line);
  table.names = split(line, separator);
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line, separator);
    EXPECT_EQ(cells.size(), table.names.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      table.columns[table.names[i]].push_back(std::strtod(cells[i].c_str(), nullptr));
  }
  return table;
}

TEST(Table, CsvNamesEveryColumnWithItsUnit) {
  const Scratch scratch;
  write_csv(example_motion(3), scratch / "a.csv");
  const std::string text = read_file(scratch / "a.csv");
  const std::string head = text.substr(0, text.find('\n'));
  EXPECT_EQ(
      head,
      "time [s],q.root.x [m],q.root.y [m],q.root.z [m],q.root.qw [1],q.root.qx [1],q.root.qy [1],q.root.qz "
      "[1],"
      "q.hip.qw [1],q.hip.qx [1],q.hip.qy [1],q.hip.qz [1],q.knee [rad],q.ankle_0 [rad],q.ankle_1 [rad],"
      "q.tail [m],q.wing_0 [1],q.wing_1 [1],q.cart_0 [m],q.cart_1 [m],q.cart_2 [rad],q.yaw [rad],q.pitch "
      "[rad],"
      "v.root_0 [m/s],v.root_1 [m/s],v.root_2 [m/s],v.root_3 [rad/s],v.root_4 [rad/s],v.root_5 [rad/s],"
      "v.hip_0 [rad/s],v.hip_1 [rad/s],v.hip_2 [rad/s],v.knee [rad/s],v.ankle_0 [rad/s],v.ankle_1 [rad/s],"
      "v.tail [m/s],v.wing_0 [1/s],v.wing_1 [1/s],v.cart_0 [m/s],v.cart_1 [m/s],v.cart_2 [rad/s],v.yaw "
      "[rad/s],"
      "v.pitch [rad/s],tau.root_0 [N],tau.root_1 [N],tau.root_2 [N],tau.root_3 [N m],tau.root_4 [N m],"
      "tau.root_5 [N m],tau.hip_0 [N m],tau.hip_1 [N m],tau.hip_2 [N m],tau.knee [N m],tau.ankle_0 [N m],"
      "tau.ankle_1 [N m],tau.tail [N],tau.wing_0 [J],tau.wing_1 [J],tau.cart_0 [N],tau.cart_1 [N],"
      "tau.cart_2 [N m],tau.yaw [N m],tau.pitch [N m],com.x [m],com.y [m],com.z [m],force.sole.x [N],"
      "force.sole.y [N],force.sole.z [N],force.tip.x [N],force.tip.y [N],force.tip.z [N],speed [m/s],"
      "wind.x [m/s],wind.y [m/s],wind.z [m/s]");
}

TEST(Table, CsvNumbersReadBackAsTheSameDoubles) {
  const Scratch scratch;
  const Motion m = example_motion(20);
  write_csv(m, scratch / "a.csv");
  const Read t = read_table(scratch / "a.csv", ',');
  const std::size_t nq = std::size_t(m.creature.nq()), nv = std::size_t(m.creature.nv());
  const Model<double> model = make_model(m.creature);
  Workspace<double> w(model);
  for (std::size_t f = 0; f < 20; ++f) {
    EXPECT_EQ(t.columns.at("time [s]")[f], m.time[f]);
    for (std::size_t i = 0; i < nq; ++i) EXPECT_EQ(t.columns.at(t.names[1 + i])[f], m.q[f * nq + i]);
    for (std::size_t i = 0; i < nv; ++i) EXPECT_EQ(t.columns.at(t.names[1 + nq + i])[f], m.v[f * nv + i]);
    for (std::size_t i = 0; i < nv; ++i)
      EXPECT_EQ(t.columns.at(t.names[1 + nq + nv + i])[f], m.tau[f * nv + i]);
    EXPECT_EQ(t.columns.at("force.tip.y [N]")[f], m.contact_force[f * 6 + 4]);
    EXPECT_EQ(t.columns.at("wind.z [m/s]")[f], -1e-310);
    update_positions(model, m.q.data() + f * nq, w);
    EXPECT_EQ(t.columns.at("com.z [m]")[f], center_of_mass(model, w).z);
  }
  EXPECT_TRUE(std::isnan(t.columns.at("speed [m/s]")[1]));
}

TEST(Table, CsvLeavesOutWhatTheMotionDoesNotHaveAndTakesARate) {
  const Scratch scratch;
  Motion m = example_motion(101);
  m.v.clear(), m.tau.clear(), m.contact_force.clear(), m.channels.clear();
  write_csv(m, scratch / "a.csv", {10});
  const Read t = read_table(scratch / "a.csv", ',');
  EXPECT_EQ(t.names.size(), std::size_t(1 + m.creature.nq() + 3));
  EXPECT_EQ(t.columns.at("time [s]").size(), 11u);
}

TEST(Table, StancesAreNamedByTheirLegs) {
  const Scratch scratch;
  Motion m = example_motion(2);
  m.creature.legs.resize(3);
  for (std::size_t k = 0; k < 3; ++k) m.creature.legs[k].name = std::string(1, char('a' + k));
  m.channels = {{"stance", "1", 3, {0, 0, 1, 1, 0, 0}}};
  write_csv(m, scratch / "a.csv");
  const Read t = read_table(scratch / "a.csv", ',');
  EXPECT_EQ(t.columns.at("stance.c [1]"), (std::vector<double>{1, 0}));
  EXPECT_EQ(t.columns.at("stance.a [1]"), (std::vector<double>{0, 1}));
}

TEST(Table, CsvQuotesNamesWithCommasAndQuotes) {
  const Scratch scratch;
  Motion m = example_motion(1);
  m.channels[0].name = "a, \"b\"";
  write_csv(m, scratch / "a.csv");
  EXPECT_NE(read_file(scratch / "a.csv").find(",\"a, \"\"b\"\" [m/s]\","), std::string::npos);
}

TEST(Table, StoIsWhatOpenSimReads) {
  const Scratch scratch;
  Motion m = example_motion(4);
  m.channels[0].name = "walking speed";
  write_sto(m, scratch / "a.sto");
  const Read t = read_table(scratch / "a.sto", '\t');
  EXPECT_EQ(t.header, (std::vector<std::string>{"everything", "version=1", "nRows=4",
                                                "nColumns=" + std::to_string(t.names.size()), "inDegrees=no",
                                                "units=SI", "axes=x_forward_y_left_z_up"}));
  EXPECT_EQ(t.names[0], "time");
  EXPECT_EQ(std::set<std::string>(t.names.begin(), t.names.end()).size(), t.names.size());
  const std::size_t nq = std::size_t(m.creature.nq()), nv = std::size_t(m.creature.nv());
  const std::size_t knee = std::size_t(m.creature.dof("knee"));
  EXPECT_EQ(t.columns.at("/jointset/root/root_2/value")[3], m.q[3 * nq + 2]);
  EXPECT_EQ(t.columns.at("/jointset/root/root/value_w")[3], m.q[3 * nq + 3]);
  EXPECT_EQ(t.columns.at("/jointset/knee/knee/value")[3], m.q[3 * nq + 11]);
  EXPECT_EQ(t.columns.at("/jointset/knee/knee/speed")[3], m.v[3 * nv + knee]);
  EXPECT_EQ(t.columns.at("/jointset/knee/knee/torque")[3], m.tau[3 * nv + knee]);
  EXPECT_EQ(t.columns.at("sole_force_vz")[3], m.contact_force[3 * 6 + 2]);
  EXPECT_EQ(t.columns.at("walking_speed")[3], 0.1);
  const Model<double> model = make_model(m.creature);
  Workspace<double> w(model);
  update_positions(model, m.q.data() + 3 * nq, w);
  const ContactPoint& sole = m.creature.contacts[0];
  EXPECT_EQ(t.columns.at("sole_force_pz")[3], point_position(w, sole.link, sole.pos).z);
}

TEST(Table, BadMotionsAreRefusedAndNothingIsWritten) {
  const Scratch scratch;
  EXPECT_EQ(error_of([&] { write_csv(example_motion(0), scratch / "a.csv"); }),
            scratch / "a.csv" +
                std::string(": the motion has no frames, so there is nothing to write; record some time"));
  EXPECT_EQ(
      error_of([&] { write_sto(example_motion(1), scratch / "a.sto", {1e9}); }),
      scratch / "a.sto" +
          std::string(": rate: 1e+09 Hz is no frame rate; give one up to 100000, or 0 for every frame"));
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace legwork
