// When it cannot be done: which equation, which limit, and what to change.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "direct/director.h"

namespace legwork {

namespace {

constexpr double at_end = 0.02;  // rad or m: a joint this near to the end of its range is at it

}  // namespace

std::string Director::owner_name(int owner) const {
  const Creature& body = system_.world.body;
  const auto dof = [&](int i) { return "'" + body.dofs()[size_t(i)]->name + "'"; };
  if (owner < 0) return "the limits";
  const int index = owner & ((1 << 20) - 1);
  switch (owner & ~((1 << 20) - 1)) {
    case dynamics_of:
      return "the motion of " + dof(index) + ", which no torque drives";
    case hold_of:
      return "the hold of '" + body.links[size_t(index)].name + "'";
    case loop_of:
      return "the loop '" + body.loops[size_t(index)].name + "'";
    case grasp_of:
      return "the grasp of '" + body.links[size_t(index)].name + "'";
    case coupling_of:
      return "the coupling '" + body.couplings[size_t(index)].name + "'";
    case torque_of:
      return "the torque limit of " + dof(index);
    case range_of:
      return "the range of " + dof(index);
    case touch_of: {
      const RigidTouch& t = contacts_.touches[size_t(index)];
      return "the ground under '" +
             (t.site >= 0 ? body.contacts[size_t(t.site)].name : body.links[size_t(t.link)].name) + "'";
    }
    default:
      return "'" + equations_[size_t(owner)].name + "'";
  }
}

// The smallest violation: all equations soft and heavy, everything else as it is.
std::string Director::explain_violation() {
  formulate(false, true);
  if (problem_.solve(y_.data()) != QuadraticOutcome::solved) {
    formulate(false, false);
    if (problem_.solve(y_.data()) != QuadraticOutcome::solved) return "";
  }
  std::string text;
  for (const Equation& e : equations_) {
    const double missed = e.hard() ? residual(e, y_.data()) : 0;
    if (missed > 1e-3)
      text += (text.empty() ? "'" : ", '") + e.name + "' misses by at least " +
              to_text(std::round(missed * 1e4) / 1e4);
  }
  return text;
}

void Director::explain(QuadraticOutcome outcome) {
  const QuadraticProblem::Clash clash = problem_.clash();
  if (std::isnan(clash.gap))
    return fail(Status::diverged,
                "diverged at " + to_text(time()) + " s: accelerations are no longer finite; " + advise());
  const std::string when = "at " + to_text(std::round(time() * 1e9) / 1e9) + " s: ";
  std::vector<std::string> names;
  for (const int owner : clash.against) {
    const std::string name = owner_name(owner);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (outcome == QuadraticOutcome::conflict) {
    const bool equation = clash.owner < dynamics_of;
    fail(Status::stopped,
         "contradiction " + when + (equation ? "equation " : "") + owner_name(clash.owner) +
             " cannot hold, it misses by " + to_text(std::abs(clash.gap)) +
             (names.empty() ? ", since nothing can move it" : ", against " + join(names, ", ")) +
             "; remove one of them or give it a weight");
    return;
  }
  const std::string who = owner_name(clash.owner);
  const std::string missed = explain_violation();
  fail(Status::stopped, "infeasible " + when + who + (names.empty() ? "" : " with " + join(names, ", ")) +
                            " cannot supply what the equations demand; " +
                            (missed.empty() ? "" : missed + "; ") +
                            "give equations a weight, or ask for less");
}

void Director::fail(Status status, const std::string& text) {
  if (status_ != Status::ok) return;
  status_ = status, status_text_ = text, status_time_ = time();
  sim_.stop(status);
}

// What to change where motion runs away: joints at the ends of their ranges lack room.
std::string Director::advise() const {
  const std::vector<const Dof*> dofs = system_.world.body.dofs();
  std::vector<std::string> ends;
  for (size_t j = 0; j < v_.size() && ends.size() < 6; ++j)
    if (x_[j] < lower_[j] + at_end || x_[j] > upper_[j] - at_end) ends.push_back("'" + dofs[j]->name + "'");
  if (ends.empty())
    return "near a singular pose (a straight knee that must reach further) equations demand too much; give "
           "them a weight, or ask for less";
  const bool many = ends.size() > 1;
  return join(ends, ", ") + (many ? " are at the ends of their ranges" : " is at the end of its range") +
         "; ask for less, or give " + (many ? "them a wider one" : "it a wider one");
}

}  // namespace legwork
