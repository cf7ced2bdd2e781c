#include "report/channels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/dynamics.h"
#include "motion/resample.h"
#include "motion/stance_channel.h"

namespace legwork {

namespace {

constexpr double degrees = 180 / std::numbers::pi;
constexpr int most_series = 12;  // that a plot of one recorded channel shows

template <class F>
FilmSeries make_series(const Film& film, const std::string& name, F value, int leg = -1) {
  FilmSeries s{name, leg, {}};
  s.values.reserve(film.frames);
  for (int i = 0; i < film.frames; ++i) s.values.push_back(float(value(i)));
  return s;
}

// Horizontal speed of the centre of mass by central differences, and its mean over a stride around each
// frame.
FilmPlot speed_plot(const Film& film, const Gait* gait) {
  const auto mean_speed = [&](int a, int b) {
    a = std::max(a, 0), b = std::min(b, film.frames - 1);
    if (a == b) return 0.0;
    const Vec3d step = film.com[b] - film.com[a];
    return std::hypot(step.x, step.y) * film.rate / (b - a);
  };
  FilmGroup group{"", "m/s", {}};
  group.series.push_back(
      make_series(film, "centre of mass", [&](int i) { return mean_speed(i - 1, i + 1); }));
  const double stride = gait && std::isfinite(gait->stride_time) ? gait->stride_time : 0;
  const int half = int(std::lround(stride * film.rate / 2));
  if (half > 1 && 2 * half < film.frames)
    group.series.push_back(make_series(film, "over a stride", [&](int i) {
      const int middle = std::clamp(i, half, film.frames - 1 - half);
      return mean_speed(middle - half, middle + half);
    }));
  return {"speed", "Speed", "", {group}};
}

FilmPlot height_plot(const Film& film) {
  FilmGroup group{"", "m", {}};
  group.series.push_back(make_series(film, "centre of mass", [&](int i) { return film.com[i].z; }));
  group.series.push_back(
      make_series(film, film.motion->creature.links[0].name, [&](int i) { return film.origin(i, 0).z; }));
  return {"height", "Height", "", {group}};
}

// The first link's turn from its place in the pose "stand", as angles about z, then y, then x, unwrapped.
FilmPlot orientation_plot(const Film& film) {
  Workspace<double> w(film.model);
  update_positions(film.model, film.motion->creature.pose("stand").data(), w);
  const Mat3d upright = transpose(w.R[0]);
  std::array<std::vector<double>, 3> angles;
  for (int i = 0; i < film.frames; ++i) {
    const Mat3d R = film.turn(i, 0) * upright;
    const double now[3] = {std::atan2(R(2, 1), R(2, 2)), std::asin(std::clamp(-R(2, 0), -1.0, 1.0)),
                           std::atan2(R(1, 0), R(0, 0))};
    for (int k = 0; k < 3; ++k) {
      double angle = now[k] * degrees;
      if (i > 0) angle += 360 * std::round((angles[k].back() - angle) / 360);
      angles[k].push_back(angle);
    }
  }
  FilmGroup group{"", "°", {}};
  const char* names[] = {"roll", "pitch", "yaw"};
  for (int k = 0; k < 3; ++k)
    group.series.push_back(make_series(film, names[k], [&](int i) { return angles[k][i]; }));
  return {"orientation",
          "Roll, pitch, yaw",
          "Of " + film.motion->creature.links[0].name + "; a positive pitch lowers its front.",
          {group}};
}

// The lines of legs stand together, then those of each body without them.
FilmGroup& group_for(std::vector<FilmGroup>& groups, const std::string& name, const std::string& unit) {
  for (FilmGroup& group : groups)
    if (group.name == name && group.unit == unit) return group;
  return groups.emplace_back(FilmGroup{name, unit, {}});
}

// Calls use(group's name, leg, link, joint, first q, first v) for every joint that is not free.
template <class F>
void for_each_joint(const Creature& c, F use) {
  const std::vector<int> leg_of = legs_of_links(c);
  const auto roots =
      std::count_if(c.links.begin(), c.links.end(), [](const Link& l) { return l.parent < 0; });
  std::vector<int> root(c.links.size());
  int q = 0, v = 0;
  for (int k = 0; k < int(c.links.size()); ++k) {
    root[k] = c.links[k].parent < 0 ? k : root[c.links[k].parent];
    const std::string rest = roots > 1 ? c.links[root[k]].name : c.legs.empty() ? "joints" : "trunk";
    for (const Joint& joint : c.links[k].joints) {
      if (joint.type != JointType::free) use(leg_of[k] < 0 ? rest : c.legs[leg_of[k]].name, joint, q, v);
      q += nq(joint), v += nv(joint);
    }
  }
}

bool is_angle(const Joint& joint, int dof) {
  switch (joint.type) {
    case JointType::hinge:
    case JointType::universal:
    case JointType::ball:
      return true;
    case JointType::planar:
      return dof == 2;
    default:
      return false;
  }
}

std::string coordinate_unit(const Joint& joint, int dof) {
  if (is_angle(joint, dof)) return "°";
  return joint.type == JointType::keyframed ? "1" : "m";
}

std::string dof_name(const Joint& joint, int dof) {
  if (dof < int(joint.dofs.size()) && !joint.dofs[dof].name.empty()) return joint.dofs[dof].name;
  return joint.name + (nv(joint) > 1 ? "_" + std::to_string(dof) : "");
}

// Component k of the rotation vector of a unit quaternion, rad.
double rotation_component(const double* quat, int k) {
  const double sign = quat[0] < 0 ? -1 : 1;
  const double sine = std::hypot(quat[1], quat[2], quat[3]);
  const double scale = sine > 1e-12 ? 2 * std::atan2(sine, sign * quat[0]) / sine : 2;
  return sign * scale * quat[k + 1];
}

FilmPlot joint_plot(const Film& film) {
  std::vector<FilmGroup> groups;
  for_each_joint(film.motion->creature, [&](const std::string& name, const Joint& joint, int q, int) {
    const auto at = [&](int i, int k) { return film.q[std::size_t(i) * film.model.nq + q + k]; };
    for (int d = 0; d < nv(joint); ++d) {
      const std::string unit = coordinate_unit(joint, d);
      const double scale = unit == "°" ? degrees : 1;
      group_for(groups, name, unit).series.push_back(make_series(film, dof_name(joint, d), [&](int i) {
        if (joint.type != JointType::ball) return at(i, d) * scale;
        return rotation_component(film.q.data() + std::size_t(i) * film.model.nq + q, d) * scale;
      }));
    }
  });
  return {"joints", "Joint angles", "", groups};
}

FilmPlot torque_plot(const Film& film) {
  if (std::all_of(film.tau.begin(), film.tau.end(), [](double x) { return x == 0; })) return {};
  std::vector<FilmGroup> groups;
  for_each_joint(film.motion->creature, [&](const std::string& name, const Joint& joint, int, int v) {
    for (int d = 0; d < nv(joint); ++d)
      group_for(groups, name, is_angle(joint, d) ? "N m" : "N")
          .series.push_back(make_series(film, dof_name(joint, d), [&](int i) {
            return film.tau[std::size_t(i) * film.model.nv + v + d];
          }));
  });
  return {"torques", "Joint torques", "", groups};
}

// Upward force of the ground on each leg, and on all else.
FilmPlot force_plot(const Film& film, const std::vector<int>& leg_order) {
  const Creature& c = film.motion->creature;
  if (std::all_of(film.force.begin(), film.force.end(), [](double x) { return x == 0; })) return {};
  const std::vector<int> leg_of = legs_of_links(c);
  const auto total = [&](int i, int leg) {
    double sum = 0;
    for (std::size_t k = 0; k < c.contacts.size(); ++k)
      if (leg_of[c.contacts[k].link] == leg) sum += film.force[3 * (i * c.contacts.size() + k) + 2];
    return sum;
  };
  FilmGroup group{"", "N", {}};
  for (const int leg : leg_order)
    group.series.push_back(make_series(
        film, c.legs[leg].name, [&](int i) { return total(i, leg); }, leg));
  FilmSeries rest =
      make_series(film, c.legs.empty() ? "all contacts" : "elsewhere", [&](int i) { return total(i, -1); });
  if (std::any_of(rest.values.begin(), rest.values.end(), [](float x) { return x != 0; }))
    group.series.push_back(std::move(rest));
  return {"forces", "Contact forces", "Upward force of the ground on each leg.", {group}};
}

// NaN, a gap in the plot, where no foot is down.
FilmPlot stability_plot(const Film& film, const Gait* gait) {
  if (!gait || gait->margin.size() != std::size_t(film.motion->frames())) return {};
  Sampler sampler(film.model, *film.motion);
  FilmGroup group{"", "m", {}};
  group.series.push_back(make_series(film, "margin", [&](int i) {
    double margin = 0;
    sampler.at(film.time(i));
    sampler.values(gait->margin, 1, &margin);
    return margin;
  }));
  const std::vector<float>& values = group.series[0].values;
  if (std::none_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); })) return {};
  return {"stability",
          "Stability margin",
          "From the centre of mass, seen from above, to the edge of the feet that stand; negative outside.",
          {group}};
}

