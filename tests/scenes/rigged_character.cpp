#include "tests/scenes/rigged_character.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "formats/file.h"
#include "formats/gltf/glb_file.h"

namespace legwork {

namespace {

using Json = nlohmann::json;

class Bones {
 public:
  explicit Bones(const RiggedSpec& spec) : spec_(spec) {}

  int add(const std::string& name, int parent, const Vec3d& head, const Vec3d& tail, double radius) {
    all.push_back({name, parent, head, tail, radius});
    return int(all.size()) - 1;
  }
  // On both sides: y as given is the left's.
  template <class Make>
  void both(const Make& make) {
    make(1.0, std::string("Left"));
    make(-1.0, std::string("Right"));
  }

  void biped(bool bird) {
    const double y = spec_.lean;
    const int top = spec_.root_bone ? add("Root", -1, {0, y, 0}, {0.2, y, 0}, 0) : -1;
    const int hips = add("Hips", top, {0, y, 0.95}, {0, y, 1.05}, 0.13);
    const int spine = add("Spine", hips, {0, y, 1.05}, {0, y, 1.2}, 0.12);
    const int chest = add("Spine1", spine, {0, y, 1.2}, {0, y, 1.45}, 0.14);
    const int neck = add("Neck", chest, {0, y, 1.45}, {0.01, y, 1.55}, 0.05);
    const int head = add("Head", neck, {0.01, y, 1.55}, {0.02, y, 1.75}, 0.09);
    if (bird) {
      const int tail = add("Tail1", hips, {-0.1, y, 0.95}, {-0.35, y, 0.9}, 0.05);
      add("Tail2", tail, {-0.35, y, 0.9}, {-0.6, y, 0.88}, 0.04);
    }
    both([&](double s, const std::string& side) {
      add(side + "Eye", head, {0.1, y + s * 0.03, 1.65}, {0.12, y + s * 0.03, 1.65}, 0.01);
      const int thigh = add(side + "UpLeg", hips, {0, y + s * 0.09, 0.92}, {0.015, y + s * 0.09, 0.5}, 0.07);
      if (spec_.twists)
        add(side + "UpLegTwist", thigh, {0.007, y + s * 0.09, 0.7}, {0.015, y + s * 0.09, 0.55}, 0.075);
      const int shank =
          add(side + "Leg", thigh, {0.015, y + s * 0.09, 0.5}, {-0.02, y + s * 0.09, 0.09}, 0.05);
      const int foot =
          add(side + "Foot", shank, {-0.02, y + s * 0.09, 0.09}, {0.13, y + s * 0.09, 0.03}, 0.055);
      add(side + "ToeBase", foot, {0.12, y + s * 0.09, 0.03}, {0.2, y + s * 0.09, 0.025}, 0.05);
      const std::string limb = bird ? "Wing" : "Arm";
      const int shoulder =
          add(side + "Shoulder", chest, {0, y + s * 0.05, 1.4}, {0, y + s * 0.17, 1.4}, 0.05);
      const int arm = add(side + limb, shoulder, {0, y + s * 0.18, 1.4}, {0, y + s * 0.46, 1.4}, 0.045);
      int above = arm;
      if (spec_.twists)
        above = add(side + limb + "Twist", arm, {0, y + s * 0.32, 1.4}, {0, y + s * 0.46, 1.4}, 0.046);
      const int fore =
          add(side + "Fore" + limb, above, {0, y + s * 0.46, 1.4}, {0, y + s * 0.72, 1.4}, 0.038);
      const int hand = add(side + "Hand", fore, {0, y + s * 0.72, 1.4}, {0, y + s * 0.8, 1.4}, 0.035);
      for (const double f : {-1.0, 0.0, 1.0})
        add(side + "HandFinger" + std::to_string(int(f) + 2), hand, {0.02 * f, y + s * 0.8, 1.4},
            {0.02 * f, y + s * 0.9, 1.4}, 0.01);
    });
  }

