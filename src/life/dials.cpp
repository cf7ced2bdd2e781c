#include <legwork/life.h>
#include <legwork/options.h>

namespace legwork {

void describe(Options& v, Life& o) {
  v.choice("life", o.state,
           {{"on", "the trunk moves as the forces of the feet make it; arms, neck and tail follow"},
            {"off", "the method's own motion, as published"}},
           "life in a gait that is made without physics");
  v.number("speed", o.speed, {0, 100, "m/s", "with life: how fast it goes; 0 = what suits body and gait"});
  v.number("lift", o.lift, {0, 10, "1", "with life: factor on how high feet swing"});
  v.number("bounce", o.bounce,
           {0, 3, "1", "with life: factor on the trunk's rise and fall and change of speed"});
  v.number("lag", o.lag, {0, 2, "1", "with life: how far arms, neck, tail and ears trail; 0 = not at all"});
}

}  // namespace legwork
