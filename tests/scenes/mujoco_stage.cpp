#include "tests/scenes/mujoco_stage.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <legwork/gait.h>
#include "base/text.h"
#include "creature/place.h"
#include "creature/scale.h"
#include "formats/mjcf/mjcf_write.h"

namespace legwork {

namespace {

constexpr double least_ball = 0.01;  // h
constexpr int stairs = 200;
constexpr int most_touches = 300;  // at a time; MuJoCo's memory grows with their square

std::string words(std::initializer_list<double> numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : " ") + to_text(x);
  return text;
}

// The contact points of each link, in order.
std::vector<std::vector<int>> points_of_links(const Creature& body) {
  std::vector<std::vector<int>> points(body.links.size());
  for (std::size_t i = 0; i < body.contacts.size(); ++i)
    points[std::size_t(body.contacts[i].link)].push_back(int(i));
  return points;
}

// The body as MuJoCo gets it: balls for shapes, 1 kg in all, and passive forces only where they are wanted.
Creature stripped(Creature body, double h, const MujocoStageOptions& options) {
  const bool passive = options.passive, damped = !options.dampers.empty();
  std::size_t at = 0;  // among all degrees of freedom
  const std::vector<LinkFrame> standing = place(body, body.pose("stand"));
  const std::vector<std::vector<int>> points = points_of_links(body);
  const double factor = 1 / body.mass();
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    Link& link = body.links[i];
    scale_mass(link, factor);
    link.shapes.clear();
    const Vec3d up = transpose_times(standing[i].R, Vec3d(0, 0, 1));
    for (const int p : points[i]) {
      const ContactPoint& point = body.contacts[std::size_t(p)];
      Shape ball;
      ball.type = ShapeType::sphere;
      ball.size.x = std::max(point.radius, least_ball * h);
      ball.pos = point.pos + up * (ball.size.x - point.radius);
      link.shapes.push_back(ball);
    }
    for (Joint& joint : link.joints) {
      double mean = 0;
      for (std::size_t k = 0; damped && k < joint.dofs.size(); ++k)
        mean += options.dampers[at + k] / double(joint.dofs.size());
      for (Dof& dof : joint.dofs) {
        dof.armature *= factor;
        dof.friction *= factor;
        dof.damper = passive ? dof.damper * factor : 0;
        dof.spring.stiffness *= factor;
        if (!passive) dof.spring = {};
        if (!passive && damped)
          dof.damper = factor * (joint.type == JointType::ball ? mean : options.dampers[at]);
        if (!passive && !damped) dof.lower = -unlimited, dof.upper = unlimited;
        ++at;
      }
    }
  }
  body.actuators.clear();
  body.sensors.clear();
  body.attachments.clear();
  return body;
}

std::string ground_geom(const std::string& what) {
  return "    <geom name=\"ground\" contype=\"0\" conaffinity=\"1\" " + what + "/>\n";
}
// A tread in a body of its own, so that MuJoCo looks only at those that are near.
std::string tread(double x0, double x1, double top, double h, int number) {
  const double depth = 2 * h, width = 8 * h;  // what is small is far from most
  return "    <body name=\"ground" + std::to_string(number) +
         "\"><geom contype=\"0\" conaffinity=\"1\" type=\"box\" size=\"" +
         words({(x1 - x0) / 2, width, depth / 2}) + "\" pos=\"" + words({(x0 + x1) / 2, 0, top - depth / 2}) +
         "\"/></body>\n";
}

struct Heights {
  double low = 0, high = 1;
};
Heights heights_of(const HeightGrid& grid, double h) {
  const auto [low, high] = std::minmax_element(grid.height.begin(), grid.height.end());
  return {*low, std::max(*high, *low + 1e-6 * h)};
}

