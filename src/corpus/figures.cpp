// Commands that build figures and set their joints.

#include <cmath>

#include "base/text.h"
#include "corpus/interpreter.h"

namespace legwork {

namespace {

using Corpus = CorpusInterpreter;

bool on(const std::string& word) { return word == "on"; }

template <class List>
auto* find_named(const List& list, const std::string& name) {
  for (const auto& item : list)
    if (item->name == name) return item.get();
  return decltype(list.front().get())(nullptr);
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item->name);
  return names;
}

void add_corpus(Corpus& corpus, const CorpusLine& line) {
  CorpusWorld& world = corpus.world();
  if (find_named(world.figures, line.words[0]))
    Corpus::fail(line, "there is a figure '" + line.words[0] + "' already", "go back to it with setcorpus");
  world.figures.push_back(std::make_unique<CorpusFigure>());
  corpus.present_figure = world.figures.back().get();
  corpus.present_figure->name = line.words[0];
  corpus.present_figure->where = line.where;
}

CorpusFigure& named_figure(Corpus& corpus, const CorpusLine& line, const std::string& name) {
  CorpusFigure* figure = find_named(corpus.world().figures, name);
  if (!figure)
    Corpus::fail(line, "there is no figure '" + name + "'",
                 did_you_mean(name, names_of(corpus.world().figures)));
  return *figure;
}

void corpus_init(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = corpus.figure(line);
  if (figure.bodies.empty())
    Corpus::fail(line, "'" + figure.name + "' has no bodies", "add some with addbody");
  if (figure.root < 0) Corpus::fail(line, "'" + figure.name + "' has no root", "name one with setroot BODY");
  for (const auto& body : figure.bodies)
    if (body->parent < 0 && body.get() != figure.bodies[figure.root].get())
      Corpus::fail(line, "'" + body->name + "' hangs on no other body",
                   "link it with linkbodies PARENT " + body->name);
  const CorpusBody& root = *figure.bodies[figure.root];
  if (root.parent >= 0)
    Corpus::fail(line, "the root '" + root.name + "' hangs on '" + figure.bodies[root.parent]->name + "'",
                 "choose another root");
  figure.ready = true;
  corpus.stage.change();
}

// The optional ones and zeros at the end of addbody and addpart: inertial, colliding, convex, normal_test.
bool flag(const CorpusLine& line, std::size_t i, bool otherwise) {
  return line.words.size() <= i ? otherwise : corpus_number(line.words[i]) != 0;
}

Shape solid(const CorpusObject& object, const CorpusLine& line, std::size_t density) {
  Shape shape = transformed(object);
  shape.density = corpus_number(line.words[density]);
  if (!(shape.density > 0))
    Corpus::fail(line, "density " + line.words[density] + " is not positive", "water has 1000 kg/m^3");
  shape.massive = flag(line, density + 1, true);
  shape.touches = flag(line, density + 2, true);
  shape.mesh.convex = flag(line, density + 3, true);
  return shape;
}

void add_body(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = corpus.figure(line);
  const std::string& name = line.words[0];
  if (figure.ready)
    Corpus::fail(line, "'" + figure.name + "' is complete since corpusinit", "add bodies before it");
  if (find_named(figure.bodies, name))
    Corpus::fail(line, "'" + figure.name + "' has a body '" + name + "' already", "choose another name");
  auto body = std::make_unique<CorpusBody>();
  CorpusObject& object = corpus.object(line, line.words[1]);
  body->name = name;
  body->object = &object;
  body->axis = corpus_vector(line, 2);
  if (!(norm(body->axis) > 0))
    Corpus::fail(line, "the axis 0 0 0 has no direction", "write one, such as 0 0 1");
  body->sliding = line.words[5] == "sliding";
  body->shapes.push_back(solid(object, line, 6));
  body->normal_test = flag(line, 10, false);
  body->where = line.where;
  // the shape is settled; from now on transforms place the body in its parent
  object.transform = {};
  object.used = true;
  object.linked = false;
  figure.bodies.push_back(std::move(body));
}

void add_part(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = corpus.object(line, line.words[1]);
  CorpusBody& body = corpus.body(line, line.words[2]);
  body.shapes.push_back(solid(object, line, 3));
  body.normal_test = body.normal_test || flag(line, 7, false);
  object.used = true;
  corpus.stage.change();
}

void link_bodies(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = corpus.figure(line);
  if (figure.ready)
    Corpus::fail(line, "'" + figure.name + "' is complete since corpusinit", "link bodies before it");
  const auto index = [&](const std::string& name) {
    for (std::size_t i = 0; i < figure.bodies.size(); ++i)
      if (figure.bodies[i]->name == name) return int(i);
    Corpus::fail(line, "'" + figure.name + "' has no body '" + name + "'",
                 did_you_mean(name, names_of(figure.bodies)));
  };
  const int parent = index(line.words[0]), child = index(line.words[1]);
  for (int up = parent; up >= 0; up = figure.bodies[up]->parent)
    if (up == child)
      Corpus::fail(line, "'" + line.words[0] + "' hangs on '" + line.words[1] + "' itself",
                   "links must not close a ring (attach can)");
  CorpusBody& body = *figure.bodies[child];
  if (body.parent >= 0)
    Corpus::fail(line, "'" + body.name + "' hangs on '" + figure.bodies[body.parent]->name + "' already");
  if (!is_rigid(body.object->transform))
    Corpus::fail(line, "'" + body.name + "' is stretched where it should only be placed",
                 "use move and rotate after addbody");
  body.parent = parent;
  body.place = body.object->transform;
  body.object->linked = true;
}

void set_root(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = corpus.figure(line);
  for (std::size_t i = 0; i < figure.bodies.size(); ++i)
    if (figure.bodies[i]->name == line.words[0]) {
      figure.root = int(i);
      return;
    }
  Corpus::fail(line, "'" + figure.name + "' has no body '" + line.words[0] + "'",
               did_you_mean(line.words[0], names_of(figure.bodies)));
}

void set_joint_axis(Corpus& corpus, const CorpusLine& line) {
  CorpusBody& body = corpus.jointed_body(line, line.words[0]);
  const Vec3d axis = corpus_vector(line, 1);
  if (!(norm(axis) > 0)) Corpus::fail(line, "the axis 0 0 0 has no direction", "write one, such as 0 0 1");
  body.axis = transpose_times(body.place.A, axis);
  if (line.words.size() > 4) body.sliding = line.words[4] == "sliding";
  corpus.stage.change();
}

void stick(Corpus& corpus, const CorpusLine& line) {
  CorpusBody& body = corpus.body(line, line.words[0]);
  body.sticks = on(line.words[1]);
  if (!body.may_stick && body.sticks) {
    body.may_stick = true;
    corpus.stage.change();
  }
  corpus.stage.grip(body);
}

CorpusFigure& rooted(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = corpus.figure(line);
  if (figure.root < 0) Corpus::fail(line, "'" + figure.name + "' has no root", "name one with setroot BODY");
  return figure;
}

void add_velocity(Corpus& corpus, const CorpusLine& line) {
  CorpusBody& body = corpus.body(line, line.words[0]);
  CorpusFigure& figure = corpus.figure_of(body);
  if (body.parent >= 0)
    Corpus::fail(line, "'" + body.name + "' hangs on another body and moves by its joint",
                 "set joint " + body.name + " dq, or name the root");
  figure.velocity += corpus_vector(line, 1);
  figure.spin += transpose_times(matrix(figure.rot), corpus_vector(line, 4));
  corpus.stage.change();
}

// Column vectors with the translation in the last column, or the transpose of that.
void set_root_matrix(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = rooted(corpus, line);
  double m[4][4];
  for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = corpus_number(line.words[i]);
  const auto bottom = [&](bool transposed) {
    for (int j = 0; j < 4; ++j)
      if ((transposed ? m[j][3] : m[3][j]) != (j == 3 ? 1 : 0)) return false;
    return true;
  };
  if (!bottom(false) && !bottom(true))
    Corpus::fail(line, "neither the last row nor the last column is 0 0 0 1",
                 "give a matrix that turns and moves");
  const bool transposed = !bottom(false);
  Affine a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) a.A(i, j) = transposed ? m[j][i] : m[i][j];
    a.t[i] = transposed ? m[3][i] : m[i][3];
  }
  if (!is_rigid(a))
    Corpus::fail(line, "its first three rows and columns are no rotation",
                 "give one with unit rows at right angles");
  figure.pos = a.t;
  figure.rot = normalized(quaternion(a.A));
  corpus.stage.change();
}

