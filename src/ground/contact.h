#pragma once
// Contact of points with the ground.
//
// A contact site is a point of a link with a ball of some radius around it. Depth d is measured along the
// ground's normal n, x is the site's lowest point, v its velocity.
//   normal      f_n = max(0, spring(d) e(v_n) - damping(d) v_n), never pulling;
//   tangential  a bristle: a spring from an anchor on the ground to the point, with a damper. Where the
//               bristle would pull with more than mu f_n it gives mu f_n, and its anchor slides along. A body
//               on a slope below the friction angle thus comes to rest on stretched bristles and does not
//               creep.
// Anchors are the only memory of a contact, in ContactState. Forces are a pure function of (q, v, state):
// intermediate stages of an integrator pass next = nullptr. Once per accepted step, in its first evaluation,
// the integrator passes the state as next and the anchors follow what that evaluation found.

#include <algorithm>
#include <type_traits>
#include <vector>

#include <legwork/world.h>
#include "dynamics/model.h"
#include "ground/terrain.h"

namespace legwork {

// A point that feels the ground, with the law of its body. Chosen values of ContactOptions are filled in.
template <class T>
struct ContactSite {
  int link = 0;
  int axis_link = 0;  // whose x axis is forward for friction
  bool foot = false;
  bool moves = true;     // false: the link is fixed to the world and feels nothing
  Vec3<T> pos;           // link frame
  T radius = T(0);       // m
  T stiffness, damping;  // linear, N/m, N s/m
  T sink;                // depth at which the damping is complete, m
  T strength, sharpness;
  T bristle_stiffness, bristle_damping;
  T slip_speed;
  T share;  // the part of the body's mass that one point bears, kg
  T stick_strength, stick_sharpness, stick_break_force, stick_break_length;
};

// How deep a site lies in the ground; negative above it. Needs positions in w.
template <class T>
T site_depth(const ContactSite<T>& site, const Terrain& terrain, const Workspace<T>& w) noexcept;

// Neighbouring sites of one link in the box around them: where that is clear of level ground, none is looked
// at.
template <class T>
struct SiteGroup {
  int link = 0, begin = 0, end = 0;  // the sites begin .. end - 1
  Vec3<T> center, half;              // a box around its points, link frame, radii included, m
};

// Every site of a creature, in the order of Creature::contacts; constant. Sites of links that cannot move
// are there, too, and feel nothing.
template <class T>
struct Contacts {
  ContactOptions options;  // type, restitution and friction with nothing left to choose
  std::vector<ContactSite<T>> sites;
  std::vector<SiteGroup<T>> groups;
};

Contacts<double> make_contacts(const Creature& creature, const ContactOptions& options);
// Lane i is creature[i]; fewer than eight: the last fills the rest. All must share one topology.
Contacts<Batch> make_batch_contacts(const std::vector<const Creature*>& creatures,
                                    const ContactOptions& options);

// The law of each link's body, one for each link: everything in a site but its place.
std::vector<ContactSite<double>> make_contact_laws(const Creature& creature, const ContactOptions& options);
// The options with nothing left to choose for a whole world: restitution, friction backward and sideways.
ContactOptions settled(const ContactOptions& options);

// What a site remembers between steps. Copy to back up, assign to restore.
template <class T>
struct SiteState {
  T anchored = T(0);  // 1 while the bristle (or the foot) holds
  T stuck = T(0);     // 1 while a sticky foot holds
  Vec3<T> anchor;     // world
  Vec3<T> point;      // the point that the bristle is tied to, link frame
};
template <class T>
struct ContactState {
  std::vector<SiteState<T>> sites;
  std::vector<T> grip;     // 1: a sticky foot may hold here; set by a controller, 0 lets go at once
  std::vector<char> off;   // 1: feels no ground; set by a controller
  std::vector<char> free;  // each group of sites: 1 = none of them is anchored or stuck, 0 = some may be

  ContactState() = default;
  explicit ContactState(const Contacts<T>& contacts) { reset(contacts); }
  void reset(const Contacts<T>& contacts);
  // After sites were set by hand.
  void changed() { std::fill(free.begin(), free.end(), char(0)); }
};

// What a site felt in one evaluation.
template <class T>
struct SiteRecord {
  T touching = T(0);   // 1 or 0: depth > 0
  T depth = T(0);      // m, positive inside the ground; 0 where it does not touch
  T stuck = T(0);      // 1 while a sticky foot holds: only then may the ground pull
  T slip = T(0);       // m/s, speed along the ground while touching
  Vec3<T> force;       // from the ground onto the link, world axes, N
  Vec3<T> normal;      // the ground's, unit, outward
  Vec3<T> arm;         // from the link's origin to the point of contact, world axes, m
  T corrected = T(0);  // 1: correct_contacts limited its friction
  Sym3<T> implicit;    // kg: force still to come is -implicit * (acceleration of the point)
};
// One for each site.
template <class T>
struct ContactRecord : std::vector<SiteRecord<T>> {
  using std::vector<SiteRecord<T>>::vector;
  std::vector<int> near;  // sites that touched or stuck in the last evaluation: the others are empty
};

// Adds the forces of the ground to w.f_ext; needs positions and velocities in w. Where w.implicit is set also
// adds, for a step h, what makes the step linearly implicit in depth, slip and bristle: I_ext += h D + h^2 K,
// f_ext -= h K v. record: null or as many as sites. next: null, or where the anchors after this evaluation
// go; may be &state.
template <class T>
void add_contact_forces(const Model<T>& m, const Contacts<T>& contacts, const Terrain& terrain,
                        const ContactState<T>& state, const T& h, Workspace<T>& w,
                        std::type_identity_t<ContactRecord<T>*> record,
                        std::type_identity_t<ContactState<T>*> next) noexcept;

// After an implicit step's forward_dynamics: what was foreseen may not have come true. A point that leaves
// faster than foreseen was pulled by the ground: its contact is taken out of w. A point that was held by more
// than its friction can give: it gets exactly that, as a constant force. Returns whether there were any; then
// the step is to be solved anew. Each contact is taken out or corrected once, so this ends:
//   forward_dynamics(...);
//   for (int pass = 0; pass < max_contact_passes && any(correct_contacts(...)); ++pass)
//   forward_dynamics(...);
// Lanes in which nothing was corrected keep their bits.
inline constexpr int max_contact_passes = 4;
template <class T>
Mask<T> correct_contacts(const Contacts<T>& contacts, Workspace<T>& w, ContactRecord<T>& record) noexcept;

// After an implicit step's last forward_dynamics: the forces in the record become the ones that acted, with
// the accelerations in w.acc. Without it they are the forces at the beginning of the step.
template <class T>
void complete_contact_record(const Contacts<T>& contacts, const Workspace<T>& w,
                             ContactRecord<T>& record) noexcept;

// Energy stored in the ground's springs and bristles, J (before friction and restitution take their share).
template <class T>
T contact_energy(const Model<T>& m, const Contacts<T>& contacts, const Terrain& terrain,
                 const ContactState<T>& state, const Workspace<T>& w) noexcept;

}  // namespace legwork
