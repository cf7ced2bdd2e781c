#include <legwork/methods.h>

namespace legwork {

void describe(Options& v, WalkOptions& o) {
  v.number("seconds", o.seconds, {0, 86400, "s", "how long to walk"});
  v.choice(
      "control", o.control,
      {{"automatic",
        "mckenna for bodies with motor programs or stiff legs, and where something is asked for that only it "
        "knows; else balance"},
       {"balance", "footholds, a preview of the centre of mass, torques by inverse dynamics"},
       {"mckenna", "oscillators, reflexes and motor programs on springs"}},
      "what moves the legs");
  v.text("to", o.to, {{"X,Y", "in m, from where it starts"}}, "walk to this place and stand there");
  v.text("path", o.path, {{"FILE.csv", "rows of x,y in m"}}, "walk along these places and stand at the last");
  v.number("slowness", o.slowness,
           {0, 1000, "1", "1 = top speed, 2 = half its step rate, ...; 0 = what suits the body"});
  v.number("speed", o.speed,
           {0, 1e4, "m/s", "wanted speed, reached by slowness and stroke; 0 = whatever slowness gives"});
  v.number("turn", o.turn, {-100, 100, "rad/s", "turn to the left"});
  v.texts("at", o.at,
          {{"T:slowness=3", "from T s on; likewise speed, turn and stroke"},
           {"2:turn=0.5,slowness=2", "several at once"},
           {"1+2:slowness=1", "gradually, over 2 s from 1 s on"}},
          "commands over time; may be repeated");
  v.choice("feet", o.feet,
           {{"slide", "friction alone"},
            {"stick", "springs hold feet in stance, and break"},
            {"hold", "feet in stance are held by equations, and break away"}},
           "how feet meet the ground");
  v.flag("open_loop", o.open_loop, "the thesis's walk: no feedback, no reflexes");
  v.text("reflexes", o.reflexes,
         {{"auto", "all, or none with --open-loop"},
          {"all", ""},
          {"none", ""},
          {"step,load,neighbour,elevator,ground", "some of these"}},
         "what a leg does of its own accord");
  v.choice("first", o.first, {"left", "right"}, "the side that steps first: one walk mirrors the other");
  v.number("stride", o.stride,
           {0, 1e4, "m",
            "distance that a foot covers in stance, for bodies without motor programs; 0 = choose from the "
            "hip height"});
  v.number(
      "lift", o.lift,
      {0, 1e4, "m",
       "how high a foot lifts in a step, for bodies without motor programs; 0 = choose from the hip height"});
  v.number("step_time", o.step_time,
           {0, 1e4, "s", "how long a step takes; 0 = the creature's own, else choose from the hip height"});
  v.texts("lose", o.lose, {{"LEG", "from the start"}, {"LEG@T", "at T s"}},
          "a leg that is held up and touches nothing from then on; may be repeated");
  v.number("payload", o.payload, {0, 100, "1", "extra mass on the back, as a share of the body's own"});
  v.choice("tune", o.tune, {"none", "speed", "straight", "cost"},
           "first search for motor programs that do better in this");
  v.integer("evaluations", o.evaluations, {1, 1e6, "", "how many walks --tune may try"});
  v.numbers("tuned", o.tuned, {-100, 100, "1", "what --tune found; empty = the programs as they are"});
}

}  // namespace legwork