// What stands in place of the plane that write_mjcf lays.
std::string ground_text(const Terrain& t, double h) {
  switch (t.type) {
    case TerrainType::none:
      return {};
    case TerrainType::plane:
    case TerrainType::slope:
      return ground_geom("type=\"plane\" size=\"0 0 1\" pos=\"" + words({0, 0, t.height}) + "\" zaxis=\"" +
                         words({t.normal.x, t.normal.y, t.normal.z}) + "\"");
    case TerrainType::steps: {
      std::string text = tread(t.run - 30 * h, t.run, 0, h, 0);
      for (int k = 1; k <= stairs; ++k) text += tread(k * t.run, (k + 1) * t.run, k * t.rise, h, k);
      return text;
    }
    case TerrainType::field: {
      const HeightGrid& g = t.grid;
      const Vec3d middle(g.x0 + 0.5 * (g.nx - 1) * g.cell, g.y0 + 0.5 * (g.ny - 1) * g.cell,
                         heights_of(g, h).low);
      return ground_geom("type=\"hfield\" hfield=\"ground\" pos=\"" + words({middle.x, middle.y, middle.z}) +
                         "\"");
    }
  }
  return {};
}

std::string asset_text(const Terrain& t, double h) {
  if (t.type != TerrainType::field) return {};
  const HeightGrid& g = t.grid;
  const Heights heights = heights_of(g, h);
  return "  <asset>\n    <hfield name=\"ground\" nrow=\"" + std::to_string(g.ny) + "\" ncol=\"" +
         std::to_string(g.nx) + "\" size=\"" +
         words({0.5 * (g.nx - 1) * g.cell, 0.5 * (g.ny - 1) * g.cell, heights.high - heights.low, h}) +
         "\"/>\n  </asset>\n";
}

// Replaces the one line of the text that begins so.
void replace_line(std::string& text, const std::string& begins, const std::string& by) {
  const std::size_t at = text.find(begins), from = text.rfind('\n', at) + 1, to = text.find('\n', at) + 1;
  if (at == std::string::npos) throw Error("the MJCF text has no line " + begins);
  text.replace(from, to - from, by);
}

std::string stage_text(const World& world, double h, double w, const MujocoStageOptions& options, double dt) {
  std::string text = mjcf_text(stripped(world.body, h, options));
  const double softness = std::max(0.02 / w, 2 * dt);
  const Vec3d& g = world.gravity;
  const int touches = std::min(4 * int(world.body.contacts.size()) + 20, most_touches);
  const std::string contact = "solref=\"" + words({softness, 1}) + "\" solimp=\"" +
                              words({0.9, 0.95, 0.003 * h, 0.5, 2}) + "\" friction=\"" +
                              words({world.contact.friction, 0, 0}) + "\" condim=\"3\"";
  replace_line(
      text, "<option ",
      "  <option timestep=\"" + to_text(dt) + "\" gravity=\"" + words({g.x, g.y, g.z}) + "\" integrator=\"" +
          (options.dampers.empty() ? "implicit" : "Euler") +
          "\" solver=\"Newton\" cone=\"elliptic\" impratio=\"100\" "
          "iterations=\"200\" tolerance=\"1e-12\"/>\n"
          "  <size njmax=\"" +
          std::to_string(3 * touches + 2 * world.body.nv()) + "\" nconmax=\"" + std::to_string(touches) +
          "\"/>\n"
          "  <default>\n    <geom contype=\"1\" conaffinity=\"0\" " +
          contact + "/>\n    <joint solreflimit=\"" + words({softness, 1}) + "\"/>\n    <equality solref=\"" +
          words({2 * dt, 1}) + "\"/>\n  </default>\n" + asset_text(world.terrain, h));
  replace_line(text, "<geom name=\"ground\"", ground_text(world.terrain, h));
  return text;
}

struct Delete {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using ModelPointer = std::unique_ptr<mjModel, Delete>;

ModelPointer load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "stage.xml", int(text.size()));
  const int at = mj_findFileVFS(files.get(), "stage.xml");
  std::memcpy(files->filedata[at], text.data(), text.size());
  char error[1000] = "";
  ModelPointer model(mj_loadXML("stage.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (!model) throw Error(std::string("MuJoCo refuses the body: ") + error);
  return model;
}

}  // namespace

