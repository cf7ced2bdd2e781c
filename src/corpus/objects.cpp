// Commands on graphical objects: getting them, and the transforms on them.

#include <cmath>
#include <filesystem>
#include <numbers>

#include "corpus/interpreter.h"
#include "creature/shape.h"
#include "formats/mesh/mesh.h"
#include "math/real.h"

namespace legwork {

namespace {

using Corpus = CorpusInterpreter;

// Solids of size 1 around the origin that need no file. The thesis's bevelled cube is a plain one here: the
// bevel's size is not given, and contact was with the bounding box.
bool built_in(const std::string& name, Shape& shape) {
  if (name == "unit_cubeb" || name == "unit_cube") {
    shape.type = ShapeType::box;
    shape.size = {1, 1, 1};
  } else if (name == "unit_sphere") {
    shape.type = ShapeType::sphere;
    shape.size = {0.5, 0, 0};
  } else if (name == "unit_cylinder") {
    shape.type = ShapeType::cylinder;
    shape.size = {0.5, 1, 0};
  } else {
    return false;
  }
  return true;
}

void get(Corpus& corpus, const CorpusLine& line) {
  const std::string &name = line.words[0], &file = line.words[1];
  if (corpus.objects.contains(name))
    Corpus::fail(line, "there is an object '" + name + "' already",
                 "closeobj it first, or choose another name");
  auto object = std::make_unique<CorpusObject>();
  if (!built_in(std::filesystem::path(file).filename().string(), object->shape)) {
    object->shape.type = ShapeType::mesh;
    object->shape.mesh = read_mesh(corpus_file(file, line.where));
  }
  corpus.objects[name] = object.get();
  corpus.all_objects.push_back(std::move(object));
}

// An object that may still be moved about.
CorpusObject& movable(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = corpus.object(line, line.words[0]);
  if (object.linked)
    Corpus::fail(line, "'" + line.words[0] + "' is linked to its parent already",
                 "place it before linkbodies, or move its joint with joint " + line.words[0] + " q");
  return object;
}

void apply(Corpus& corpus, CorpusObject& object, const Affine& a) {
  object.transform = corpus.before_earlier ? object.transform * a : a * object.transform;
}

// About the pivot that localxforms or xformcenter chose.
void apply_linear(Corpus& corpus, CorpusObject& object, const Mat3d& A) {
  const Vec3d c = corpus.before_earlier ? Vec3d() : corpus.center;
  apply(corpus, object, {A, c - A * c});
}

void scale(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = movable(corpus, line);
  const Vec3d s = corpus_vector(line, 1);
  if (s.x == 0 || s.y == 0 || s.z == 0)
    Corpus::fail(line, "a scale of 0 leaves nothing", "write sizes, such as 0.5 1 1");
  if (object.used)
    Corpus::fail(line, "'" + line.words[0] + "' is part of a body, whose shape is settled",
                 "scale it before addbody");
  apply_linear(corpus, object, {s.x, 0, 0, 0, s.y, 0, 0, 0, s.z});
}

Mat3d rotation(const Vec3d& axis, double degrees) {
  // quarter turns exactly, so that boxes stay square to the last bit
  const double quarters = degrees / 90;
  double s = 0, c = 1;
  if (quarters == std::floor(quarters)) {
    const int n = int(std::fmod(std::fmod(quarters, 4) + 4, 4));
    s = n == 1 ? 1 : n == 3 ? -1 : 0;
    c = n == 0 ? 1 : n == 2 ? -1 : 0;
  } else {
    sin_cos(degrees * (std::numbers::pi / 180), s, c);
  }
  const Vec3d u = normalized(axis);
  const Mat3d K = skew(u);
  return combine(Mat3d::identity(), K, s, K * K, 1 - c);
}

void rotate(Corpus& corpus, const CorpusLine& line) {
  const char axis = line.words[1][0];
  const Vec3d u{axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
  apply_linear(corpus, movable(corpus, line), rotation(u, corpus_number(line.words[2])));
}

void rotate_axis(Corpus& corpus, const CorpusLine& line) {
  const Vec3d axis = corpus_vector(line, 1);
  if (!(norm(axis) > 0)) Corpus::fail(line, "the axis 0 0 0 has no direction", "write one, such as 0 0 1");
  apply_linear(corpus, movable(corpus, line), rotation(axis, corpus_number(line.words[4])));
}

void move(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = movable(corpus, line);
  if (line.words.size() == 2)
    object.transform.t = corpus.object(line, line.words[1]).transform.t;
  else
    apply(corpus, object, {Mat3d::identity(), corpus_vector(line, 1)});
}

void center(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = movable(corpus, line);
  Shape shape = transformed(object);
  object.transform.t -= mass_properties(shape).com;
}

void close_object(Corpus& corpus, const CorpusLine& line) {
  corpus.object(line, line.words[0]);
  corpus.objects.erase(line.words[0]);
}

void set_color(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = corpus.object(line, line.words[0]);
  const Vec3d c = corpus_vector(line, 1);
  if (!(c.x >= 0 && c.x <= 1 && c.y >= 0 && c.y <= 1 && c.z >= 0 && c.z <= 1))
    Corpus::fail(line, "a part of the colour is not between 0 and 1", "write, for example, 0.4 0.2 0.1");
  object.shape.color = {c.x, c.y, c.z};
  for (auto& world : corpus.worlds)
    for (auto& figure : world->figures)
      for (auto& body : figure->bodies)
        if (body->object == &object)
          for (Shape& shape : body->shapes) shape.color = object.shape.color;
  corpus.stage.change();
}

void pop(Corpus& corpus, const CorpusLine& line) {
  CorpusObject& object = movable(corpus, line);
  if (object.saved.empty())
    Corpus::fail(line, "nothing of '" + line.words[0] + "' was pushed", "call pushobj first");
  object.transform = object.saved.back();
  object.saved.pop_back();
}

}  // namespace

CorpusCommandGroup object_commands() {
  return {
      "Objects and transforms",
      {
          {"premult", "", "later transforms act before the earlier ones (in the object's own axes)",
           [](Corpus& c, const CorpusLine&) { c.before_earlier = true; }},
          {"postmult", "", "later transforms act after the earlier ones (in fixed axes); the default",
           [](Corpus& c, const CorpusLine&) { c.before_earlier = false; }},
          {"localxforms", "", "turn and scale about the origin of the space the object lies in; the default",
           [](Corpus& c, const CorpusLine&) { c.center = {}; }},
          {"xformcenter", "x# y# z#", "turn and scale about this point",
           [](Corpus& c, const CorpusLine& line) { c.center = corpus_vector(line, 0); }},
          {"get", "obj 'from' file",
           "a new object: unit_cubeb (or unit_cube), unit_sphere, unit_cylinder of size 1 around the origin "
           "in "
           "whatever folder, or a mesh (.obj, .stl, .glb)",
           get},
          {"closeobj", "obj", "deletes an object; bodies made of it stay", close_object},
          {"pushobj", "obj", "remembers the object's transform",
           [](Corpus& c, const CorpusLine& line) {
             CorpusObject& object = c.object(line, line.words[0]);
             object.saved.push_back(object.transform);
           }},
          {"popobj", "obj", "restores the transform remembered last", pop},
          {"init", "obj", "removes all transforms",
           [](Corpus& c, const CorpusLine& line) { movable(c, line).transform = {}; }},
          {"scale", "obj x# y# z#", "stretches along the axes", scale},
          {"center", "obj", "moves the centroid to the origin", center},
          {"move", "obj other / obj x# y# z#", "moves to where another object is, or by this distance (m)",
           move},
          {"rotate", "obj x|y|z angle#", "turns about an axis (degrees)", rotate},
          {"rotateaxis", "obj x# y# z# angle#", "turns about any axis (degrees)", rotate_axis},
          {"color", "obj red# green# blue#",
           "the colour it is drawn with, each part from 0 to 1; bodies made of it have it too", set_color},
      }};
}

}  // namespace legwork
