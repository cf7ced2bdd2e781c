#pragma once
// A motion as columns of numbers: .csv for spreadsheets and scripts, .sto for OpenSim.
//
// Columns, as far as the motion has them: time; q.NAME of every coordinate (a ball joint's quaternion as
// .qw .qx .qy .qz, a free joint as .x .y .z and its quaternion); v.NAME and tau.NAME of every degree of
// freedom; com.x .y .z; force.CONTACT.x .y .z; every channel. Legwork's axes: Z up, X forward, Y left; SI
// units and radians. Numbers are the shortest that read back as the same double.
//   .csv  first line the names with units, as in "q.knee [rad]"; commas, RFC 4180.
//   .sto  OpenSim's storage: header with nRows, nColumns and inDegrees=no; tabs; joints by OpenSim's paths
//         /jointset/JOINT/DOF/value, /speed and /torque (a quaternion: value_w ... value_z), contacts as
//         CONTACT_force_vx ... and CONTACT_force_px ... (where the force acts).

#include <string>
#include <vector>

#include <legwork/motion.h>

namespace legwork {

struct TableOptions {
  double rate = 0;  // Hz; 0 = the recorded frames
};

void write_csv(const Motion& motion, const std::string& path, const TableOptions& options = {});
void write_sto(const Motion& motion, const std::string& path, const TableOptions& options = {});

}  // namespace legwork