struct MujocoStage::Data {
  World world;
  std::string text;
  ModelPointer model;
  std::unique_ptr<mjData, Delete> data;
  double factor = 1;               // masses inside over masses outside
  std::vector<int> body_of_link;   // MuJoCo's numbers
  std::vector<int> q_at, v_at;     // where our coordinates are there
  std::vector<int> point_of_geom;  // our contact point; -1: the ground
  std::vector<double> q, v, tau;
  std::vector<Vec3d> forces;
  bool failed = false;

  void find_places() {
    const Creature& body = world.body;
    const std::vector<std::vector<int>> points = points_of_links(body);
    point_of_geom.assign(std::size_t(model->ngeom), -1);
    for (std::size_t i = 0; i < body.links.size(); ++i) {
      const int b = mj_name2id(model.get(), mjOBJ_BODY, body.links[i].name.c_str());
      body_of_link.push_back(b);
      int joint_at = model->body_jntadr[b];
      for (const Joint& joint : body.links[i].joints) {
        if (joint.type == JointType::fixed) continue;
        const int q0 = model->jnt_qposadr[joint_at], v0 = model->jnt_dofadr[joint_at];
        for (int k = 0; k < nq(joint); ++k) q_at.push_back(q0 + k);
        for (int k = 0; k < nv(joint); ++k) v_at.push_back(v0 + k);
        joint_at += joint.type == JointType::ball || joint.type == JointType::free ? 1 : nv(joint);
      }
      for (std::size_t k = 0; k < points[i].size(); ++k)
        point_of_geom[std::size_t(model->body_geomadr[b]) + k] = points[i][k];
    }
  }

  void fill_field() {
    if (world.terrain.type != TerrainType::field) return;
    const HeightGrid& g = world.terrain.grid;
    const Heights heights = heights_of(g, hip_height(world.body));
    for (std::size_t i = 0; i < g.height.size(); ++i)
      model->hfield_data[i] = float((g.height[i] - heights.low) / (heights.high - heights.low));
  }

  void take_state() {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = data->qpos[q_at[i]];
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = data->qvel[v_at[i]];
  }

  void take_forces() {
    std::fill(forces.begin(), forces.end(), Vec3d());
    for (int i = 0; i < data->ncon; ++i) {
      const mjContact& c = data->contact[i];
      const int first = point_of_geom[std::size_t(c.geom1)], second = point_of_geom[std::size_t(c.geom2)];
      mjtNum f[6];
      mj_contactForce(model.get(), data.get(), i, f);
      // axes of the contact are the rows of its frame; its normal leads from the first geom to the second
      Vec3d force;
      for (int axis = 0; axis < 3; ++axis)
        force += Vec3d(c.frame[3 * axis], c.frame[3 * axis + 1], c.frame[3 * axis + 2]) * f[axis];
      if (second >= 0) forces[std::size_t(second)] += force * (1 / factor);
      if (first >= 0) forces[std::size_t(first)] -= force * (1 / factor);
    }
  }

  void apply(const std::vector<double>& torques) {
    tau = torques;
    for (std::size_t i = 0; i < v.size(); ++i) data->qfrc_applied[v_at[i]] = torques[i] * factor;
    std::fill(data->xfrc_applied, data->xfrc_applied + 6 * model->nbody, 0.0);
    // by the share of the step in which it acts
    const double dt = model->opt.timestep;
    for (const Push& push : world.pushes) {
      const double from = std::max(push.start, data->time),
                   to = std::min(push.start + push.duration, data->time + dt);
      if (to <= from) continue;
      double* f = data->xfrc_applied + 6 * body_of_link[std::size_t(push.link)];
      for (int k = 0; k < 3; ++k) f[k] += push.force[k] * factor * (to - from) / dt;
    }
  }
};

