// A thousand random trees, built for MuJoCo as MJCF text and for us as a Creature, side by side.

#include <cstdio>
#include <cstring>

#include "base/text.h"
#include "tests/scenes/mujoco_oracle.h"

namespace legwork {
namespace {

constexpr int trees = 1200, most_links = 40;

Vec3d random_vec(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
Vec3d random_direction(Random& random) {
  Vec3d a{random.normal(), random.normal(), random.normal()};
  return normalized(a);
}
Quatd random_turn(Random& random) {
  return normalized(Quatd{random.normal(), random.normal(), random.normal(), random.normal()});
}

// A creature together with what MJCF needs to know about its inertias.
struct Tree {
  Creature creature;
  std::vector<Quatd> inertia_axes;
  std::vector<Vec3d> moments;
};

void add_joint(Random& random, Link& link, JointType type) {
  Joint joint;
  joint.type = type;
  joint.name = link.name + "_" + std::to_string(link.joints.size());
  if (type != JointType::free) joint.anchor = random.index(3) ? random_vec(random, 0.2) : Vec3d{};
  if (type == JointType::hinge || type == JointType::slide) {
    joint.axes = {random_direction(random)};
    if (random.index(2)) joint.q_zero = random.uniform(-1, 1);
  }
  joint.dofs.resize(std::size_t(nv(joint)));
  const double armature = random.index(2) ? random.uniform(0, 0.1) : 0;
  for (Dof& dof : joint.dofs) dof.armature = armature;
  link.joints.push_back(joint);
}

// Links depth first, as MuJoCo numbers bodies: the parent of a new link is the last one or an ancestor of it.
Tree random_tree(Random& random, int links) {
  Tree tree;
  std::vector<Link>& all = tree.creature.links;
  tree.creature.gravity = random_vec(random, 10);
  for (int b = 0; b < links; ++b) {
    Link link;
    link.name = "b" + std::to_string(b);
    link.parent = b - 1;
    // climb at random, sometimes up to the world
    while (link.parent >= 0 && random.uniform() < 0.3) link.parent = all[std::size_t(link.parent)].parent;
    link.pos = random_vec(random, 0.5);
    link.rot = random_turn(random);
    link.mass = random.uniform(0.1, 3);
    link.com = random_vec(random, 0.2);
    const double x = random.uniform(0.01, 0.1), y = random.uniform(0.01, 0.1), z = random.uniform(0.01, 0.1);
    tree.moments.push_back({y + z, x + z, x + y});
    tree.inertia_axes.push_back(random_turn(random));
    const Vec3d& m = tree.moments.back();
    link.inertia = rotate(matrix(tree.inertia_axes.back()), Sym3d::diagonal(m.x, m.y, m.z));

    const int kind = random.index(10);
    const int more = random.index(4) ? 0 : 1 + random.index(3);  // several joints on one body
    if (kind == 0 && link.parent < 0) {
      add_joint(random, link, JointType::free);
    } else if (kind == 1 && b > 0) {
      // fixed
    } else {
      // at most three rotations and three translations, or the mass matrix is singular; and nothing but
      // slides after a ball, or MuJoCo refuses the file
      const bool ball = random.index(4) == 0;
      int turns = ball ? 3 : 0, slides = 0;
      for (int i = 0; i < more; ++i) {
        if (random.index(2) && slides < 3) {
          add_joint(random, link, JointType::slide);
          ++slides;
        } else if (turns < 3) {
          add_joint(random, link, JointType::hinge);
          ++turns;
        }
      }
      if (ball) add_joint(random, link, JointType::ball);
      if (!ball && turns < 3)
        add_joint(random, link, random.index(3) || slides == 3 ? JointType::hinge : JointType::slide);
      if (random.index(6) == 0 && slides < 2) add_joint(random, link, JointType::slide);
    }
    all.push_back(link);
  }
  return tree;
}

std::string words(const Vec3d& v) { return to_text(v.x) + " " + to_text(v.y) + " " + to_text(v.z); }
std::string words(const Quatd& q) { return to_text(q.w) + " " + words(Vec3d{q.x, q.y, q.z}); }

std::string mjcf_text(const Tree& tree) {
  const Creature& c = tree.creature;
  std::string text =
      "<mujoco><compiler angle=\"radian\"/><option gravity=\"" + words(c.gravity) + "\"/><worldbody>\n";
  std::vector<int> open;
  for (std::size_t b = 0; b < c.links.size(); ++b) {
    const Link& link = c.links[b];
    while (!open.empty() && open.back() != link.parent) text += "</body>\n", open.pop_back();
    open.push_back(int(b));
    text += "<body name=\"" + link.name + "\" pos=\"" + words(link.pos) + "\" quat=\"" + words(link.rot) +
            "\">\n";
    for (const Joint& joint : link.joints) {
      static const char* const names[] = {"fixed", "hinge", "slide", "ball", "universal", "planar", "free"};
      text +=
          std::string("<joint type=\"") + names[int(joint.type)] + "\" pos=\"" + words(joint.anchor) + "\"";
      if (!joint.axes.empty())
        text += " axis=\"" + words(joint.axes[0]) + "\" ref=\"" + to_text(joint.q_zero) + "\"";
      text += " armature=\"" + to_text(joint.dofs[0].armature) + "\"/>\n";
    }
    text += "<inertial pos=\"" + words(link.com) + "\" quat=\"" + words(tree.inertia_axes[b]) + "\" mass=\"" +
            to_text(link.mass) + "\" diaginertia=\"" + words(tree.moments[b]) + "\"/>\n";
  }
  while (!open.empty()) text += "</body>", open.pop_back();
  return text + "</worldbody></mujoco>\n";
}

// MuJoCo reads from its virtual file system, which saves writing a thousand files.
MujocoOracle load(const std::string& text) {
  static const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "tree.xml", int(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  MujocoOracle oracle("tree.xml", files.get());
  mj_deleteVFS(files.get());
  return oracle;
}

struct Worst {
  double mass = 0, acceleration = 0, inverse = 0;
  int dofs = 0;
};

void compare(Random& random, const Tree& tree, Worst& worst) {
  const Creature& c = tree.creature;
  MujocoOracle oracle = load(mjcf_text(tree));
  ASSERT_TRUE(oracle);
  ASSERT_EQ(c.nq(), oracle.model().nq);
  ASSERT_EQ(c.nv(), oracle.model().nv);
  const std::size_t nv = oracle.nv();
  if (nv == 0) return;
  const Model<double> model = make_model(c);
  Workspace<double> w(model);
  std::vector<double> M(nv * nv), tau(nv), qdd(nv), back(nv);

  const std::vector<double> q = random_configuration(random, c), v = random_speeds(random, c, 3);
  for (double& x : tau) x = random.uniform(-5, 5);
  update_positions(model, q.data(), w);
  update_velocities(model, q.data(), v.data(), w);
  clear_forces(model, w);
  std::copy(tau.begin(), tau.end(), oracle.data().qfrc_applied);
  for (std::size_t b = 0; b < c.links.size(); ++b) {
    // MuJoCo's wrench acts at the centre of mass, in world axes, force first; ours about the link's origin
    const Vec3d force = random_vec(random, 10), moment = random_vec(random, 2);
    mjtNum* x = oracle.data().xfrc_applied + 6 * (b + 1);
    for (int i = 0; i < 3; ++i) x[i] = force[i], x[3 + i] = moment[i];
    w.f_ext[b] += Wrench<double>{moment + cross(w.c[b], force), force};
  }
  oracle.set(q, v);
  mass_matrix(model, w, M.data());
  forward_dynamics(model, tau.data(), w, qdd.data());
  inverse_dynamics(model, qdd.data(), w, back.data());
  worst.mass = std::max(worst.mass, relative_error(M, oracle.mass_matrix()));
  worst.acceleration = std::max(worst.acceleration, relative_error(qdd, oracle.acceleration()));
  // relative to the largest torque that a term of the equation of motion has
  double scale = 0;
  for (std::size_t i = 0; i < nv; ++i)
    for (std::size_t j = 0; j < nv; ++j) scale = std::max(scale, std::fabs(M[i * nv + j] * qdd[j]));
  for (double t : tau) scale = std::max(scale, std::fabs(t));
  for (std::size_t i = 0; i < nv; ++i)
    worst.inverse = std::max(worst.inverse, std::fabs(back[i] - tau[i]) / scale);
  worst.dofs = std::max(worst.dofs, int(nv));
}

TEST(RandomTrees, AgreeWithMujoco) {
  Worst worst;
  for (int k = 0; k < trees; ++k) {
    Random random(7, std::uint64_t(k));
    const Tree tree = random_tree(random, 1 + k % most_links);
    SCOPED_TRACE("tree " + std::to_string(k));
    compare(random, tree, worst);
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(worst.mass, 1e-9);
  EXPECT_LT(worst.acceleration, 1e-9);
  EXPECT_LT(worst.inverse, 1e-11);
  EXPECT_GT(worst.dofs, 40);
  std::printf(
      "%d trees of 1 to %d links: mass matrix %.1e, acceleration %.1e, RNEA after ABA %.1e (relative, "
      "worst)\n",
      trees, most_links, worst.mass, worst.acceleration, worst.inverse);
}

}  // namespace
}  // namespace legwork
