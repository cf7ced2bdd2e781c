// Creatures and worlds: read from names and files, or written in Python; constant once they are there.

#include <filesystem>

#include "core.h"

namespace legwork::python {

namespace {

std::shared_ptr<const World> share(World world) { return std::make_shared<const World>(std::move(world)); }

py::dict words_of(WorldOptions words) {
  py::dict out;
  const Options described(words);
  for (const Option& option : described.all()) out[py::str(option.name)] = py::cast(option.get());
  return out;
}

WorldOptions read_words(const py::dict& given) {
  WorldOptions words;
  const Options options(words);
  set_options({&options}, given, "world");
  return words;
}

// All that makes a world again: worlds in Python come from files and words alone.
py::tuple keep(const World& world) {
  return py::make_tuple(creature_text(world.body), world.origin.name, world.origin.source,
                        words_of(world.origin.told), words_of(world.origin.asked));
}

std::shared_ptr<const World> restore(const py::tuple& kept) {
  if (kept.size() != 5) throw Error("this is no pickled world of this version of Legwork");
  World world;
  const std::string name = kept[1].cast<std::string>();
  world.body = parse_creature(kept[0].cast<std::string>(), name.empty() ? "pickled creature" : name);
  apply(read_words(kept[3]), world);
  world.origin.name = name, world.origin.source = kept[2].cast<std::string>();
  world.origin.asked = read_words(kept[4]);
  return share(std::move(world));
}

py::array matrix(const Sym3d& s) {
  std::vector<double> values;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) values.push_back(s(i, j));
  return owned(std::move(values), {3, 3});
}

template <class Item>
py::list parts(py::handle self, const std::vector<Item>& items) {
  py::list list;
  for (const Item& item : items)
    list.append(py::cast(&item, py::return_value_policy::reference_internal, self));
  return list;
}

const char* name_of(JointType type) {
  constexpr const char* names[] = {"fixed",     "hinge",  "slide", "ball",
                                   "universal", "planar", "free",  "keyframed"};
  return names[std::size_t(type)];
}
const char* name_of(Side side) {
  return side == Side::left ? "left" : side == Side::right ? "right" : "none";
}
const char* name_of(ActuatorType type) {
  return type == ActuatorType::angular ? "angular" : type == ActuatorType::linear ? "linear" : "motor";
}

void bind_parts(py::module_& m) {
  py::class_<Dof>(m, "Dof", "A degree of freedom: what moves, and what holds it back.")
      .def_readonly("name", &Dof::name, "its name")
      .def_readonly("lower", &Dof::lower, "rad or m")
      .def_readonly("upper", &Dof::upper, "rad or m")
      .def_readonly("damper", &Dof::damper, "N m s/rad or N s/m")
      .def_readonly("armature", &Dof::armature, "kg m^2 or kg")
      .def_readonly("friction", &Dof::friction, "N m or N")
      .def_property_readonly(
          "stiffness", [](const Dof& d) { return d.spring.stiffness; }, "of its spring")
      .def("__repr__", [](const Dof& d) { return "<legwork.Dof '" + d.name + "'>"; });
  py::class_<Joint>(m, "Joint", "How a link moves against its parent.")
      .def_readonly("name", &Joint::name, "its name")
      .def_property_readonly(
          "type", [](const Joint& j) { return name_of(j.type); }, "'hinge', 'slide', 'ball', ...")
      .def_property_readonly(
          "dofs", [](py::object self) { return parts(self, self.cast<const Joint&>().dofs); },
          "its degrees of freedom")
      .def("__repr__", [](const Joint& j) { return "<legwork.Joint '" + j.name + "'>"; });
  py::class_<Link>(m, "Link", "A rigid part of a body.")
      .def_readonly("name", &Link::name, "its name")
      .def_readonly("parent", &Link::parent, "number of the parent among the links; -1 = the world")
      .def_readonly("mass", &Link::mass, "kg")
      .def_property_readonly(
          "com", [](const Link& l) { return to_python(l.com); }, "centre of mass, link frame, m")
      .def_property_readonly(
          "inertia", [](const Link& l) { return matrix(l.inertia); },
          "about the centre of mass, link axes, kg m^2")
      .def_property_readonly(
          "joints", [](py::object self) { return parts(self, self.cast<const Link&>().joints); },
          "its joints, the first next to the parent")
      .def("__repr__", [](const Link& l) { return "<legwork.Link '" + l.name + "'>"; });
  py::class_<Leg>(m, "Leg", "A leg: from its hip to its foot.")
      .def_readonly("name", &Leg::name, "its name")
      .def_property_readonly(
          "side", [](const Leg& l) { return name_of(l.side); }, "'left', 'right' or 'none'")
      .def_readonly("girdle", &Leg::girdle, "'fore', 'hind', ...: legs of one girdle are a pair")
      .def_readonly("hip", &Leg::hip, "number of a link")
      .def_readonly("knee", &Leg::knee, "number of a link; -1 = none")
      .def_readonly("foot", &Leg::foot, "number of a link")
      .def_property_readonly(
          "sole", [](const Leg& l) { return to_python(l.sole); }, "foot frame, m")
      .def("__repr__", [](const Leg& l) { return "<legwork.Leg '" + l.name + "'>"; });
  py::class_<Actuator>(m, "Actuator", "What a controller commands.")
      .def_readonly("name", &Actuator::name, "its name")
      .def_property_readonly(
          "type", [](const Actuator& a) { return name_of(a.type); }, "'angular', 'linear' or 'motor'")
      .def_readonly("dof", &Actuator::dof, "number of a degree of freedom; -1 = acts between points")
      .def_readonly("lower", &Actuator::lower, "of the command")
      .def_readonly("upper", &Actuator::upper, "of the command")
      .def_readonly("strength", &Actuator::strength, "N m or N")
      .def_readonly("ks", &Actuator::ks, "gain on the position")
      .def_readonly("kd", &Actuator::kd, "gain on the velocity")
      .def("__repr__", [](const Actuator& a) { return "<legwork.Actuator '" + a.name + "'>"; });
}

py::dict poses(py::handle self, const Creature& body) {
  py::dict out;
  for (const Pose& pose : body.poses)
    out[py::str(pose.name)] = view(pose.q, {py::ssize_t(pose.q.size())}, self);
  return out;
}

py::list contact_names(const Creature& body) {
  py::list names;
  for (std::size_t i = 0; i < body.contacts.size(); ++i) {
    const ContactPoint& point = body.contacts[i];
    names.append(point.name.empty() ? body.links[std::size_t(point.link)].name : point.name);
  }
  return names;
}

py::list supports_of(const World& world) {
  py::list out;
  for (const Support& support : supports(world)) {
    py::dict row;
    row["method"] = support.method, row["supported"] = support.supported;
    row["how"] = support.how, row["lacks"] = support.lacks, row["advice"] = support.advice;
    out.append(row);
  }
  return out;
}

std::vector<int> contact_links(const Creature& body) {
  std::vector<int> links;
  for (const ContactPoint& point : body.contacts) links.push_back(point.link);
  return links;
}

PyCreature make_creature(const py::args& others, const py::kwargs& tables) {
  if (!others.empty())
    throw Error({}, "Creature", "takes the keys of a creature file, by name",
                "legwork.load gives a creature by its name or from a file");
  const std::string text = py::module_::import("legwork._toml").attr("write")(tables).cast<std::string>();
  const std::string name = tables.contains("name") ? py::str(tables["name"]).cast<std::string>() : "creature";
  try {
    return creature_of(parse_creature(text, name + " (written in Python)"));
  } catch (const Error& e) {  // nobody sees the lines of that text
    throw Error({e.where().file, 0}, e.who(), e.problem(), e.advice());
  }
}

using CreatureClass = py::class_<PyCreature>;

void bind_creature_numbers(CreatureClass& c) {
  const auto number = [&c](const char* name, auto get, const char* doc) {
    c.def_property_readonly(
        name, [get](const PyCreature& self) { return get(self.body()); }, doc);
  };
  number(
      "name", [](const Creature& b) { return b.name; }, "its name");
  number(
      "about", [](const Creature& b) { return b.about; }, "one line about it");
  number(
      "nq", [](const Creature& b) { return b.nq(); }, "number of position coordinates");
  number(
      "nv", [](const Creature& b) { return b.nv(); }, "number of degrees of freedom");
  number(
      "nu", [](const Creature& b) { return b.actuators.size(); }, "number of actuators");
  number(
      "mass", [](const Creature& b) { return b.mass(); }, "kg");
  number(
      "hip_height", [](const Creature& b) { return hip_height(b); },
      "m, in the pose stand; nan without legs");
  number(
      "warnings", [](const Creature& b) { return b.warnings; },
      "what its file says and does not matter here");
  number("contacts", contact_names, "names of the contact points, or of their links");
  number("contact_links", contact_links, "number of each contact point's link");
}

void bind_creature_lists(CreatureClass& c) {
  const auto list = [&c](const char* name, auto field, const char* doc) {
    c.def_property_readonly(
        name, [field](py::object self) { return parts(self, self.cast<const PyCreature&>().body().*field); },
        doc);
  };
  list("links", &Creature::links, "every link; parents come before children");
  list("legs", &Creature::legs, "every leg");
  list("actuators", &Creature::actuators, "every actuator");
  c.def_property_readonly(
      "dofs",
      [](py::object self) {
        py::list out;
        for (const Dof* dof : self.cast<const PyCreature&>().body().dofs())
          out.append(py::cast(dof, py::return_value_policy::reference_internal, self));
        return out;
      },
      "every degree of freedom, in the order of v");
  c.def_property_readonly(
      "poses", [](py::object self) { return poses(self, self.cast<const PyCreature&>().body()); },
      "configurations by name, read-only");
}

void bind_creature_verbs(CreatureClass& c) {
  c.def(
      "equipped", [](const PyCreature& self) { return creature_of(equipped(self.body())); },
      "The body with a servo for each joint and sensors, where it has none.");
  c.def(
      "supports", [](const PyCreature& self) { return supports_of(*self.home); },
      "Which methods can move it, and what it lacks for the others.");
  c.def(
      "to_toml", [](const PyCreature& self) { return creature_text(self.body()); },
      "The body as a creature file that stands alone.");
  c.def(
      "save",
      [](const PyCreature& self, py::object file) {
        const std::string path = to_path(file, "path");
        const std::string ending = std::filesystem::path(path).extension().string();
        if (ending != ".toml" && ending != ".xml")
          throw Error({}, path, "ends in no format that bodies are saved in", "use .toml or .xml (MJCF)");
        ending == ".xml" ? write_mjcf(self.body(), path) : write_creature(self.body(), path);
      },
      py::arg("path"), "Writes the body: .toml, or .xml (MJCF).");
}

void bind_creature_class(py::module_& m) {
  py::class_<PyCreature> c(
      m, "Creature",
      "A body: links, joints, legs, actuators. Constant; changes make a new one.\n\n"
      "Creature(name=..., link=[...], leg=[...]) takes the keys of a creature file as Python's "
      "lists and dicts;\nbase='dog' builds on another body.");
  c.def(py::init(&make_creature));
  bind_creature_numbers(c);
  bind_creature_lists(c);
  bind_creature_verbs(c);
  c.def("__repr__", [](const PyCreature& self) {
    return "<legwork.Creature '" + self.body().name + "': " + std::to_string(self.body().links.size()) +
           " links, nq " + std::to_string(self.body().nq()) + ", nv " + std::to_string(self.body().nv()) +
           ">";
  });
  copy_and_pickle(
      c, [](const PyCreature& self) { return keep(*self.home); },
      [](const py::tuple& kept) { return PyCreature{restore(kept)}; });
}

void bind_world_class(py::module_& m) {
  const std::string doc = with_options(
      "A creature in its surroundings: ground, gravity, water, wind, pushes. Constant.", {"world"});
  py::class_<PyWorld> c(m, "World", doc.c_str());
  c.def(py::init([](py::object creature, const py::kwargs& options) {
          return PyWorld{share(to_world(creature, options, "World"))};
        }),
        py::arg("creature"))
      .def_property_readonly(
          "creature", [](const PyWorld& self) { return PyCreature{self.world}; }, "its body, or all of them")
      .def_property_readonly(
          "gravity", [](const PyWorld& self) { return to_python(self.world->gravity); }, "m/s^2")
      .def_property_readonly(
          "terrain", [](const PyWorld& self) { return self.world->terrain.spec; }, "as it was asked for")
      .def_property_readonly(
          "rate", [](const PyWorld& self) { return self.world->rate; }, "frames a second")
      .def("__repr__", [](const PyWorld& self) {
        return "<legwork.World: '" + self.world->body.name + "' on " + self.world->terrain.spec + ">";
      });
  copy_and_pickle(
      c, [](const PyWorld& self) { return keep(*self.world); },
      [](const py::tuple& kept) { return PyWorld{restore(kept)}; });
}

}  // namespace