MujocoStage::MujocoStage(const World& world, const MujocoStageOptions& options)
    : data_(std::make_unique<Data>()) {
  const double h = hip_height(world.body);
  if (!(h > 0)) throw Error({}, "'" + world.body.name + "'", "has no legs to measure it by");
  const double w = std::sqrt(std::max(norm(world.gravity), 0.1) / h);
  const double dt = options.dt > 0 ? options.dt : 0.001 / w;
  if (!mju_user_warning) mju_user_warning = [](const char*) {};  // else it writes a file; step() tells
  data_->world = world;
  data_->text = stage_text(world, h, w, options, dt);
  data_->factor = 1 / world.body.mass();
  data_->model = load(data_->text);
  data_->fill_field();
  data_->data.reset(mj_makeData(data_->model.get()));
  data_->find_places();
  data_->q.resize(std::size_t(world.body.nq()));
  data_->v.resize(std::size_t(world.body.nv()));
  data_->forces.resize(world.body.contacts.size());
  reset(world.body.pose("stand"));
}

MujocoStage::~MujocoStage() = default;

void MujocoStage::reset(const std::vector<double>& q, const std::vector<double>& v) {
  Data& s = *data_;
  mj_resetData(s.model.get(), s.data.get());
  for (std::size_t i = 0; i < s.q.size(); ++i) s.data->qpos[s.q_at[i]] = q[i];
  for (std::size_t i = 0; i < s.v.size(); ++i) s.data->qvel[s.v_at[i]] = v.empty() ? 0 : v[i];
  s.tau.assign(s.v.size(), 0);
  s.failed = false;
  mj_forward(s.model.get(), s.data.get());
  s.take_state();
  s.take_forces();
}

bool MujocoStage::step(const std::vector<double>& tau) {
  Data& s = *data_;
  if (s.failed) return false;
  s.apply(tau);
  mj_step(s.model.get(), s.data.get());
  // where a number is bad MuJoCo starts anew with a warning, where contacts are too many it drops some
  for (const int kind :
       {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC, mjWARN_CONTACTFULL, mjWARN_CNSTRFULL})
    s.failed = s.failed || s.data->warning[kind].number > 0;
  s.take_state();
  s.take_forces();
  for (const double x : s.q) s.failed = s.failed || !std::isfinite(x);
  return !s.failed;
}

std::vector<double> MujocoStage::accelerations(const std::vector<double>& tau) {
  Data& s = *data_;
  s.apply(tau);
  mj_forward(s.model.get(), s.data.get());
  s.take_forces();
  std::vector<double> a;
  for (const int i : s.v_at) a.push_back(s.data->qacc[i]);
  return a;
}

double MujocoStage::time() const { return data_->data->time; }
double MujocoStage::dt() const { return data_->model->opt.timestep; }
const std::vector<double>& MujocoStage::q() const { return data_->q; }
const std::vector<double>& MujocoStage::v() const { return data_->v; }
const std::vector<Vec3d>& MujocoStage::contact_forces() const { return data_->forces; }
const std::string& MujocoStage::mjcf() const { return data_->text; }

Vec3d MujocoStage::leg_force(int leg) const {
  const Creature& body = data_->world.body;
  const Leg& role = body.legs[std::size_t(leg)];
  Vec3d sum;
  for (std::size_t i = 0; i < body.contacts.size(); ++i) {
    int link = body.contacts[i].link;
    while (link >= 0 && link != role.hip) link = body.links[std::size_t(link)].parent;
    if (link == role.hip) sum += data_->forces[i];
  }
  return sum;
}

Motion MujocoStage::begin_motion() const {
  Motion motion;
  motion.creature = data_->world.body;
  motion.terrain = data_->world.terrain;
  motion.gravity = norm(data_->world.gravity);
  return motion;
}

void MujocoStage::record(Motion& motion) const {
  const Data& s = *data_;
  motion.time.push_back(s.data->time);
  motion.q.insert(motion.q.end(), s.q.begin(), s.q.end());
  motion.v.insert(motion.v.end(), s.v.begin(), s.v.end());
  motion.tau.insert(motion.tau.end(), s.tau.begin(), s.tau.end());
  for (const Vec3d& f : s.forces) motion.contact_force.insert(motion.contact_force.end(), {f.x, f.y, f.z});
}

}  // namespace legwork
