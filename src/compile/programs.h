#pragma once
// Tapes of what the library calculates: the library's own code, run once with a scalar that writes down.

#include <memory>

#include "compile/tape.h"
#include "sim/record.h"

namespace legwork {

// Numbers of an array from some place on.
std::vector<Trace> inputs(Tape& tape, int array, int first, int count);

// qdd from q, v and tau; loops stay closed.
std::unique_ptr<Tape> record_forward(const System<double>& system);
// tau from q, v and qdd.
std::unique_ptr<Tape> record_inverse(const System<double>& system);
std::unique_ptr<Tape> record_mass_matrix(const System<double>& system);
// Position and Jacobian of a point.
std::unique_ptr<Tape> record_jacobian(const System<double>& system, int link, const Vec3d& point);
// One step of a simulation: the state is read and written.
std::unique_ptr<Tape> record_step(const System<double>& system, const StepOptions& options);

// What every contact point remembers, as numbers of one array; the same order for all scalars.
template <class T, class Visit>
void for_each_memory(const Contacts<T>& contacts, ContactState<T>& state, const Visit& visit) {
  for (std::size_t i = 0; i < state.sites.size(); ++i) {
    if (!contacts.sites[i].moves) continue;
    SiteState<T>& s = state.sites[i];
    visit(s.anchored);
    if (contacts.options.type == ContactType::sticky && contacts.sites[i].foot) visit(s.stuck);
    for (int k = 0; k < 3; ++k) visit(s.anchor[k]);
    for (int k = 0; k < 3; ++k) visit(s.point[k]);
  }
}

}  // namespace legwork
