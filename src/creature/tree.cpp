#include "creature/tree.h"

namespace legwork {

bool is_below(const Creature& creature, int link, int ancestor) {
  while (link >= 0 && link != ancestor) link = creature.links[size_t(link)].parent;
  return link == ancestor;
}

int root_of(const Creature& creature, int link) {
  while (creature.links[size_t(link)].parent >= 0) link = creature.links[size_t(link)].parent;
  return link;
}

std::vector<int> dof_begins(const Creature& creature) {
  std::vector<int> begins{0};
  for (const Link& link : creature.links) {
    int own = 0;
    for (const Joint& joint : link.joints) own += nv(joint);
    begins.push_back(begins.back() + own);
  }
  return begins;
}

}  // namespace legwork
