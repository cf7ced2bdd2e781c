#pragma once
// A .glb as any other program sees it, following the glTF specification alone.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/gltf/glb_file.h"
#include "math/vec.h"

namespace legwork {

// Its JSON, and accessors as rows of floats.
struct Gltf {
  explicit Gltf(const std::string& path) : file(path), json(nlohmann::json::parse(file.json())) {}

  std::vector<std::vector<float>> rows(int accessor) {
    const auto& a = json["accessors"][accessor];
    const auto& view = json["bufferViews"][a["bufferView"].get<int>()];
    const std::size_t width = a["type"] == "SCALAR" ? 1 : a["type"] == "VEC3" ? 3 : 4;
    std::vector<std::vector<float>> out(a["count"], std::vector<float>(width));
    std::uint64_t at = view["byteOffset"].get<std::uint64_t>() + a.value("byteOffset", 0);
    for (auto& row : out) file.read(at, row.data(), width * 4), at += width * 4;
    return out;
  }
  // Output rows of the animation's channel for a node; none where it has no such channel.
  std::vector<std::vector<float>> track(int node, const std::string& path) {
    const auto& animation = json["animations"][0];
    for (const auto& channel : animation["channels"])
      if (channel["target"]["node"] == node && channel["target"]["path"] == path)
        return rows(animation["samplers"][channel["sampler"].get<int>()]["output"]);
    return {};
  }

  GlbReader file;
  nlohmann::json json;
};

struct Place {
  Vec3d pos;
  Mat3d rot = Mat3d::identity();  // with the scale
};

// Where every node is at a frame of the animation, following the file alone.
inline std::vector<Place> places(Gltf& g, std::size_t frame) {
  std::vector<Place> all(g.json["nodes"].size());
  const auto visit = [&](const auto& self, int index, const Place& parent) -> void {
    const auto& node = g.json["nodes"][index];
    std::vector<double> t = node.value("translation", std::vector<double>{0, 0, 0});
    std::vector<double> r = node.value("rotation", std::vector<double>{0, 0, 0, 1});
    const std::vector<double> s = node.value("scale", std::vector<double>{1, 1, 1});
    const auto moved = g.track(index, "translation"), turned = g.track(index, "rotation");
    const auto row = [&](const auto& rows) -> const auto& { return rows[std::min(frame, rows.size() - 1)]; };
    if (!moved.empty()) t.assign(row(moved).begin(), row(moved).end());
    if (!turned.empty()) r.assign(row(turned).begin(), row(turned).end());
    Place& here = all[index];
    here.pos = parent.pos + parent.rot * Vec3d{t[0], t[1], t[2]};
    here.rot = parent.rot * matrix(normalized(Quatd{r[3], r[0], r[1], r[2]})) *
               Mat3d(s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]);
    for (const auto& child : node.value("children", nlohmann::json::array())) self(self, child, here);
  };
  for (const auto& root : g.json["scenes"][0]["nodes"]) visit(visit, root, {});
  return all;
}

}  // namespace legwork
