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

#include <cctype>
#include <charconv>

#include <legwork/files.h>
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/frames.h"
#include "motion/resample.h"
#include "motion/stance_channel.h"

namespace legwork {

namespace {

struct Column {
  std::string csv, sto, unit;
};

struct Table {
  std::vector<Column> columns;
  std::vector<double> values;  // rows x columns
};

constexpr const char* axis_names[] = {"x", "y", "z"};

// What a coordinate measures. A keyframed one has no unit: -1, 0 and 1 are its keyframes.
enum Measure { angle, length, share };
constexpr const char* position_units[] = {"rad", "m", "1"};
constexpr const char* speed_units[] = {"rad/s", "m/s", "1/s"};
constexpr const char* force_units[] = {"N m", "N", "J"};

// One for each degree of freedom.
struct Freedom {
  std::string name, joint;
  Measure measure;
};

std::string or_else(const std::string& name, const std::string& other) { return name.empty() ? other : name; }

Measure measure_of(JointType type, int i) {
  if (type == JointType::keyframed) return share;
  if (type == JointType::slide) return length;
  if (type == JointType::free) return i < 3 ? length : angle;
  if (type == JointType::planar) return i < 2 ? length : angle;
  return angle;
}

std::vector<Freedom> freedoms_of(const Creature& creature) {
  std::vector<Freedom> all;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints)
      for (int i = 0; i < nv(joint); ++i) {
        const std::string name = or_else(joint.name, link.name);
        const bool named = std::size_t(i) < joint.dofs.size() && !joint.dofs[i].name.empty();
        all.push_back(
            {named ? joint.dofs[i].name : name + "." + std::to_string(i), name, measure_of(joint.type, i)});
      }
  return all;
}

void add_positions(Table& t, const Creature& creature) {
  const std::vector<Freedom> freedoms = freedoms_of(creature);
  std::size_t dof = 0;
  for (const Link& link : creature.links)
    for (const Joint& joint : link.joints) {
      const std::string name = or_else(joint.name, link.name), path = "/jointset/" + name + "/";
      const bool free = joint.type == JointType::free, ball = joint.type == JointType::ball;
      for (int i = 0; free && i < 3; ++i)
        t.columns.push_back(
            {"q." + name + "." + axis_names[i], path + freedoms[dof + i].name + "/value", "m"});
      for (const char* part : {"w", "x", "y", "z"})
        if (free || ball)
          t.columns.push_back({"q." + name + ".q" + part, path + name + "/value_" + part, "1"});
      for (int i = 0; !free && !ball && i < nv(joint); ++i) {
        const Freedom& f = freedoms[dof + i];
        t.columns.push_back({"q." + f.name, path + f.name + "/value", position_units[f.measure]});
      }
      dof += std::size_t(nv(joint));
    }
}

void add_freedoms(Table& t, const Creature& creature, const char* csv, const char* sto,
                  const char* const* units) {
  for (const Freedom& f : freedoms_of(creature))
    t.columns.push_back({std::string(csv) + "." + f.name, "/jointset/" + f.joint + "/" + f.name + "/" + sto,
                         units[f.measure]});
}

void add_vector(Table& t, const std::string& csv, const std::string& sto, const char* unit) {
  for (const char* axis : axis_names) t.columns.push_back({csv + "." + axis, sto + axis, unit});
}

void add_columns(Table& t, const Motion& motion, bool contact_places) {
  const Creature& creature = motion.creature;
  t.columns.push_back({"time", "time", "s"});
  add_positions(t, creature);
  if (!motion.v.empty()) add_freedoms(t, creature, "v", "speed", speed_units);
  if (!motion.tau.empty()) add_freedoms(t, creature, "tau", "torque", force_units);
  add_vector(t, "com", "com_", "m");
  for (std::size_t i = 0; i < creature.contacts.size() && !motion.contact_force.empty(); ++i) {
    const std::string name = or_else(creature.contacts[i].name, "contact" + std::to_string(i));
    add_vector(t, "force." + name, name + "_force_v", "N");
    if (contact_places) add_vector(t, "place." + name, name + "_force_p", "m");
  }
  const Channel* stance = stance_channel(motion);
  for (const Channel& c : motion.channels)
    for (int i = 0; i < c.width; ++i) {
      const std::string part = &c == stance   ? creature.legs[std::size_t(i)].name
                               : c.width == 1 ? ""
                               : c.width == 3 ? axis_names[i]
                                              : std::to_string(i);
      t.columns.push_back(
          {c.name + (part.empty() ? "" : "." + part), c.name + (part.empty() ? "" : "_" + part), c.unit});
    }
}

Table make_table(const Motion& motion, double rate, bool contact_places) {
  Table t;
  add_columns(t, motion, contact_places);
  const Model<double> model = make_model(motion.creature);
  Workspace<double> w(model);
  Sampler sampler(model, motion);
  const std::vector<double> times = sample_times(motion, rate);
  const std::size_t width = t.columns.size();
  const int contacts = int(motion.creature.contacts.size());
  std::vector<double> force(std::size_t(3 * contacts));
  t.values.resize(times.size() * width);
  double* out = t.values.data();
  const auto put = [&](const Vec3d& v) { *out++ = v.x, *out++ = v.y, *out++ = v.z; };
  const auto copy = [&](const std::vector<double>& rows, int columns) {
    if (rows.empty()) return;
    sampler.values(rows, columns, out);
    out += columns;
  };
  for (const double time : times) {
    *out++ = time;
    sampler.at(time);
    sampler.positions(out);
    update_positions(model, out, w);
    out += model.nq;
    copy(motion.v, model.nv);
    copy(motion.tau, model.nv);
    put(center_of_mass(model, w));
    if (!motion.contact_force.empty()) sampler.values(motion.contact_force, 3 * contacts, force.data());
    for (int i = 0; i < contacts && !motion.contact_force.empty(); ++i) {
      const ContactPoint& contact = motion.creature.contacts[i];
      put({force[3 * i], force[3 * i + 1], force[3 * i + 2]});
      if (contact_places) put(point_position(w, contact.link, contact.pos));
    }
    for (const Channel& c : motion.channels) copy(c.values, c.width);
  }
  return t;
}

// Quoted where RFC 4180 asks for it.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// OpenSim's labels have no white space.
std::string sto_label(std::string text) {
  for (char& c : text)
    if (std::isspace(static_cast<unsigned char>(c))) c = '_';
  return text;
}

void write_rows(const Table& t, char separator, FileWriter& file) {
  const std::size_t width = t.columns.size();
  char buffer[40];
  for (std::size_t i = 0; i < t.values.size(); ++i) {
    char* end = std::to_chars(buffer, buffer + 32, t.values[i]).ptr;
    *end++ = (i + 1) % width == 0 ? '\n' : separator;
    file.write(buffer, std::size_t(end - buffer));
  }
}

}  // namespace

