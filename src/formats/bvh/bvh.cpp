#include "formats/bvh/bvh.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "dynamics/dynamics.h"
#include "formats/file.h"
#include "formats/frames.h"
#include "formats/gltf/axes.h"
#include "formats/mesh/surface.h"
#include "formats/turning_point.h"
#include "math/real.h"
#include "math/scalar.h"
#include "motion/resample.h"

namespace legwork {

namespace {

using gltf::y_up;
// C R C^T for that change of axes C.
Mat3d y_up(const Mat3d& R) {
  return {R(1, 1), R(1, 2), R(1, 0), R(2, 1), R(2, 2), R(2, 0), R(0, 1), R(0, 2), R(0, 0)};
}

std::string bvh_name(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (std::isspace(static_cast<unsigned char>(c)) || c == '{' || c == '}') c = '_';
  return out.empty() ? "unnamed" : out;
}

// How a link hangs in the file.
struct Hang : TurningPoint {
  std::vector<int> children;
  Vec3d offset;  // from the parent's point at rest, Legwork's axes
};

// Angles (rad) of R = Rz(z) Rx(x) Ry(y), those of all solutions that are nearest to the last frame's.
struct Angles {
  double z = 0, x = 0, y = 0;
};

double near(double angle, double last) { return angle + 2 * pi * std::round((last - angle) / (2 * pi)); }

Angles angles_zxy(const Mat3d& R, const Angles& last) {
  const double cos_x = hypot(R(0, 1), R(1, 1));
  Angles a;
  a.x = near(atan2(R(2, 1), cos_x), last.x);
  if (cos_x < 1e-7) {
    // z and y turn about one line: leave z, let y make up for the rest
    const double c = cos(last.z), s = sin(last.z);
    a.z = last.z;
    a.y = near(atan2(c * R(0, 2) + s * R(1, 2), c * R(0, 0) + s * R(1, 0)), last.y);
    return a;
  }
  a.z = near(atan2(-R(0, 1), R(1, 1)), last.z);
  a.y = near(atan2(-R(2, 0), R(2, 2)), last.y);
  const Angles b = {near(a.z + pi, last.z), near(pi - a.x, last.x), near(a.y + pi, last.y)};
  const auto far = [&](const Angles& o) {
    return std::abs(o.z - last.z) + std::abs(o.x - last.x) + std::abs(o.y - last.y);
  };
  return far(b) < far(a) ? b : a;
}

class Writer {
 public:
  Writer(const Motion& motion, const std::string& path, const BvhOptions& options)
      : motion_(motion),
        creature_(motion.creature),
        unit_(options.unit),
        model_(make_model(creature_)),
        w_(model_),
        rest_(model_),
        file_(path) {
    update_positions(model_, creature_.pose("").data(), rest_);
    for (int link = 0; link < model_.nlink; ++link) {
      hangs_.push_back({turning_point(creature_.links[link]), {}, {}});
      const int parent = model_.parent[link];
      (parent < 0 ? roots_ : hangs_[parent].children).push_back(link);
      hangs_[link].offset = point(rest_, link) - (parent < 0 ? Vec3d{} : point(rest_, parent));
    }
    last_.resize(model_.nlink);
  }

  void write(const std::vector<double>& times, double frame_time) {
    text_ = "HIERARCHY\n";
    if (roots_.size() == 1) {
      open("ROOT", creature_.links[roots_[0]].name, {}, true);
      close_link(roots_[0]);
    } else {
      open("ROOT", "world", {}, true);
      for (const int root : roots_) write_link(root);
      if (roots_.empty()) write_end({0, 0, 0.01});
      close();
    }
    text_ +=
        "MOTION\nFrames: " + std::to_string(times.size()) + "\nFrame Time: " + to_text(frame_time) + "\n";
    Sampler sampler(model_, motion_);
    std::vector<double> q(model_.nq);
    for (const double time : times) {
      sampler.at(time);
      sampler.positions(q.data());
      update_positions(model_, q.data(), w_);
      write_frame();
      if (text_.size() > 1 << 16) flush();
    }
    flush();
    file_.commit();
  }

 private:
  Vec3d point(const Workspace<double>& w, int link) const {
    return point_position(w, link, hangs_[link].point);
  }
  // Turn of a link since rest, world axes.
  Mat3d turn(int link) const { return w_.R[link] * transpose(rest_.R[link]); }
  bool hangs_apart(int link) const {
    return hangs_[link].shifts && !(roots_.size() == 1 && roots_[0] == link);
  }

  void number(double x) {
    char buffer[512];  // the widest double has 309 digits before the point
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed, 6);
    if (!text_.empty() && text_.back() != '\n') text_ += ' ';
    text_.append(buffer, end.ptr);
  }
  void zeros(int count) {
    for (int i = 0; i < count; ++i) number(0);
  }
  void vector(const Vec3d& v) {
    const Vec3d u = y_up(v);
    for (const double x : {u.x, u.y, u.z}) number(x / unit_);
  }
  void indent() { text_.append(depth_, '\t'); }
  void flush() {
    file_.write(text_);
    text_.clear();
  }

