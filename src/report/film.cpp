#include "report/film.h"

#include <algorithm>
#include <cmath>

#include "dynamics/dynamics.h"
#include "motion/resample.h"

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

bool is_finite(const Motion& motion) { return finite_frames(motion) == motion.frames(); }

Motion finite_part(const Motion& motion) {
  const auto frames = std::size_t(finite_frames(motion)), all = motion.time.size();
  Motion part = motion;
  const auto cut = [&](std::vector<double>& rows) { rows.resize(rows.size() / all * frames); };
  for (std::vector<double>* rows : {&part.time, &part.q, &part.v, &part.tau, &part.contact_force}) cut(*rows);
  for (Channel& channel : part.channels) cut(channel.values);
  return part;
}

}  // namespace legwork