  void quadruped() {
    const double y = spec_.lean;
    const int top = spec_.root_bone ? add("Root", -1, {0, y, 0}, {0.2, y, 0}, 0) : -1;
    const int hips = add("Hips", top, {-0.3, y, 0.52}, {-0.1, y, 0.54}, 0.1);
    const int loin = add("Spine", hips, {-0.1, y, 0.54}, {0.1, y, 0.54}, 0.11);
    const int chest = add("Spine1", loin, {0.1, y, 0.54}, {0.35, y, 0.54}, 0.12);
    const int neck = add("Neck", chest, {0.35, y, 0.56}, {0.48, y, 0.72}, 0.06);
    const int head = add("Head", neck, {0.48, y, 0.72}, {0.66, y, 0.7}, 0.06);
    const int tail = add("Tail1", hips, {-0.38, y, 0.54}, {-0.55, y, 0.46}, 0.03);
    add("Tail2", tail, {-0.55, y, 0.46}, {-0.72, y, 0.42}, 0.02);
    both([&](double s, const std::string& side) {
      add(side + "Ear", head, {0.5, y + s * 0.05, 0.78}, {0.5, y + s * 0.06, 0.84}, 0.015);
      const int upper = add(side + "Arm", chest, {0.3, y + s * 0.1, 0.45}, {0.24, y + s * 0.1, 0.3}, 0.05);
      if (spec_.twists)
        add(side + "ArmTwist", upper, {0.27, y + s * 0.1, 0.375}, {0.24, y + s * 0.1, 0.32}, 0.051);
      const int fore =
          add(side + "ForeArm", upper, {0.24, y + s * 0.1, 0.3}, {0.27, y + s * 0.1, 0.06}, 0.03);
      add(side + "Hand", fore, {0.27, y + s * 0.1, 0.06}, {0.32, y + s * 0.1, 0.02}, 0.03);
      const int thigh =
          add(side + "UpLeg", hips, {-0.3, y + s * 0.09, 0.48}, {-0.22, y + s * 0.09, 0.32}, 0.06);
      const int shank =
          add(side + "Leg", thigh, {-0.22, y + s * 0.09, 0.32}, {-0.36, y + s * 0.09, 0.17}, 0.035);
      const int hock =
          add(side + "Hock", shank, {-0.36, y + s * 0.09, 0.17}, {-0.34, y + s * 0.09, 0.05}, 0.025);
      add(side + "Foot", hock, {-0.34, y + s * 0.09, 0.05}, {-0.28, y + s * 0.09, 0.02}, 0.028);
    });
  }

  void crawler(int pairs) {
    const double y = spec_.lean;
    const int top = spec_.root_bone ? add("Root", -1, {0, y, 0}, {0.2, y, 0}, 0) : -1;
    const int body = add("Body", top, {-0.05, y, 0.16}, {0.15, y, 0.16}, 0.07);
    const int back = add("Abdomen", body, {-0.08, y, 0.16}, {-0.36, y, 0.18}, 0.09);
    (void)back;
    add("Head", body, {0.15, y, 0.16}, {0.26, y, 0.16}, 0.05);
    both([&](double s, const std::string& side) {
      for (int k = 0; k < pairs; ++k) {
        const double x = 0.14 - 0.22 * k / double(pairs - 1), fan = 0.25 - 0.5 * k / double(pairs - 1);
        const std::string leg = side + std::string(1, char('A' + k));
        const Vec3d a{x, y + s * 0.06, 0.14}, b{x + 0.05 * fan, y + s * 0.11, 0.14},
            c{x + 0.7 * fan, y + s * 0.26, 0.24}, d{x + fan, y + s * 0.36, 0.0};
        const int coxa = add(leg + "Coxa", body, a, b, 0.018);
        const int femur = add(leg + "Femur", coxa, b, c, 0.014);
        add(leg + "Tibia", femur, c, d, 0.01);
      }
    });
  }

  std::vector<RiggedBone> all;

 private:
  const RiggedSpec& spec_;
};

std::string renamed(const std::string& name, Naming naming, int number) {
  switch (naming) {
    case Naming::mixamo:
      return "mixamorig:" + name;
    case Naming::rigify: {
      if (name.starts_with("Left")) return "DEF-" + name.substr(4) + ".L";
      if (name.starts_with("Right")) return "DEF-" + name.substr(5) + ".R";
      return "DEF-" + name;
    }
    case Naming::cmu: {
      if (name.starts_with("Left")) return "l" + name.substr(4);
      if (name.starts_with("Right")) return "r" + name.substr(5);
      return name;
    }
    case Naming::none:
      return "";
    case Naming::odd:
      return number % 3 == 0   ? "Knochen \xC3\xA4 " + std::to_string(number)
             : number % 3 == 1 ? "joint"
                               : "b[" + std::to_string(number) + "].x";
    case Naming::plain:
      break;
  }
  return name;
}

struct Placed {
  Vec3d p;
  Mat3d R;
};

class RigWriter {
 public:
  explicit RigWriter(const RiggedSpec& spec) : spec_(spec), bones_(rigged_bones(spec)) {}

