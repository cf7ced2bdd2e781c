#include "report/channels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/dynamics.h"
#include "motion/resample.h"
#include "motion/stance_channel.h"
#include "report/limbs.h"

namespace legwork {

namespace {

constexpr double degrees = 180 / std::numbers::pi;
constexpr int most_series = 12;        // that a plot of one recorded channel shows
constexpr std::size_t most_lines = 4;  // that a plot of a limb shows
// joints that move or act less than this are named, not drawn
constexpr float least_angle = 0.5f, least_slide = 1e-6f;  // degrees, m
constexpr double least_torque = 1e-3;                     // of the largest torque

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

// Every joint of a limb that is not free, by its number among the positions and velocities.
struct LimbJoint {
  const Joint* joint;
  int q, v;
};

std::vector<LimbJoint> joints_of(const Creature& c, const Limb& limb) {
  std::vector<LimbJoint> out;
  int q = 0, v = 0;
  for (int k = 0; k < int(c.links.size()); ++k)
    for (const Joint& joint : c.links[k].joints) {
      if (joint.type != JointType::free &&
          std::find(limb.links.begin(), limb.links.end(), k) != limb.links.end())
        out.push_back({&joint, q, v});
      q += nq(joint), v += nv(joint);
    }
  return out;
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

std::string still_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::string text = "Not shown, since they hardly change: ";
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) text += (k ? ", " : "") + names[k];
  return text + (names.size() > most ? " and " + std::to_string(names.size() - most) + " more." : ".");
}

// A line of a plot with its unit, and whether it is worth showing.
struct LimbLine {
  std::string unit;
  FilmSeries series;
  bool shown;
};

// The limb's lines that are shown, a few of one unit in each group.
std::vector<FilmGroup> cut_in_groups(const Limb& limb, std::vector<LimbLine>& lines) {
  std::vector<FilmGroup> by_unit, cut;
  for (LimbLine& line : lines) {
    if (!line.shown) continue;
    const auto same = [&](const FilmGroup& group) { return group.unit == line.unit; };
    auto group = std::find_if(by_unit.begin(), by_unit.end(), same);
    if (group == by_unit.end()) group = by_unit.insert(group, {limb.name, line.unit, {}, limb.row});
    group->series.push_back(std::move(line.series));
  }
  for (FilmGroup& group : by_unit) {
    const std::size_t n = group.series.size(), parts = (n + most_lines - 1) / most_lines;
    for (std::size_t part = 0; part < parts; ++part) {
      FilmGroup& piece = cut.emplace_back(FilmGroup{group.name, group.unit, {}, group.row});
      for (std::size_t k = part * n / parts; k < (part + 1) * n / parts; ++k)
        piece.series.push_back(std::move(group.series[k]));
    }
  }
  return cut;
}

// The lines of all limbs in rows: left beside right for the upper joints, then for the lower ones.
// `line(joint, d)` makes that of a degree of freedom; those that no limb of a row needs shown are named in
// the note.
template <class Line>
FilmPlot limb_plot(const Film& film, FilmPlot plot, Line line) {
  const Creature& c = film.motion->creature;
  const std::vector<Limb> limbs = limbs_of(c);
  std::vector<std::string> still;
  int scale = 0;
  for (std::size_t from = 0, to = 0; from < limbs.size(); from = to) {
    std::vector<std::vector<LimbLine>> row;
    for (; to < limbs.size() && limbs[to].row == limbs[from].row; ++to) {
      row.emplace_back();
      for (const LimbJoint& at : joints_of(c, limbs[to]))
        for (int d = 0; d < nv(*at.joint); ++d) row.back().push_back(line(at, d));
    }
    for (std::size_t k = 0; k < row[0].size(); ++k) {  // limbs that are built alike show the same joints
      const auto alike = [&](const auto& limb) { return limb.size() == row[0].size(); };
      const auto shown = [&](const auto& limb) { return limb[k].shown; };
      if (!std::all_of(row.begin(), row.end(), alike)) break;
      const bool any = std::any_of(row.begin(), row.end(), shown);
      for (auto& limb : row) limb[k].shown = any;
    }
    std::vector<std::vector<FilmGroup>> cut;
    std::size_t places = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      for (const LimbLine& one : row[k])
        if (!one.shown) still.push_back(one.series.name);
      cut.push_back(cut_in_groups(limbs[from + k], row[k]));
      places = std::max(places, cut.back().size());
    }
    for (std::size_t place = 0; place < places; ++place, ++scale)
      for (std::vector<FilmGroup>& groups : cut)
        if (place < groups.size()) {
          groups[place].scale = scale;
          plot.groups.push_back(std::move(groups[place]));
        }
  }
  if (!still.empty() && !plot.groups.empty()) plot.note = still_text(still);
  return plot;
}

FilmPlot joint_plot(const Film& film) {
  return limb_plot(film, {"joints", "Joint angles", "", {}}, [&](const LimbJoint& at, int d) {
    const Joint& joint = *at.joint;
    const std::string unit = coordinate_unit(joint, d);
    const double scale = unit == "°" ? degrees : 1;
    FilmSeries series = make_series(film, dof_name(joint, d), [&](int i) {
      const double* q = film.q.data() + std::size_t(i) * film.model.nq + at.q;
      return (joint.type == JointType::ball ? rotation_component(q, d) : q[d]) * scale;
    });
    const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
    const bool moves = *high - *low > (unit == "°" ? least_angle : least_slide);
    return LimbLine{unit, std::move(series), moves};
  });
}

FilmPlot torque_plot(const Film& film) {
  double most = 0;
  for (const double x : film.tau) most = std::max(most, std::fabs(x));
  if (most == 0) return {};
  return limb_plot(film, {"torques", "Joint torques", "", {}}, [&](const LimbJoint& at, int d) {
    FilmSeries series = make_series(film, dof_name(*at.joint, d), [&](int i) {
      return film.tau[std::size_t(i) * film.model.nv + at.v + d];
    });
    const bool acts = std::any_of(series.values.begin(), series.values.end(),
                                  [&](float x) { return std::fabs(x) > least_torque * most; });
    return LimbLine{is_angle(*at.joint, d) ? "N m" : "N", std::move(series), acts};
  });
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
      speed_plot(film, gait),     height_plot(film),   orientation_plot(film), force_plot(film, leg_order),
      stability_plot(film, gait), recorded_plot(film), joint_plot(film),       torque_plot(film)};
  std::erase_if(all, [](const FilmPlot& plot) { return plot.groups.empty(); });
  return all;
}

int plots_width(const Motion& motion) {
  int width = 8 + 2 * motion.creature.nv() + int(motion.creature.legs.size()) + 1;
  for (const Channel& channel : motion.channels) width += std::min(channel.width, most_series);
  return width;
}

}  // namespace legwork
