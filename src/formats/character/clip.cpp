#include "formats/character/clip.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "formats/gltf/skeleton.h"
#include "math/scalar.h"
#include "motion/resample.h"

namespace legwork {

namespace fs = std::filesystem;

namespace {

// A node's place in its parent as glTF wants it.
struct Local {
  Vec3d translation, scale;
  Quatd rotation;
};

Local split(const Placing& a) {
  const Vec3d x = a.M.column(0), y = a.M.column(1), z = a.M.column(2);
  const Vec3d size{norm(x), norm(y), norm(z)};
  return {a.p, size,
          normalized(quaternion(Mat3d::columns(x * (1 / size.x), y * (1 / size.y), z * (1 / size.z))))};
}

class ClipMaker {
 public:
  ClipMaker(const CharacterFile& file, const Motion& motion)
      : file_(file),
        figure_(find_figure(file)),
        motion_(motion),
        model_(make_model(motion.creature)),
        w_(model_),
        skeleton_(motion, model_),
        link_of_(file.nodes.size(), -1),
        now_(file.nodes.size()),
        last_(file.nodes.size()) {
    const CharacterFrame& f = figure_.frame;
    to_legwork_ = {f.turn * f.scale, f.origin * -f.scale};
    to_file_ = inverse(to_legwork_);
    for (std::size_t i = 0; i < figure_.links.size(); ++i) {
      const FigureLink& l = figure_.links[i];
      const std::string& name = file.nodes[std::size_t(l.node)].name;
      const int link = motion.creature.link(name);
      if (link < 0)
        throw Error({motion.creature.character, 0}, "",
                    "the creature has no link for the bone '" + name + "'",
                    "keep the names of links as `legwork rig` wrote them");
      for (const int bone : l.bones) link_of_[std::size_t(bone)] = int(i);
      creature_link_.push_back(link);
    }
    for (const int b : file.bones) clip_.tracks.push_back({b, {}, {}, {}});
  }

  CharacterClip make(const std::vector<double>& times) {
    Sampler sampler(model_, motion_);
    std::vector<double> q(std::size_t(model_.nq));
    for (const double time : times) {
      const float at = float(time - times.front());
      if (!clip_.times.empty() && !(at > clip_.times.back())) continue;
      sampler.at(time);
      sampler.positions(q.data());
      if (std::any_of(q.begin(), q.end(), [](double x) { return !std::isfinite(float(x)); })) continue;
      update_positions(model_, q.data(), w_);
      clip_.times.push_back(at);
      place_nodes();
      for (NodeTrack& track : clip_.tracks) add_row(track);
    }
    for (NodeTrack& track : clip_.tracks) thin(track);
    return std::move(clip_);
  }

 private:
  // How the world of the file is carried along with a link, from the bind pose.
  Placing carried(int figure_link) const {
    const FigureLink& l = figure_.links[std::size_t(figure_link)];
    const int link = creature_link_[std::size_t(figure_link)];
    const Mat3d M = w_.R[link] * matrix(l.set);
    return to_file_ * Placing{M, w_.p[link] - M * l.bind_head} * to_legwork_;
  }
  // And with the travel of the whole body.
  Placing travelled() const {
    for (std::size_t i = 0; i < skeleton_.bones.size(); ++i)
      if (skeleton_.bones[i].root) {
        const gltf::Place now = skeleton_.place(w_, int(i)), rest = skeleton_.place(skeleton_.rest, int(i));
        const Mat3d M = now.rot * transpose(rest.rot);
        return to_file_ * Placing{M, now.pos - M * rest.pos} * to_legwork_;
      }
    return {};
  }