void write_csv(const Motion& motion, const std::string& path, const TableOptions& options) {
  check_writable(motion, path, options.rate);
  FileWriter file(path);
  const Table t = make_table(motion, options.rate, false);
  std::string head;
  for (const Column& c : t.columns)
    head += (head.empty() ? "" : ",") + csv_cell(c.csv + (c.unit.empty() ? "" : " [" + c.unit + "]"));
  file.write(head + "\n");
  write_rows(t, ',', file);
  file.commit();
}

void write_sto(const Motion& motion, const std::string& path, const TableOptions& options) {
  check_writable(motion, path, options.rate);
  FileWriter file(path);
  const Table t = make_table(motion, options.rate, true);
  const std::size_t width = t.columns.size();
  std::string head = sto_label(or_else(motion.creature.name, "motion")) +
                     "\nversion=1\nnRows=" + std::to_string(t.values.size() / width) +
                     "\nnColumns=" + std::to_string(width) +
                     "\ninDegrees=no\nunits=SI\naxes=x_forward_y_left_z_up\nendheader\n";
  for (std::size_t i = 0; i < width; ++i) head += (i == 0 ? "" : "\t") + sto_label(t.columns[i].sto);
  file.write(head + "\n");
  write_rows(t, '\t', file);
  file.commit();
}

}  // namespace legwork