void set_root_position(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = rooted(corpus, line);
  CorpusObject& object = *figure.bodies[figure.root]->object;
  if (!is_rigid(object.transform))
    Corpus::fail(line, "the root is stretched where it should only be placed", "use move and rotate");
  const Affine now = object.transform * Affine{matrix(figure.rot), figure.pos};
  figure.pos = now.t;
  figure.rot = normalized(quaternion(now.A));
  object.transform = {};
  corpus.stage.change();
}

void set_joint(Corpus& corpus, const CorpusLine& line) {
  CorpusBody& body = corpus.jointed_body(line, line.words[0]);
  const std::string &what = line.words[1], &word = line.words[2];
  CorpusJoint& j = body.joint;
  corpus.stage.change();
  if (what == "springtype") {
    j.scale = word == "mass"         ? SpringScale::mass
              : word == "distalmass" ? SpringScale::distalmass
                                     : SpringScale::none;
    return;
  }
  const double value = corpus_number(word);
  if (what == "Q_type") {
    if (value < 0 || value > 31 || value != std::floor(value))
      Corpus::fail(line, word +
                             " is no sum of 1 (damper), 2 (linear spring), 4 (limits), 8 (force Q), 16 "
                             "(exponential spring)");
    j.Q_type = int(value);
    return;
  }
  const struct {
    const char* name;
    double& field;
    bool positive;
  } fields[] = {{"q", j.q, false},     {"dq", j.dq, false}, {"b", j.b, true},   {"k", j.k, true},
                {"k_q", j.k_q, false}, {"ea", j.ea, true},  {"eB", j.eB, true}, {"e_q", j.e_q, false},
                {"lo", j.lo, false},   {"hi", j.hi, false}, {"lk", j.lk, true}, {"lb", j.lb, true},
                {"Q", j.Q, false}};
  for (const auto& field : fields) {
    if (what != field.name) continue;
    if (field.positive && value < 0) Corpus::fail(line, what + " " + word + " is negative", "give 0 or more");
    field.field = value;
  }
  // a rest that is set stays: it ends a motor program on its way elsewhere
  if (what == "e_q") body.etarget.active = false;
  if (what == "k_q") body.ktarget.active = false;
}

