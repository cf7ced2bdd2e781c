#include <legwork/methods.h>

#include "discover/problem.h"

namespace legwork {

void describe(Options& v, DiscoverOptions& o) {
  v.integer("random", o.random, {0, 1e9, "", "random networks to try"});
  v.integer("vary", o.vary, {0, 1e9, "", "variations of the best of every kind to try"});
  v.integer("generation", o.generation,
            {1, 1e7, "", "networks that are made before any of them counts; more keep more processors busy"});
  v.integer("gaits", o.gaits, {1, 1000, "", "gaits to keep, at most"});
  v.integer("tune", o.tune, {0, 1e6, "", "trials of fine-tuning for each gait"});
  v.choice("tuner", o.tuner,
           {{"ascent", "keep only what is better"},
            {"annealing",
             "at first accept what is worse, too: 65 trials at each temperature, each 0.75 of the last"}},
           "how to fine-tune");
  v.text("metric", o.metric, metric_choices(), "what a good motion is");
  v.number("hop_weight", o.hop_weight,
           {0, 1e6, "1/(m s)", "weight of the height squared in the metric hops"});
  v.number("seconds", o.seconds,
           {0, 3600, "s", "length of each evaluation; 0 = what suits the body, usually 6"});
  v.integer("hidden", o.hidden, {-1, 10000, "", "hidden nodes; -1 = what suits the body"});
  v.number("delay", o.delay, {-1, 100, "s", "delay of each node; -1 = what suits the body, 0 = none"});
  v.choice("nodes", o.nodes,
           {{"hysteresis", "integrator and hysteresis, figures 6 and 7 of the paper"},
            {"linear", "no delay and no threshold: the creature will come to rest"}},
           "what a node does with its sum");
  v.flag("tune_springs", o.tune_springs,
         "fine-tune passive springs and dampers, too; joints without a spring may grow one");
  v.flag("tune_body", o.tune_body, "fine-tune sizes and masses of links, too; stronger muscles weigh more");
  v.number("apart", o.apart, {0, 10, "1", "descriptor distance at which two motions are of different kinds"});
  v.file("follow", o.follow, "a .csv of time,x,y that moves the point to follow");
  v.file("archive", o.archive,
         "keep every evaluation in this file; a search that was stopped goes on from it");
  v.text("shard", o.shard, {"PART/WHOLE"},
         "evaluate only this part of what can be known by now, such as 3/16, into the archive");
  v.file("seed_from", o.seed_from,
         "an archive of this or a simpler body's search, whose gaits are tried first");
  v.text("controller", o.controller,
         {{"DIGITS", "weights, and numbers after a colon, as a result reports them"},
          {"ARCHIVE:RANK", "a gait of an archive's gallery"},
          {"ARCHIVE#NUMBER", "any evaluation of an archive"}},
         "run this controller instead of searching");
  v.text("folder", o.folder, {"FOLDER"}, "write every gait to this folder, as gait_01.glb ...");
  v.flag("scalar", o.scalar, "evaluate one at a time instead of eight; the result is the same");
  v.choice("device", o.device,
           {{"cpu", "the processor"},
            {"gpu", "an NVIDIA graphics processor, where there are many to evaluate; needs nvcc"}},
           "where to evaluate; the result is the same");
}

}  // namespace legwork
