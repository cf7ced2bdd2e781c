#include <legwork/methods.h>

namespace legwork {

void describe(Options& v, ReachOptions& o) {
  v.choice("limb", o.limb,
           {{"all", "the whole body"}, {"hind", "one girdle as a biped"}, {"fore", ""}, {"mid", ""}},
           "which girdles walk");
  v.choice("task", o.task, {{"walk", "a gait"}, {"sit-stand", "sink and rise over planted feet"}},
           "what to do");
  v.choice("stage", o.stage,
           {{"explore", "every pose of the planted limbs"},
            {"organise", "sort them into boxes"},
            {"constrain", "keep what walking allows"},
            {"search", "find the smoothest gait"},
            {"animate", "make its motion"}},
           "the last stage to run; each includes those before it");
  v.number("resolution", o.resolution,
           {0, 90, "deg",
            "angle between samples; 0 = 4, or coarser where a limb would have over 8 million poses (2 "
            "million on point feet)"});
  v.length("length_resolution", o.length_resolution,
           {1e-6, 1e3, "m", "distance between samples of a translation"});
  v.length("step", o.step, {0, 1e6, "m", "step length, in m or hip heights (0.48h)"});
  v.choice("step_of", o.step_of,
           {{"feet", "from a foot to the opposite one, half a stride"},
            {"stance", "how far the body travels while a foot is down, as in Wills"}},
           "what a step is");
  v.number("duty", o.duty, {0.501, 0.95, "1", "share of the stride that a foot is down"});
  v.number("contralateral", o.contralateral, {0.3, 0.7, "1", "phase of a left foot after its right twin"});
  v.number("ipsilateral", o.ipsilateral, {0, 1, "1", "phase of the next girdle after the one behind it"});
  v.choice("foot", o.foot,
           {{"auto", "a point for legs of fewer than five degrees of freedom, else flat"},
            {"flat", "the sole keeps its orientation"},
            {"point", "the foot turns on its sole"}},
           "how a foot stands");
  v.number("foot_yaw", o.foot_yaw, {-90, 90, "deg", "feet turned outward"});
  v.text("width", o.width,
         {{"stand", "as the body stands"}, {"LENGTH", "between left and right soles: 0.3m, 0.2h"}},
         "width of the trackway");
  v.file("trackway", o.trackway, "a real trackway (.csv): sets step, width and foot yaw, and is compared");
  v.number("height", o.height,
           {0.1, 2, "1", "desired height of the body, as a share of its standing height"});
  v.length("step_height", o.step_height, {0, 1e6, "m", "height of a foot in mid-swing"});
  v.integer("boxes", o.boxes, {2, 1000, "", "boxes of the limb space along travel"});
  v.number(
      "epsilon", o.epsilon,
      {0, 90, "deg", "how far left and right may disagree on the root, RMS; 0 = 0.75 of the resolution"});
  v.number("trunk_tolerance", o.trunk_tolerance,
           {0, 90, "deg",
            "the same for trunk and girdle; 0 = 1.5 of the resolution, more where that connects nothing"});
  v.integer("trunk_samples", o.trunk_samples, {1, 401, "", "bends of the trunk to try in each direction"});
  v.texts("off", o.off, {"NAME"},
          "a degree of freedom that may not move: rf_shoulder.abduct, or a part of such a name");
  v.texts("scale", o.scale, {"LINK=FACTOR"}, "a link's length, right and left: rh_crus=1.2; may be repeated");
  v.number("ankle", o.ankle,
           {0.1, 10, "1", "factor on the height of the ankle; the segment above it changes to compensate"});
  v.number("refine", o.refine,
           {0, 30, "deg",
            "resolution for refining one degree of freedom at a time; 0 = do not refine; Wills uses 1"});
  v.flag("raw", o.raw, "do not polish: events as sampled, feet and trunk as they come");
  v.flag("keep_trunk", o.keep_trunk,
         "the polish keeps the girdles' turns, sway and height as the search found them; without it they are "
         "led to "
         "how they stand");
  v.choice("solver", o.solver,
           {{"genetic", "the dissertation's"}, {"exact", "and then branch and bound, with a certificate"}},
           "how the gait is found");
  v.number("budget", o.budget,
           {0, 1e6, "s", "work of the exact solver, in seconds of a common processor; counted, not timed"});
  v.number("period", o.period, {0, 1e4, "s", "how long a stride takes; 0 = a Froude number of 0.1"});
  v.integer("strides", o.strides, {1, 1000, "", "strides to animate"});
  v.number("depth", o.depth, {0.01, 0.95, "1", "sit-stand: how far to sink, as a share of the height"});
  v.number("memory", o.memory, {0.001, 1e4, "GB", "most memory that limb spaces may use"});
  v.text("compare", o.compare, {"CREATURE"}, "another body to compare limb spaces with");
  describe(v, o.life);
  v.number("sway", o.life.sway, {0, 3, "1", "with life: factor on how far the body moves to the side"});
  v.number("weight_pitch", o.weights.pitch, {0, 1e6, "1", "weight of the body's pitch in the error"});
  v.number("weight_yaw", o.weights.yaw, {0, 1e6, "1", "weight of its yaw"});
  v.number("weight_roll", o.weights.roll, {0, 1e6, "1", "weight of its roll"});
  v.number("weight_lateral", o.weights.lateral, {0, 1e6, "1", "weight of its sideways displacement"});
  v.number("weight_vertical", o.weights.vertical,
           {0, 1e6, "1", "weight of its height above or below the target"});
  v.number("weight_fdof", o.weights.fdof,
           {0, 1e6, "1", "weight of the joints' change between the two events"});
  v.integer("population", o.genetic.population, {2, 1e7, "", "candidates in a generation"});
  v.integer("iterations", o.genetic.iterations, {0, 1e9, "", "generations"});
  v.number("tournament", o.genetic.tournament,
           {0, 1, "1", "probability that the fitter of two becomes a parent"});
  v.number("crossover", o.genetic.crossover,
           {0, 1, "1", "probability that a candidate is crossed with another"});
  v.number("mutation", o.genetic.mutation, {0, 1e3, "1", "bits flipped in a candidate, on average"});
  v.choice("selection", o.genetic.selection,
           {{"tournament", "the fitter of two, usually"},
            {"best", "the fittest is the parent of all: hill climbing"}},
           "how parents are chosen");
  v.integer("searches", o.genetic.searches,
            {1, 1e6, "", "genetic searches with other random numbers each; the best gait of all counts"});
  v.text("gait", o.gait,
         {{"NAME", "its order of feet: walk, trot, pace, ..."},
          {"FILE.toml", "written by hand or by legwork gait --out; also sets duty and period"}},
         "sets contralateral and ipsilateral");
  v.text("cache", o.cache,
         {{"auto", "$LEGWORK_CACHE, else ~/.cache/legwork"}, {"off", "keep nothing"}, {"FOLDER", ""}},
         "where stages are kept, to be used again when their inputs have not changed");
  v.number("cache_limit", o.cache_limit,
           {1, 1e7, "MB", "size beyond which the least recently used entries are deleted"});
}

}  // namespace legwork