void motor(Corpus& corpus, const CorpusLine& line) {
  CorpusBody& body = corpus.jointed_body(line, line.words[0]);
  const double seconds = corpus.duration(line, line.words[3]);
  if (seconds < 0) Corpus::fail(line, "time " + line.words[3] + " is negative", "give 0 or more");
  const bool exponential = line.words[1] == "etarget";
  if (exponential != bool(body.joint.Q_type & has_exponential) &&
      (exponential || !(body.joint.Q_type & has_linear)))
    Corpus::fail(line,
                 "'" + body.name + "' has no " + (exponential ? "exponential" : "linear") + " spring to move",
                 "give it one with joint " + body.name + " Q_type " + (exponential ? "17" : "3"));
  CorpusMotor& motor = exponential ? body.etarget : body.ktarget;
  motor = {true, corpus_number(line.words[2]), corpus.world().time() + seconds};
}

void joint_status(Corpus& corpus, const CorpusLine& line) {
  const CorpusBody& body = corpus.jointed_body(line, line.words[0]);
  const CorpusJoint& j = body.joint;
  std::string text =
      body.name + ": q " + to_text(j.q) + " dq " + to_text(j.dq) + " Q_type " + std::to_string(j.Q_type);
  if (j.Q_type & has_damper) text += " b " + to_text(j.b);
  if (j.Q_type & has_linear) text += " k " + to_text(j.k) + " k_q " + to_text(j.k_q);
  if (j.Q_type & has_exponential)
    text += " ea " + to_text(j.ea) + " eB " + to_text(j.eB) + " e_q " + to_text(j.e_q);
  if (j.Q_type & has_limits) text += " lo " + to_text(j.lo) + " hi " + to_text(j.hi);
  if (corpus.stage.moves() && body.dof >= 0)
    text += " force " + to_text(corpus.stage.simulation().tau[body.dof]);
  corpus.print(text);
}

void total_mass(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = corpus.figure(line);
  if (!figure.ready) Corpus::fail(line, "'" + figure.name + "' is not complete", "call corpusinit first");
  corpus.stage.prepare(corpus.world());
  double mass = 0;
  for (const auto& body : figure.bodies)
    mass += corpus.stage.simulation().system().world.body.links[body->link].mass;
  corpus.print("total mass of " + figure.name + ": " + to_text(mass) + " kg");
}

}  // namespace

