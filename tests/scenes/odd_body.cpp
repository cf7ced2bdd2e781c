#include "tests/scenes/odd_body.h"

#include <cmath>
#include <vector>

#include <legwork/creature.h>
#include "base/random.h"
#include "base/text.h"

namespace legwork {

namespace {

struct Maker {
  Random random;
  double size, mass;  // m, kg: of the whole
  double spread;      // decades between the lightest link and the heaviest
  std::string text;

  Maker(std::uint64_t seed, int number)
      : random(seed, std::uint64_t(number)),
        size(std::pow(10, random.uniform(-2.5, 0.5))),
        mass(std::pow(10, random.uniform(-6, 5))),
        spread(random.uniform(0, 6)),
        text("name = \"odd_" + std::to_string(number) + "\"\n") {}

  double between(double low, double high) { return random.uniform(low, high); }
  std::string numbers(const std::vector<double>& list) {
    std::string out = "[";
    for (const double x : list) out += (out.size() > 1 ? ", " : "") + to_text(x);
    return out + "]";
  }

  void link(const std::string& name, const std::string& parent, const Vec3d& at, const std::string& joint,
            const std::string& shape, double share) {
    text += "[[link]]\nname = \"" + name + "\"\n";
    if (!parent.empty()) text += "parent = \"" + parent + "\"\n";
    text += "at = " + numbers({at.x, at.y, at.z}) + "\n";
    if (!joint.empty()) text += "joint = { " + joint + " }\n";
    text += "shape = { " + shape + " }\n";
    text += "mass = " + to_text(mass * share * std::pow(10, -random.uniform(0, spread))) + "\n";
  }

  // With a spring, a damper and a range, or without.
  std::string hinge() {
    std::string joint = "hinge = \"" + std::string(1, "xyz"[random.index(3)]) + "\"";
    if (random.index(2)) joint += ", range = " + numbers({-between(0.1, 3), between(0.1, 3)});
    const double scale = mass * 9.81 * size * std::pow(10, between(-3, 1));
    if (random.index(2)) joint += ", spring = { stiffness = " + to_text(scale) + " }";
    if (random.index(2)) joint += ", damper = " + to_text(0.1 * scale * std::sqrt(size / 9.81));
    return joint;
  }
  std::string any_joint() {
    switch (random.index(4)) {
      case 0:
        return "ball = true, range = [" + numbers({-between(0.2, 3), between(0.2, 3)}) + ", " +
               numbers({-between(0.2, 3), between(0.2, 3)}) + ", " +
               numbers({-between(0.2, 3), between(0.2, 3)}) + "]";
      case 1:
        return "slide = \"z\", range = " + numbers({-0.1 * size, 0.1 * size});
      default:
        return hinge();
    }
  }
  std::string rod(double radius, double length) {
    return "capsule = " + to_text(radius) + ", to = " + numbers({0, 0, -length});
  }
  std::string box(double x, double y, double z) { return "box = " + numbers({x, y, z}); }

  void needles() {
    const int count = 1 + random.index(12);
    const double length = size / count, radius = length / between(10, 200);
    for (int i = 0; i < count; ++i)
      link("n" + std::to_string(i), i ? "n" + std::to_string(i - 1) : "", {0, 0, i ? -length : size},
           i ? hinge() : "", rod(radius, length), 1.0 / count);
  }
  void plates() {
    const int count = 1 + random.index(6);
    const double edge = size / count, thick = edge / between(20, 300);
    for (int i = 0; i < count; ++i)
      link("p" + std::to_string(i), i ? "p" + std::to_string(i - 1) : "", {i ? edge : 0, 0, i ? 0 : size},
           i ? hinge() : "", box(edge, edge, thick), 1.0 / count);
  }
  void legs() {
    const int pairs = 1 + random.index(4), joints = 1 + random.index(40);
    const double length = size / joints;
    link("trunk", "", {0, 0, 1.1 * size}, "", box(size, 0.5 * size, 0.2 * size), 0.5);
    for (int side = 0; side < 2; ++side)
      for (int p = 0; p < pairs; ++p) {
        const std::string leg = (side ? "r" : "l") + std::to_string(p);
        for (int i = 0; i < joints; ++i)
          link(leg + "_" + std::to_string(i), i ? leg + "_" + std::to_string(i - 1) : "trunk",
               i ? Vec3d(0, 0, -length)
                 : Vec3d(size * ((p + 0.5) / pairs - 0.5), (side ? -0.3 : 0.3) * size, 0),
               hinge(), rod(0.02 * size, length), 0.25 / (pairs * joints));
        text += "[[leg]]\nname = \"" + leg + "\"\nside = \"" + (side ? "right" : "left") + "\"\nhip = \"" +
                leg + "_0\"\nfoot = \"" + leg + "_" + std::to_string(joints - 1) + "\"\n";
      }
  }
  // A regular polygon of rods in the plane xz, closed by a loop.
  void ring() {
    const int count = 3 + random.index(12);
    const double edge = size / count, turn = -2 * 3.14159265358979 / count;
    for (int i = 0; i < count; ++i) {
      text += "[[link]]\nname = \"r" + std::to_string(i) + "\"\n";
      if (i) text += "parent = \"r" + std::to_string(i - 1) + "\"\njoint = { hinge = \"y\" }\n";
      text += "at = { pos = " + numbers({i ? edge : 0, 0, i ? 0 : size}) +
              ", rot = " + numbers({0, i ? turn : 0, 0}) + " }\n";
      text += "shape = { capsule = " + to_text(0.05 * edge) + ", to = " + numbers({edge, 0, 0}) + " }\n";
      text += "mass = " + to_text(mass / count * std::pow(10, -random.uniform(0, spread))) + "\n";
    }
    text += "[[loop]]\nname = \"closed\"\nlink = \"r" + std::to_string(count - 1) +
            "\"\npos = " + numbers({edge, 0, 0}) + "\nother = \"r0\"\n";
  }
  void tree() {
    const int count = 2 + random.index(20);
    for (int i = 0; i < count; ++i) {
      const int parent = i ? random.index(i) : -1;
      const double length = size * between(0.05, 0.3);
      link("t" + std::to_string(i), i ? "t" + std::to_string(parent) : "",
           i ? Vec3d(between(-0.1, 0.1) * size, between(-0.1, 0.1) * size, between(-0.2, 0.1) * size)
             : Vec3d(0, 0, 2 * size),
           i ? any_joint() : "",
           random.index(2) ? rod(0.1 * length, length) : box(length, 0.5 * length, 0.2 * length),
           1.0 / count);
    }
  }
};

}  // namespace

std::string odd_body(std::uint64_t seed, int number) {
  Maker maker(seed, number);
  switch (number % 5) {
    case 0:
      maker.needles();
      break;
    case 1:
      maker.plates();
      break;
    case 2:
      maker.legs();
      break;
    case 3:
      maker.ring();
      break;
    default:
      maker.tree();
  }
  return maker.text;
}

}  // namespace legwork