  void write(const std::string& path) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "a script"}};
    json_["scene"] = 0;
    json_["materials"] = Json::array(
        {Json{{"name", "Fur"}, {"pbrMetallicRoughness", {{"baseColorFactor", {0.6, 0.4, 0.2, 1.0}}}}}});
    place_bones();
    add_nodes();
    add_mesh();
    add_idle();
    json_["extras"] = {{"author", "a script"}};
    finish(path);
  }

 private:
  Vec3d in_file(const Vec3d& v) const {
    Vec3d p = spec_.up == 'z' ? v : spec_.up == '-' ? Vec3d{v.y, -v.z, -v.x} : Vec3d{v.y, v.z, v.x};
    if (spec_.backward) p = spec_.up == 'z' ? Vec3d{-p.x, -p.y, p.z} : Vec3d{-p.x, p.y, -p.z};
    return p * spec_.unit;
  }

  // World places of bones: y along the bone, turned about and away from it where they roll.
  void place_bones() {
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      const Vec3d head = in_file(bones_[i].head), y = normalized(in_file(bones_[i].tail) - head);
      const Vec3d other = std::abs(y.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 0, 1};
      const Vec3d x = normalized(cross(y, other));
      Mat3d R = Mat3d::columns(x, y, cross(x, y));
      const double a = spec_.roll * std::sin(1.7 * double(i) + 1), b = spec_.roll * std::cos(2.9 * double(i));
      R = R * matrix(normalized(Quatd{1, 0.5 * std::sin(a), std::sin(b), 0.5 * std::sin(a - b)}));
      placed_.push_back({head, R});
    }
  }

  static Json quat(const Quatd& q) { return {q.x, q.y, q.z, q.w}; }

  void add_nodes() {
    const double scale = spec_.armature ? 0.01 : 1;
    const Quatd turn = spec_.armature ? normalized(Quatd{1, -1, 0, 0}) : Quatd{};
    Json top = {{"name", "Armature"}, {"children", Json::array()}};
    if (spec_.armature) top["rotation"] = quat(turn), top["scale"] = {scale, scale, scale};
    json_["nodes"] = Json::array({top});
    Json joints = Json::array();
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      const RiggedBone& b = bones_[i];
      const Mat3d above_R = b.parent < 0 ? matrix(turn) : placed_[std::size_t(b.parent)].R;
      const Vec3d above_p = b.parent < 0 ? Vec3d{} : placed_[std::size_t(b.parent)].p;
      const Vec3d t = transpose(above_R) * (placed_[i].p - above_p) * (1 / scale);
      Quatd r = quaternion(transpose(above_R) * placed_[i].R);
      if (spec_.idle_pose && b.parent >= 0 && i % 2) r = r * normalized(Quatd{1, 0.08, 0.05, -0.06});
      Json node = {{"translation", {t.x, t.y, t.z}}, {"rotation", quat(normalized(r))}};
      const std::string name = renamed(b.name, spec_.naming, int(i));
      if (!name.empty()) node["name"] = name;
      json_["nodes"].push_back(node);
      const int above = b.parent + 1;
      json_["nodes"][above]["children"].push_back(i + 1);
      joints.push_back(i + 1);
    }
    std::vector<float> inverse;
    for (const Placed& at : placed_) {
      const Mat3d R = transpose(at.R) * (1 / scale);
      const Vec3d t = R * at.p * -1.0;
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) inverse.push_back(float(R(i, j)));
        inverse.push_back(0);
      }
      for (const double x : {t.x, t.y, t.z, 1.0}) inverse.push_back(float(x));
    }
    json_["skins"] =
        Json::array({Json{{"joints", joints}, {"inverseBindMatrices", accessor(inverse, 5126, 16, "MAT4")}}});
    json_["nodes"].push_back({{"name", "Body"}, {"mesh", 0}, {"skin", 0}});
    json_["scenes"] = Json::array({Json{{"nodes", {0, json_["nodes"].size() - 1}}}});
  }

  // A prism with pointed ends around every bone; feet are as flat as their height.
  void add_mesh() {
    std::vector<float> positions, weights;
    std::vector<std::uint16_t> joints, corners;
    std::vector<float> low(3, 1e9f), high(3, -1e9f);
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      const RiggedBone& b = bones_[i];
      if (!(b.radius > 0)) continue;
      const Vec3d along = normalized(b.tail - b.head),
                  other = std::abs(along.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
      const Vec3d u = normalized(cross(along, other)), v = cross(along, u);
      const auto first = std::uint16_t(positions.size() / 3);
      constexpr int sides = 8, rings = 5;
      for (int ring = 0; ring < rings; ++ring)
        for (int k = 0; k < sides; ++k) {
          const double angle = 2 * 3.14159265358979 * k / sides, s = double(ring) / (rings - 1);
          const double r = b.radius * (ring == 0 || ring == rings - 1 ? 0.6 : 1);
          Vec3d p = b.head + (b.tail - b.head) * s + u * (r * std::cos(angle)) + v * (r * std::sin(angle));
          p.z = std::max(p.z, 0.0);
          p = in_file(p);
          for (int c = 0; c < 3; ++c) {
            positions.push_back(float(p[c]));
            low[std::size_t(c)] = std::min(low[std::size_t(c)], float(p[c])),
            high[std::size_t(c)] = std::max(high[std::size_t(c)], float(p[c]));
          }
          // the first ring follows the bone above a little
          const bool shared = ring == 0 && b.parent >= 0;
          joints.insert(joints.end(), {std::uint16_t(i), std::uint16_t(shared ? b.parent : 0), 0, 0});
          weights.insert(weights.end(), {shared ? 0.7f : 1.0f, shared ? 0.3f : 0.0f, 0, 0});
        }
      const auto at = [&](int ring, int k) { return std::uint16_t(first + ring * sides + k % sides); };
      for (int ring = 0; ring + 1 < rings; ++ring)
        for (int k = 0; k < sides; ++k)
          corners.insert(corners.end(), {at(ring, k), at(ring, k + 1), at(ring + 1, k), at(ring, k + 1),
                                         at(ring + 1, k + 1), at(ring + 1, k)});
      for (int k = 1; k + 1 < sides; ++k)
        corners.insert(corners.end(), {at(0, 0), at(0, k + 1), at(0, k), at(rings - 1, 0), at(rings - 1, k),
                                       at(rings - 1, k + 1)});
    }
    const int position = accessor(positions, 5126, 3, "VEC3");
    json_["accessors"][position]["min"] = low, json_["accessors"][position]["max"] = high;
    const Json part = {{"attributes",
                        {{"POSITION", position},
                         {"JOINTS_0", accessor(joints, 5123, 4, "VEC4")},
                         {"WEIGHTS_0", accessor(weights, 5126, 4, "VEC4")}}},
                       {"indices", accessor(corners, 5123, 1, "SCALAR")},
                       {"material", 0}};
    json_["meshes"] = Json::array({Json{{"name", "Body"}, {"primitives", Json::array({part})}}});
  }

  void add_idle() {
    const int input = accessor(std::vector<float>{0, 1}, 5126, 1, "SCALAR");
    json_["accessors"][input]["min"] = Json::array({0.0}),
    json_["accessors"][input]["max"] = Json::array({1.0});
    const int output = accessor(std::vector<float>{0, 0, 0, 1, 0, 0.1f, 0, 0.99498744f}, 5126, 4, "VEC4");
    json_["animations"] = Json::array({Json{
        {"name", "Idle"},
        {"samplers", Json::array({Json{{"input", input}, {"output", output}}})},
        {"channels", Json::array({Json{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}})}}});
  }

  template <class T>
  int accessor(const std::vector<T>& values, int component, std::size_t width, const char* type) {
    binary_.resize((binary_.size() + 3) / 4 * 4);
    const std::size_t at = binary_.size(), bytes = values.size() * sizeof(T);
    binary_.insert(binary_.end(), reinterpret_cast<const char*>(values.data()),
                   reinterpret_cast<const char*>(values.data()) + bytes);
    json_["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", bytes}});
    json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                  {"componentType", component},
                                  {"count", values.size() / width},
                                  {"type", type}});
    return int(json_["accessors"].size()) - 1;
  }

  void finish(const std::string& path) {
    binary_.resize((binary_.size() + 3) / 4 * 4);
    json_["buffers"] = Json::array({Json{{"byteLength", binary_.size()}}});
    if (path.ends_with(".gltf")) {
      const std::string data = path.substr(0, path.size() - 5) + ".bin";
      json_["buffers"][0]["uri"] = std::filesystem::path(data).filename().string();
      write_file(data, {binary_.data(), binary_.size()});
      write_file(path, json_.dump(1));
      return;
    }
    FileWriter file(path);
    write_glb_head(file, path, json_.dump(), binary_.size());
    file.write(binary_.data(), binary_.size());
    file.commit();
  }

  RiggedSpec spec_;
  std::vector<RiggedBone> bones_;
  std::vector<Placed> placed_;
  Json json_;
  std::vector<char> binary_;
};

}  // namespace

std::vector<RiggedBone> rigged_bones(const RiggedSpec& spec) {
  Bones bones(spec);
  switch (spec.build) {
    case Build::biped:
    case Build::bird:
      bones.biped(spec.build == Build::bird);
      break;
    case Build::quadruped:
      bones.quadruped();
      break;
    case Build::hexapod:
    case Build::octopod:
      bones.crawler(spec.build == Build::hexapod ? 3 : 4);
      break;
  }
  return std::move(bones.all);
}

void write_rigged(const RiggedSpec& spec, const std::string& path) { RigWriter(spec).write(path); }

}  // namespace legwork
