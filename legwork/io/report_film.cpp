#include "legwork/io/report_film.h"

#include <algorithm>
#include <cmath>

#include "legwork/dynamics/dynamics.h"
#include "legwork/motion/resample.h"

namespace legwork {

namespace {

// Frames before the first whose configuration is not finite.
int finite_frames(const Motion& motion) {
  const auto bad = std::find_if(motion.q.begin(), motion.q.end(), [](double x) { return !std::isfinite(x); });
  if (bad == motion.q.end()) return motion.frames();
  return int(std::size_t(bad - motion.q.begin()) / std::size_t(motion.creature.nq()));
}

double film_seconds(const Motion& motion) {
  const int frames = finite_frames(motion);
  return frames > 1 ? motion.time[frames - 1] - motion.time[0] : 0;
}

}  // namespace

int film_frames(const Motion& motion, double rate) {
  const int own = finite_frames(motion);
  const double wanted = std::round(film_seconds(motion) * rate) + 1;
  return own < 2 ? own : std::max(2, int(std::min(wanted, double(own))));
}

Film make_film(const Motion& motion, double rate) {
  Film film;
  film.motion = &motion;
  film.model = make_model(motion.creature);
  film.frames = film_frames(motion, rate);
  film.start = motion.time.empty() ? 0 : motion.time[0];
  const double seconds = film_seconds(motion);
  film.rate = seconds > 0 ? (film.frames - 1) / seconds : rate;

  const Model<double>& m = film.model;
  const std::size_t frames = std::size_t(film.frames), links = std::size_t(m.nlink);
  const int contact_width = 3 * int(motion.creature.contacts.size());
  film.q.resize(frames * m.nq);
  film.R.resize(frames * links), film.p.resize(frames * links), film.com.resize(frames);
  if (!motion.tau.empty()) film.tau.resize(frames * m.nv);
  if (!motion.contact_force.empty()) film.force.resize(frames * contact_width);

  Workspace<double> w(m);
  Sampler sampler(m, motion);
  for (std::size_t i = 0; i < frames; ++i) {
    double* q = film.q.data() + i * m.nq;
    sampler.at(film.time(int(i)));
    sampler.positions(q);
    update_positions(m, q, w);
    std::copy(w.R.begin(), w.R.end(), film.R.begin() + i * links);
    std::copy(w.p.begin(), w.p.end(), film.p.begin() + i * links);
    film.com[i] = center_of_mass(m, w);
    if (!film.tau.empty()) sampler.values(motion.tau, m.nv, film.tau.data() + i * m.nv);
    if (!film.force.empty())
      sampler.values(motion.contact_force, contact_width, film.force.data() + i * contact_width);
  }
  return film;
}

std::vector<int> legs_of_links(const Creature& creature) {
  std::vector<int> out(creature.links.size(), -1);
  for (std::size_t leg = 0; leg < creature.legs.size(); ++leg)
    if (creature.legs[leg].hip >= 0) out[creature.legs[leg].hip] = int(leg);
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k] < 0 && creature.links[k].parent >= 0) out[k] = out[creature.links[k].parent];
  return out;
}

std::vector<std::vector<ReportStance>> stance_from_forces(const Motion& motion) {
  const Creature& c = motion.creature;
  const std::size_t contacts = c.contacts.size();
  std::vector<std::vector<ReportStance>> stance(c.legs.size());
  if (motion.contact_force.empty()) return stance;
  const std::vector<int> leg_of = legs_of_links(c);
  for (std::size_t leg = 0; leg < c.legs.size(); ++leg) {
    bool was_down = false;
    for (int f = 0; f < motion.frames(); ++f) {
      bool down = false;
      for (std::size_t k = 0; k < contacts; ++k) {
        const double* force = motion.contact_force.data() + 3 * (std::size_t(f) * contacts + k);
        down |= leg_of[c.contacts[k].link] == int(leg) && (force[0] != 0 || force[1] != 0 || force[2] != 0);
      }
      if (down && !was_down) stance[leg].push_back({motion.time[f], motion.time[f]});
      if (down || was_down) stance[leg].back().up = motion.time[f];
      was_down = down;
    }
  }
  return stance;
}

std::vector<Track> make_tracks(const Film& film, const std::vector<std::vector<ReportStance>>& stance,
                               const Terrain& terrain) {
  const Creature& c = film.motion->creature;
  std::vector<Track> tracks;
  if (film.frames == 0 || terrain.type == TerrainType::none) return tracks;
  const double last = film.time(film.frames - 1);
  std::vector<double> q(film.model.nq);
  Workspace<double> w(film.model);
  Sampler sampler(film.model, *film.motion);
  for (std::size_t leg = 0; leg < stance.size(); ++leg)
    for (const ReportStance& s : stance[leg]) {
      if (c.legs[leg].foot < 0 || s.down > last) continue;
      sampler.at(s.down);
      sampler.positions(q.data());
      update_positions(film.model, q.data(), w);
      const Vec3d sole = point_position(w, c.legs[leg].foot, c.legs[leg].sole);
      const GroundSample ground = sample(terrain, sole.x, sole.y);
      tracks.push_back({int(leg), s.down, {sole.x, sole.y, ground.height}, ground.normal});
    }
  std::stable_sort(tracks.begin(), tracks.end(),
                   [](const Track& a, const Track& b) { return a.time < b.time; });
  return tracks;
}

}  // namespace legwork