PyCreature creature_of(Creature body) { return {share(world_of(body))}; }

World to_world(py::handle given, const py::dict& options, const std::string& who) {
  WorldOptions words;
  const Options described(words);
  set_options({&described}, options, who);
  std::shared_ptr<const World> world;
  if (py::isinstance<PyCreature>(given))
    world = given.cast<const PyCreature&>().home;
  else if (py::isinstance<PyWorld>(given))
    world = given.cast<const PyWorld&>().world;
  if (!world) {
    if (!py::isinstance<py::str>(given) && !py::hasattr(given, "__fspath__"))
      throw Error({}, who + ": creature", "a " + type_name(given) + " is none",
                  py::hasattr(given, "creature") ? "give its .creature"
                                                 : "give a shipped name, a file, a Creature or a World");
    return load_world(to_path(given, who + ": creature"), words);
  }
  World changed = *world;
  apply(words, changed);
  return changed;
}

void bind_creature(py::module_& m) {
  bind_parts(m);
  bind_creature_class(m);
  bind_world_class(m);
  m.def(
      "load", [](py::object name) { return PyCreature{share(load_world(to_path(name, "load")))}; },
      py::arg("name"), "A creature by its shipped name, or from a file: .toml, MJCF .xml, .urdf, .corpus.");
  const auto shipped = [](const std::vector<ShippedCreature>& all) {
    py::dict out;
    for (const ShippedCreature& one : all) out[py::str(one.name)] = one.about;
    return out;
  };
  m.def(
      "creatures", [shipped] { return shipped(shipped_creatures()); },
      "Shipped creatures: name to one line.");
  m.def(
      "worlds", [shipped] { return shipped(shipped_worlds()); }, "Shipped worlds: name to one line.");
}

}  // namespace legwork::python
