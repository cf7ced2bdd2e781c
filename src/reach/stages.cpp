#include "reach/stages.h"

#include <cstdio>
#include <cstring>

namespace legwork::reaching {

Fingerprint& Fingerprint::add(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) {
    a_ = (a_ ^ at[i]) * 1099511628211ull;                       // FNV-1a
    b_ = (b_ + at[i]) * 0xD6E8FEB86659FD93ull, b_ ^= b_ >> 29;  // and a second, unlike it
  }
  return *this;
}

std::string Fingerprint::name() const {
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(a_),
                static_cast<unsigned long long>(b_));
  return text;
}

void add(Fingerprint& f, const Placement& p) {
  for (int i = 0; i < 3; ++i) {
    f.add(p.p[i]);
    for (int j = 0; j < 3; ++j) f.add(p.R(i, j));
  }
}

void add(Fingerprint& f, const Limb& limb) {
  const auto vec = [&](const Vec3d& v) { f.add(v.x).add(v.y).add(v.z); };
  for (const Link& link : limb.chain.links) {
    vec(link.pos);
    f.add(link.rot.w).add(link.rot.x).add(link.rot.y).add(link.rot.z);
    for (const Joint& joint : link.joints) {
      f.add(double(joint.type)).add(joint.q_zero);
      vec(joint.anchor);
      for (const Vec3d& a : joint.axes) vec(a);
      for (const double x : joint.neutral) f.add(x);
      for (const Keyframes& k : joint.paths)
        for (int i = 0; i < 6; ++i) f.add(k.min[size_t(i)]).add(k.max[size_t(i)]);
    }
  }
  for (const Fdof& d : limb.fdofs)
    f.add(double(d.q)).add(double(d.part)).add(d.lower).add(d.upper).add(d.excursion).add(d.rest).add(d.used);
  for (const double x : limb.rest_q) f.add(x);
  vec(limb.root), vec(limb.sole), vec(limb.root_stand);
  add(f, Placement{limb.girdle_stand, limb.foot_stand.p});
  add(f, limb.foot_stand);
}

bool Reader::take(void* data, std::size_t bytes) {
  if (!ok || bytes > bytes_.size() - at_) return ok = false;
  std::memcpy(data, bytes_.data() + at_, bytes);
  at_ += bytes;
  return true;
}

}  // namespace legwork::reaching
