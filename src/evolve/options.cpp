#include <legwork/methods.h>

namespace legwork {

void describe(Options& v, EvolveOptions& o) {
  v.texts("start_from", o.from, {"CREATURE"}, "start from this body as well; blob is a blank one");
  v.integer("generations", o.generations, {0, 1e6, "", "generations of children"});
  v.integer("children", o.children, {1, 1e5, "", "bodies in a generation; more keep more processors busy"});
  v.integer("budget", o.budget, {8, 1e7, "", "evaluations of the search for each body's network"});
  v.number("minutes", o.minutes,
           {0, 1e6, "min", "end between two generations when this time is over; 0 = after all generations"});
  v.choice(
      "change", o.change,
      {{"both", "bodies and networks"}, {"network", "networks alone: every child has its parent's body"}},
      "what changes");
  v.text("metric", o.metric,
         {{"upright", "distance; falling over counts as 0"},
          {"standing", "the same times the share of the time in which the trunk is off the ground"},
          {"distance", "of the centre of mass along the ground"},
          {"FORMULA", "any that discover reads"}},
         "what a good motion is");
  v.number("seconds", o.seconds, {0.1, 3600, "s", "length of each evaluation"});
  v.integer("limbs", o.limbs, {1, 32, "", "limbs that a trunk may have, at most"});
  v.integer("patience", o.patience,
            {0, 1e6, "", "generations for which a new body is protected from better ones"});
  v.integer("atlas", o.atlas, {1, 1000, "", "bodies to show, at most, each the best of its plan"});
  v.file("archive", o.archive, "keep every body in this file; a run that was stopped goes on from it");
  v.text("shard", o.shard, {"PART/WHOLE"},
         "search only this part of the next generation, such as 3/16, into the archive");
}

}  // namespace legwork