  void open(const char* kind, const std::string& name, const Vec3d& offset, bool positions) {
    indent(), text_ += kind + (" " + bvh_name(name)) + "\n";
    indent(), text_ += "{\n";
    ++depth_;
    indent(), text_ += "OFFSET", vector(offset), text_ += "\n";
    indent(), text_ += positions ? "CHANNELS 6 Xposition Yposition Zposition " : "CHANNELS 3 ";
    text_ += "Zrotation Xrotation Yrotation\n";
  }
  void close() {
    --depth_;
    indent(), text_ += "}\n";
  }
  void write_end(const Vec3d& offset) {
    indent(), text_ += "End Site\n";
    indent(), text_ += "{\n";
    ++depth_;
    indent(), text_ += "OFFSET", vector(offset), text_ += "\n";
    close();
  }

  // Chains of links may be as long as a stack is not, so the tree is walked with a list.
  void write_link(int top) {
    struct Step {
      int link;
      bool leave;
    };
    std::vector<Step> steps = {{top, false}};
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      if (step.leave) {
        leave_link(step.link);
        continue;
      }
      enter_link(step.link);
      steps.push_back({step.link, true});
      const std::vector<int>& children = hangs_[step.link].children;
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        steps.push_back({*child, false});
    }
  }
  // The rest of a link that is open already.
  void close_link(int link) {
    order_.push_back(link);
    for (const int child : hangs_[link].children) write_link(child);
    leave_link(link);
  }
  void enter_link(int link) {
    const std::string& name = creature_.links[link].name;
    const bool apart = hangs_apart(link);
    if (apart) open("JOINT", name + "_at", hangs_[link].offset, false);
    open("JOINT", name, apart ? Vec3d{} : hangs_[link].offset, apart);
    order_.push_back(link);
  }
  void leave_link(int link) {
    if (hangs_[link].children.empty()) write_end(rest_.R[link] * end_of(link));
    close();
    if (hangs_apart(link)) close();
  }

  // From where the link turns to its farthest contact point, or point of a shape; link frame.
  Vec3d end_of(int link) const {
    Vec3d best;
    const auto consider = [&](const Vec3d& p) {
      if (norm(p - hangs_[link].point) > norm(best)) best = p - hangs_[link].point;
    };
    for (const ContactPoint& contact : creature_.contacts)
      if (contact.link == link) consider(contact.pos);
    if (norm(best) > 0) return best;
    for (const Shape& shape : creature_.links[link].shapes)
      for (const auto& p : smooth_surface(shape).positions)
        consider(shape.pos + matrix(shape.rot) * Vec3d{p[0], p[1], p[2]});
    return norm(best) > 0 ? best : Vec3d{0, 0, 0.01};
  }

  void rotation(const Mat3d& R, Angles& last) {
    last = angles_zxy(y_up(R), last);
    for (const double angle : {last.z, last.x, last.y}) number(angle * (180 / pi));
  }
  void write_frame() {
    if (roots_.size() != 1) zeros(6);
    for (const int link : order_) {
      const int parent = model_.parent[link];
      const Mat3d turn_p = parent < 0 ? Mat3d::identity() : turn(parent);
      const Vec3d p = point(w_, link) - (parent < 0 ? Vec3d{} : point(w_, parent));
      if (hangs_apart(link)) {
        zeros(3);
        vector(transpose_times(turn_p, p) - hangs_[link].offset);
      } else if (parent < 0 && roots_.size() == 1) {
        vector(p);
      }
      rotation(transpose(turn_p) * turn(link), last_[link]);
    }
    text_ += '\n';
  }

  const Motion& motion_;
  const Creature& creature_;
  double unit_;
  Model<double> model_;
  Workspace<double> w_, rest_;
  FileWriter file_;
  std::vector<Hang> hangs_;
  std::vector<int> roots_, order_;  // order_: links as their channels come
  std::vector<Angles> last_;
  std::string text_;
  std::size_t depth_ = 0;
};

// Evenly spaced times, and their distance.
std::vector<double> even_times(const Motion& motion, const std::string& path, double rate,
                               double& frame_time) {
  std::vector<double> times = sample_times(motion, rate);
  frame_time = rate > 0              ? 1 / rate
               : motion.frames() > 1 ? motion.duration() / (motion.frames() - 1)
                                     : 1.0 / 60;
  for (std::size_t f = 0; f < times.size(); ++f)
    if (std::abs(times[f] - times.front() - double(f) * frame_time) > 1e-3 * frame_time) {
      if (rate <= 0)
        throw Error({path, 0}, "",
                    "the recorded frames are not evenly spaced (frame " + std::to_string(f) +
                        "), but those of a BVH file are",
                    "give a rate");
      times.resize(f);
    }
  return times;
}

}  // namespace

void write_bvh(const Motion& motion, const std::string& path, const BvhOptions& options) {
  check_writable(motion, path, options.rate);
  if (!(options.unit > 0 && std::isfinite(options.unit)))
    throw Error({path, 0}, "", "unit: " + to_text(options.unit) + " m is no length", "give 1 or 0.01");
  for (std::size_t i = 0; i < motion.q.size(); ++i)
    if (!std::isfinite(motion.q[i]))
      throw Error({path, 0}, "",
                  "frame " + std::to_string(i / std::size_t(motion.creature.nq())) +
                      " is not finite, and BVH cannot say so",
                  "cut the motion before it");
  double frame_time = 0;
  const std::vector<double> times = even_times(motion, path, options.rate, frame_time);
  Writer(motion, path, options).write(times, frame_time);
}

}  // namespace legwork
