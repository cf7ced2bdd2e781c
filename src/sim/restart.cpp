// Lanes that start anew while others go on.

#include "sim/simulation.h"

namespace legwork {

namespace {

template <class T>
void put_back(T& now, const T& before, int i) {
  set_lane(now, i, lane(before, i));
}

template <class T>
void put_back(Vec3<T>& now, const Vec3<T>& before, int i) {
  for (int k = 0; k < 3; ++k) put_back(now[k], before[k], i);
}

template <class T>
void put_back(SiteState<T>& now, const SiteState<T>& before, int i) {
  put_back(now.anchored, before.anchored, i), put_back(now.stuck, before.stuck, i);
  put_back(now.anchor, before.anchor, i), put_back(now.point, before.point, i);
}

template <class Item>
void put_back(std::vector<Item>& now, const std::vector<Item>& before, int i) {
  for (std::size_t k = 0; k < now.size(); ++k) put_back(now[k], before[k], i);
}

template <class T>
void put_back(State<T>& now, const State<T>& before, int i) {
  put_back(now.q, before.q, i), put_back(now.v, before.v, i);
  put_back(now.drive.tau, before.drive.tau, i), put_back(now.drive.target, before.drive.target, i);
  put_back(now.drive.rest, before.drive.rest, i), put_back(now.drive.rest_rate, before.drive.rest_rate, i);
  put_back(now.drive.x, before.drive.x, i), put_back(now.drive.x_rate, before.drive.x_rate, i);
  put_back(now.contact.sites, before.contact.sites, i), put_back(now.contact.grip, before.contact.grip, i);
  put_back(now.broken, before.broken, i), put_back(now.activation, before.activation, i);
  put_back(now.work, before.work, i), put_back(now.turnover, before.turnover, i);
}

template <class T>
void put_back(Energy<T>& now, const Energy<T>& before, int i) {
  put_back(now.kinetic, before.kinetic, i), put_back(now.gravity, before.gravity, i);
  put_back(now.elastic, before.elastic, i), put_back(now.contact, before.contact, i);
  put_back(now.work, before.work, i);
}

}  // namespace

template <class T>
void Simulation<T>::restart(const std::array<bool, lanes_of<T>>& which) {
  const State<T> before = state;
  const EnergyOrigin<T> before_origin = origin;
  const auto failures = failures_;
  const long calls = dynamics_calls;
  restart();
  state.time = before.time;
  state.drive.x.resize(before.drive.x.size()), state.drive.x_rate.resize(before.drive.x_rate.size());
  state.contact.off = before.contact.off;
  dynamics_calls = calls;
  for (int i = 0; i < lanes_of<T>; ++i) {
    if (which[std::size_t(i)]) continue;
    put_back(state, before, i);
    put_back(origin.start, before_origin.start, i);
    put_back(origin.turnover, before_origin.turnover, i);
    failures_[std::size_t(i)] = failures[std::size_t(i)];
  }
  state.contact.changed();
  refresh();
  backup_ = state;
}

template void Simulation<double>::restart(const std::array<bool, 1>&);
template void Simulation<Batch>::restart(const std::array<bool, batch_lanes>&);

}  // namespace legwork