FilmPlot recorded_plot(const Film& film) {
  const Motion& motion = *film.motion;
  std::vector<FilmGroup> groups;
  for (const Channel& channel : motion.channels) {
    FilmGroup group{channel.name, channel.unit, {}};
    Sampler sampler(film.model, motion);
    std::vector<double> row(channel.width);
    for (int k = 0; k < std::min(channel.width, most_series); ++k)
      group.series.push_back(make_series(
          film, channel.width == 1 ? channel.name : channel.name + " " + std::to_string(k), [&](int i) {
            sampler.at(film.time(i));
            sampler.values(channel.values, channel.width, row.data());
            return row[k];
          }));
    if (&channel == stance_channel(motion))
      for (std::size_t k = 0; k < group.series.size(); ++k)
        group.series[k].name = motion.creature.legs[k].name;
    else if (channel.width == 3)
      for (int k = 0; k < 3; ++k) group.series[k].name = std::string(1, char('x' + k));
    groups.push_back(std::move(group));
  }
  return {"recorded", "Recorded", "", groups};
}

}  // namespace

std::vector<FilmPlot> make_plots(const Film& film, const Gait* gait, const std::vector<int>& leg_order) {
  std::vector<FilmPlot> all = {
      speed_plot(film, gait),     height_plot(film), orientation_plot(film), force_plot(film, leg_order),
      stability_plot(film, gait), joint_plot(film),  torque_plot(film),      recorded_plot(film)};
  std::erase_if(all, [](const FilmPlot& plot) { return plot.groups.empty(); });
  return all;
}

int plots_width(const Motion& motion) {
  int width = 8 + 2 * motion.creature.nv() + int(motion.creature.legs.size()) + 1;
  for (const Channel& channel : motion.channels) width += std::min(channel.width, most_series);
  return width;
}

}  // namespace legwork