  void place_nodes() {
    for (const int i : file_.order) {
      const CharacterNode& n = file_.nodes[std::size_t(i)];
      Placing& now = now_[std::size_t(i)];
      if (link_of_[std::size_t(i)] >= 0)
        now = carried(link_of_[std::size_t(i)]) * n.bind;
      else if (std::find(figure_.root.begin(), figure_.root.end(), i) != figure_.root.end())
        now = travelled() * n.bind;
      else
        now = n.parent < 0 ? n.local : now_[std::size_t(n.parent)] * n.local;
    }
  }

  void add_row(NodeTrack& track) {
    const CharacterNode& n = file_.nodes[std::size_t(track.node)];
    const Placing& now = now_[std::size_t(track.node)];
    Local l = split(n.parent < 0 ? now : inverse(now_[std::size_t(n.parent)]) * now);
    Quatd& r = l.rotation;
    Quatd& before = last_[std::size_t(track.node)];
    if (r.w * before.w + r.x * before.x + r.y * before.y + r.z * before.z < 0) r = {-r.w, -r.x, -r.y, -r.z};
    before = r;
    for (const double x : {l.translation.x, l.translation.y, l.translation.z})
      track.translation.push_back(float(x));
    for (const double x : {r.x, r.y, r.z, r.w}) track.rotation.push_back(float(x));
    for (const double x : {l.scale.x, l.scale.y, l.scale.z}) track.scale.push_back(float(x));
  }

  // Rows that are all the same but for rounding become one, and none where the file says the same.
  void thin(NodeTrack& track) const {
    const Local said = split(file_.nodes[std::size_t(track.node)].local);
    const double length = norm(said.translation) + 1e-6;
    const auto still = [](const std::vector<float>& rows, std::size_t width, const std::vector<double>& place,
                          double close) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (std::abs(double(rows[k]) - place[k % width]) > close) return false;
      return true;
    };
    const auto thin_rows = [&](std::vector<float>& rows, std::size_t width, const std::vector<double>& file,
                               double close) {
      if (rows.empty()) return;
      const std::vector<double> first(rows.begin(), rows.begin() + std::ptrdiff_t(width));
      if (still(rows, width, file, close))
        rows.clear();
      else if (still(rows, width, first, close))
        rows.resize(width);
    };
    const Quatd& r = said.rotation;
    const double sign =
        track.rotation.empty() || double(track.rotation[0]) * r.x + double(track.rotation[1]) * r.y +
                                          double(track.rotation[2]) * r.z + double(track.rotation[3]) * r.w >=
                                      0
            ? 1
            : -1;
    thin_rows(track.translation, 3, {said.translation.x, said.translation.y, said.translation.z},
              1e-6 * length);
    thin_rows(track.rotation, 4, {sign * r.x, sign * r.y, sign * r.z, sign * r.w}, 1e-6);
    // a bone's size does not change
    if (!track.scale.empty()) track.scale.resize(3);
    thin_rows(track.scale, 3, {said.scale.x, said.scale.y, said.scale.z}, 1e-3 * norm(said.scale));
  }

  const CharacterFile& file_;
  Figure figure_;
  const Motion& motion_;
  Model<double> model_;
  Workspace<double> w_;
  gltf::Skeleton skeleton_;
  Placing to_legwork_, to_file_;
  std::vector<int> link_of_;  // by node: of the figure, or -1
  std::vector<int> creature_link_;
  std::vector<Placing> now_;  // by node: world
  std::vector<Quatd> last_;
  CharacterClip clip_;
};

}  // namespace

std::unique_ptr<CharacterFile> character_of(const Creature& creature) {
  if (creature.character.empty()) return {};
  std::error_code failed;
  const fs::path beside = fs::path(creature.where.file).parent_path() / creature.character;
  for (const fs::path& path : {beside, fs::path(creature.character)})
    if (fs::is_regular_file(path, failed)) return std::make_unique<CharacterFile>(path.string());
  return {};
}

CharacterClip make_clip(const CharacterFile& file, const Motion& motion, double rate) {
  return ClipMaker(file, motion).make(sample_times(motion, rate));
}

}  // namespace legwork
