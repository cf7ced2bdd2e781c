// The reading side of bvh.h.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "formats/bvh/bvh.h"
#include "formats/file.h"
#include "math/real.h"

namespace legwork {

namespace {

constexpr const char* channel_names[] = {"Xposition", "Yposition", "Zposition",
                                         "Xrotation", "Yrotation", "Zrotation"};

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), text_(read_file(path)) {}

  Bvh read() {
    if (!same_word(word(), "HIERARCHY")) fail("a BVH file begins with HIERARCHY", "is it the right file?");
    std::string_view next = word();
    if (!same_word(next, "ROOT")) fail_expected("ROOT", next);
    for (; same_word(next, "ROOT"); next = word()) read_tree();
    if (!same_word(next, "MOTION")) fail_expected("MOTION", next);
    read_motion();
    return std::move(bvh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    std::string who;
    if (joint_ >= 0) who = "joint '" + bvh_.joints[joint_].name + "'";
    throw Error({path_, line_}, who, problem, advice);
  }
  [[noreturn]] void fail_expected(const std::string& wanted, std::string_view got) const {
    if (got.empty()) fail("expected " + wanted + ", but the file ends", "make or copy it again");
    fail("expected " + wanted + " instead of '" + std::string(got.substr(0, 40)) + "'");
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n';
  }
  // The next word, empty at the end of the file; braces are words of their own.
  std::string_view word() {
    skip_space();
    const std::size_t from = at_;
    if (at_ < text_.size() && (text_[at_] == '{' || text_[at_] == '}')) {
      ++at_;
    } else {
      while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '{' && text_[at_] != '}') ++at_;
    }
    return std::string_view(text_).substr(from, at_ - from);
  }
  // What is left of the line before a brace: names may have spaces.
  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '{') ++at_;
    std::string out = text_.substr(from, at_ - from);
    while (!out.empty() && is_space(out.back())) out.pop_back();
    out.erase(0, std::size_t(std::find_if_not(out.begin(), out.end(), is_space) - out.begin()));
    return out;
  }
  void expect(const char* wanted) {
    const std::string_view got = word();
    if (!same_word(got, wanted)) fail_expected(wanted, got);
  }
  double number(const char* what) {
    std::string_view got = word();
    const std::string_view digits = got.substr(!got.empty() && got[0] == '+');
    double x = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    if (digits.empty() || end.ec != std::errc() || end.ptr != digits.data() + digits.size() ||
        !std::isfinite(x))
      fail_expected(what, got);
    return x;
  }
  int count(const char* what, double most) {
    const double x = number(what);
    if (!(x >= 0 && x <= most && x == std::floor(x))) fail(std::string(what) + " cannot be " + to_text(x));
    return int(x);
  }

  int add_joint(const std::string& name, int parent, bool end_site) {
    bvh_.joints.push_back({name, parent, {}, {}, bvh_.channels, end_site});
    joint_ = int(bvh_.joints.size()) - 1;
    expect("{");
    return joint_;
  }

  // One ROOT with all below it; open joints on a list, so that depth is no matter of the stack.
  void read_tree() {
    std::vector<int> open = {add_joint(name(), -1, false)};
    while (!open.empty()) {
      joint_ = open.back();
      const std::string_view next = word();
      if (same_word(next, "OFFSET")) {
        Vec3d& offset = bvh_.joints[joint_].offset;
        for (int i = 0; i < 3; ++i) offset[i] = number("a number of the OFFSET");
      } else if (same_word(next, "CHANNELS")) {
        read_channels();
      } else if (same_word(next, "JOINT")) {
        const std::string called = name();
        open.push_back(add_joint(called, open.back(), false));
      } else if (same_word(next, "End")) {
        expect("Site");
        name();  // some programs name them
        open.push_back(add_joint(bvh_.joints[open.back()].name + "_end", open.back(), true));
      } else if (next == "}") {
        open.pop_back();
      } else {
        fail_expected("OFFSET, CHANNELS, JOINT, End Site or }", next);
      }
    }
    joint_ = -1;
  }

  void read_channels() {
    BvhJoint& joint = bvh_.joints[joint_];
    if (!joint.channels.empty()) fail("CHANNELS is there twice");
    if (joint.end_site) fail("an End Site has no CHANNELS");
    joint.first_channel = bvh_.channels;
    const int channels = count("the number of CHANNELS", 6);
    for (int i = 0; i < channels; ++i) {
      const std::string_view got = word();
      const auto found = std::find_if(std::begin(channel_names), std::end(channel_names),
                                      [&](const char* c) { return same_word(c, got); });
      if (found == std::end(channel_names))
        fail("unknown channel '" + std::string(got.substr(0, 40)) + "'",
             did_you_mean(got, {std::begin(channel_names), std::end(channel_names)}));
      joint.channels.push_back(BvhChannel(found - std::begin(channel_names)));
    }
    bvh_.channels += channels;
  }

  void read_motion() {
    expect("Frames:");
    bvh_.frames = count("the number of Frames", 1e9);
    expect("Frame");
    expect("Time:");
    bvh_.frame_time = number("the Frame Time");
    if (!(bvh_.frame_time > 0)) fail("Frame Time must be above 0 s");
    if (bvh_.frames == 0) fail("the motion has no frames");
    const std::size_t wanted = std::size_t(bvh_.frames) * std::size_t(bvh_.channels);
    bvh_.values.reserve(std::min(wanted, text_.size() / 2 + 1));  // a value needs two letters at least
    for (skip_space(); at_ < text_.size(); skip_space()) {
      if (bvh_.values.size() == wanted)
        fail("more values than " + std::to_string(bvh_.frames) + " frames of " +
             std::to_string(bvh_.channels) + " channels have");
      bvh_.values.push_back(number("a number"));
    }
    if (bvh_.values.size() < wanted)
      fail("the file is cut short: " + std::to_string(bvh_.values.size() / std::size_t(bvh_.channels)) +
               " of " + std::to_string(bvh_.frames) + " frames",
           "make or copy it again");
  }

  std::string path_, text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int joint_ = -1;  // at work
  Bvh bvh_;
};

