// Events: a step over which a watched quantity changes sign is taken back and repeated in part, until the
// earliest change is enclosed by event_tolerance. What is left of the step follows after the event was
// delivered.

#include <algorithm>

#include "sim/simulation.h"

namespace legwork {

namespace {

constexpr int most_events_in_step = 64;  // more than that is a chatter: the rest of the step is not searched

bool crossed(EventType type, double before, double after) {
  switch (type) {
    case EventType::touch_down:
    case EventType::joint_limit:
      return before > 0 && after <= 0;
    case EventType::lift_off:
      return before <= 0 && after > 0;
    case EventType::condition:
      return before < 0 && after >= 0;
  }
  return false;
}

}  // namespace

template <>
int Simulation<double>::on(EventType type, Listener listener) {
  subscriptions_.push_back({type, {}, std::move(listener)});
  return int(subscriptions_.size()) - 1;
}

template <>
int Simulation<double>::on_condition(Condition condition, Listener listener) {
  subscriptions_.push_back({EventType::condition, std::move(condition), std::move(listener)});
  return int(subscriptions_.size()) - 1;
}

// Every watched quantity: heights of contact points above the ground, distances to joint limits, conditions.
template <>
void Simulation<double>::watch(std::vector<double>& values) {
  values.clear();
  for (const Subscription& s : subscriptions_) {
    switch (s.type) {
      case EventType::touch_down:
      case EventType::lift_off:
        for (const ContactSite<double>& c : system_->contacts.sites)
          values.push_back(
              -ground_depth(system_->world.terrain, point_position(w, c.link, c.pos), c.radius).depth);
        break;
      case EventType::joint_limit:
        for (int i = 0; i < system_->joints.nv; ++i)
          values.push_back(limit_gap(system_->joints, x.data(), i));
        break;
      case EventType::condition:
        values.push_back(s.condition(*this));
        break;
    }
  }
  if (rigid.on && !rigid.by_impulses) watch_touches(values);
}

template <>
void Simulation<double>::find_crossings() {
  crossings_.clear();
  int k = 0;
  for (int n = 0; n < int(subscriptions_.size()); ++n) {
    const EventType type = subscriptions_[n].type;
    const int count = type == EventType::condition     ? 1
                      : type == EventType::joint_limit ? system_->joints.nv
                                                       : int(system_->contacts.sites.size());
    for (int i = 0; i < count; ++i, ++k)
      if (crossed(type, values_before_[k], values_after_[k]))
        crossings_.push_back({n, type == EventType::condition ? n : i, k});
  }
  // rigid ground: gaps, and last the relation of boxes, which is a number that changes
  for (; k < int(values_before_.size()); ++k)
    if (k + 1 < int(values_before_.size())
            ? crossed(EventType::touch_down, values_before_[k], values_after_[k])
            : values_before_[k] != values_after_[k])
      crossings_.push_back({-1, 0, k});
}

// On entry a step of h from event_start_ has crossings_. Leaves the state just after the earliest of them and
// returns the time since event_start_. The bracket (low, high] closes from both sides around the secant's
// guess; every third try halves it, so that no function can stall the search.
template <>
double Simulation<double>::locate(double h) {
  const double tolerance = max(options.event_tolerance, 1e-15 * abs(event_start_.time));
  double low = 0, high = h, reached = h;
  const auto go = [&](double s) {
    state = event_start_;
    refresh();
    rigid.plan.astray = false;
    advance(s);
    reached = s;
  };
  // values_before_ are those at low, values_after_ those at high
  for (int n = 0; high - low > tolerance && n < 200; ++n) {
    double guess = high;
    for (const Crossing& c : crossings_) {
      const double before = values_before_[c.value], change = before - values_after_[c.value];
      if (change != 0) guess = min(guess, low + (high - low) * (before / change));
    }
    double s = guess + (n % 3 == 0 ? 0.4 : -0.4) * tolerance;
    if (n % 3 == 2 || !(s > low && s < high)) s = 0.5 * (low + high);
    go(s);
    if (!alive()) return s;
    values_.swap(values_after_);  // keep those at high
    watch(values_after_);
    const std::vector<Crossing> at_high = crossings_;
    find_crossings();
    if (!crossings_.empty()) {
      high = s;
      continue;
    }
    low = s;
    values_before_ = values_after_;
    values_after_.swap(values_);
    crossings_ = at_high;
  }
  if (reached != high) go(high);
  return high;
}

template <>
void Simulation<double>::deliver() {
  const std::vector<Crossing> found = crossings_;
  for (const Crossing& c : found) {
    if (c.subscription < 0) continue;
    const Subscription& s = subscriptions_[c.subscription];
    s.listener(*this, {s.type, c.index, state.time});
  }
}

template <>
bool Simulation<double>::advance_with_events(double h) {
  double left = h;
  for (int n = 0; n < most_events_in_step; ++n) {
    if (rigid.on) begin_rigid_step();
    watch(values_before_);
    event_start_ = state;
    advance(left);
    if (!alive()) return false;
    watch(values_after_);
    find_crossings();
    const bool event = !crossings_.empty();
    const double taken = event ? locate(left) : left;
    if (!alive()) return false;
    if (gone_astray()) return move_rigid(left);
    left -= taken;
    if (rigid.on) end_rigid_step(event);
    if (!event) return alive();
    deliver();
    if (!alive()) return false;
    if (left <= options.event_tolerance || pause_at_events) return true;
    if (rigid.on && state.time < rigid.busy_until) return move_rigid(left);
  }
  advance(left);
  return alive();
}

}  // namespace legwork