CorpusCommandGroup figure_commands() {
  return {
      "Figures and joints",
      {
          {"addcorpus", "corpus", "begins a figure", add_corpus},
          {"setcorpus", "corpus", "goes back to a figure",
           [](Corpus& c, const CorpusLine& line) {
             c.present_figure = &named_figure(c, line, line.words[0]);
           }},
          {"corpusinit", "", "the figure is complete", corpus_init},
          {"addbody",
           "body obj ax# ay# az# sliding|rotary density# [inertial%] [colliding%] [convex%] [normal_test%]",
           "makes a body of an object; its joint's axis in its own frame; density in kg/m^3; 0 for inertial: "
           "no mass, for colliding: touches nothing, for convex: other bodies touch the triangles of its "
           "mesh "
           "and not the hull; 1 for normal_test: touches others only while it approaches them",
           add_body},
          {"addpart", "part obj body density# [inertial%] [colliding%] [convex%] [normal_test%]",
           "fixes another object to a body, as it lies in the body's frame", add_part},
          {"setroot", "body", "the body at the top of the tree", set_root},
          {"setjointp", "body ax# ay# az# [sliding|rotary]", "a joint's axis in the frame of its parent",
           set_joint_axis},
          {"bodygroundstick", "body on|off", "the body clings to the ground where it touches", stick},
          {"maxv", "body max_linear# max_angular#",
           "largest speeds: both for a root, that of its joint for any other body",
           [](Corpus& c, const CorpusLine& line) {
             CorpusBody& body = c.body(line, line.words[0]);
             body.max_linear = corpus_number(line.words[1]);
             body.max_angular = corpus_number(line.words[2]);
             if (!(body.max_linear >= 0 && body.max_angular >= 0))
               Corpus::fail(line, "a largest speed is negative", "give 0 or more");
           }},
          {"addv", "body x# y# z# wx# wy# wz#", "adds to the velocity of a root (m/s, rad/s, world axes)",
           add_velocity},
          {"setrootmatrix", "", "where the root is: four lines of four numbers", set_root_matrix, false, 16},
          {"setrootpos", "", "moves on the root's object become the figure's place", set_root_position},
          {"updatev", "",
           "brings the velocities of all bodies up to date with those of the joints, as loads does",
           [](Corpus& c, const CorpusLine& line) {
             c.figure(line);
             if (c.options.build_only) return;
             c.stage.prepare(c.world());
             c.stage.simulation().refresh();
           }},
          {"linkbodies", "parent child", "attaches a body to its parent, where its transform has placed it",
           link_bodies},
          {"integrate", "corpus on|off", "off: the figure stands still",
           [](Corpus& c, const CorpusLine& line) {
             named_figure(c, line, line.words[0]).integrated = on(line.words[1]);
           }},
          {"motor", "body etarget|ktarget value# time~",
           "moves the rest of the exponential (or linear) spring at constant speed, to arrive after this "
           "time",
           motor},
          {"jointmatchexp", "body", "the exponential spring rests where the joint is now",
           [](Corpus& c, const CorpusLine& line) {
             CorpusBody& body = c.jointed_body(line, line.words[0]);
             body.joint.e_q = body.joint.q;
             body.etarget.active = false;
             c.stage.change();
           }},
          {"joint",
           "body springtype mass|distalmass|none / body q|dq|Q_type|b|k|k_q|ea|eB|e_q|lo|hi|lk|lb|Q value#",
           "sets a joint: angle q, velocity dq; Q_type adds up what acts: 1 damper b, 2 linear spring k "
           "about k_q, 4 "
           "limits lo and hi with spring lk and damper lb, 8 force Q, 16 exponential spring ea (e^(eB x) - "
           "1) about e_q; "
           "springtype: all of these but Q are multiplied by the mass (kg) of the body, or of it and all "
           "beyond it",
           set_joint},
          {"jointstatus", "body", "prints a joint", joint_status},
          {"rootmotion", "fixed|free", "fixes the root to the world, or frees it",
           [](Corpus& c, const CorpusLine& line) {
             CorpusFigure& figure = rooted(c, line);
             figure.free = line.words[0] == "free";
             figure.velocity = figure.free ? figure.velocity : Vec3d();
             figure.spin = figure.free ? figure.spin : Vec3d();
             c.stage.change();
           }},
          {"totalmass", "", "prints the mass of the figure", total_mass},
      }};
}

}  // namespace legwork