Mat3d turn_about(int axis, double degrees) {
  const double c = cos(degrees * (pi / 180)), s = sin(degrees * (pi / 180));
  if (axis == 0) return {1, 0, 0, 0, c, -s, 0, s, c};
  if (axis == 1) return {c, 0, s, 0, 1, 0, -s, 0, c};
  return {c, -s, 0, s, c, 0, 0, 0, 1};
}

}  // namespace

int Bvh::joint(const std::string& name) const {
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const BvhJoint& j) { return j.name == name; });
  return found == joints.end() ? -1 : int(found - joints.begin());
}

Bvh read_bvh(const std::string& path) { return Reader(path).read(); }

BvhPose pose_at(const Bvh& bvh, int frame, double unit) {
  const std::size_t count = bvh.joints.size();
  BvhPose pose;
  pose.p.resize(count), pose.R.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const BvhJoint& joint = bvh.joints[i];
    const double* value =
        bvh.values.data() + std::size_t(frame) * std::size_t(bvh.channels) + std::size_t(joint.first_channel);
    Vec3d p = joint.offset;
    Mat3d R = Mat3d::identity();
    for (const BvhChannel channel : joint.channels) {
      const int c = int(channel);
      if (c < 3) {
        p[c] = *value++;
      } else {
        R = R * turn_about(c - 3, *value++);
      }
    }
    const bool root = joint.parent < 0;
    pose.p[i] = root ? p : pose.p[joint.parent] + pose.R[joint.parent] * p;
    pose.R[i] = root ? R : pose.R[joint.parent] * R;
  }
  // Y up, Z forward to Z up, X forward: z -> x, x -> y, y -> z
  for (Vec3d& p : pose.p) p = Vec3d{p.z, p.x, p.y} * unit;
  for (Mat3d& R : pose.R)
    R = {R(2, 2), R(2, 0), R(2, 1), R(0, 2), R(0, 0), R(0, 1), R(1, 2), R(1, 0), R(1, 1)};
  return pose;
}

}  // namespace legwork
