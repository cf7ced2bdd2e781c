// Commands that write the state of a figure to files and read it back. The files are lines of words; every
// number is the shortest text that reads back as the same double, so that nothing is lost.

#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>

#include "base/text.h"
#include "corpus/interpreter.h"
#include "formats/file.h"
#include "math/real.h"

namespace legwork {

namespace {

using Corpus = CorpusInterpreter;

class Writer {
 public:
  Writer& word(const std::string& text) {
    if (!text_.empty() && text_.back() != '\n') text_ += ' ';
    text_ += text;
    return *this;
  }
  Writer& number(double x) { return word(to_text(x)); }
  Writer& vector(const Vec3d& v) { return number(v.x).number(v.y).number(v.z); }
  Writer& quaternion(const Quatd& q) { return number(q.w).number(q.x).number(q.y).number(q.z); }
  Writer& motor(const CorpusMotor& m) { return number(m.active).number(m.target).number(m.end); }
  void end() { text_ += '\n'; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// One line of a state file.
class Row {
 public:
  Row(const std::string& text, Where where) : stream_(text), where_(std::move(where)) {}

  std::string word() {
    std::string text;
    if (!(stream_ >> text)) fail("the line ends too early", "is the file whole?");
    return text;
  }
  double number() {
    const std::string text = word();
    double x = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(x))
      fail("'" + text + "' is no number");
    return x;
  }
  Vec3d vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Quatd quaternion() {
    const double w = number(), x = number(), y = number(), z = number();
    const double size = w * w + x * x + y * y + z * z;
    if (!(std::fabs(size - 1) < 1e-6)) fail("its rotation is no unit quaternion");
    return {w, x, y, z};
  }
  CorpusMotor motor() {
    const double active = number(), target = number(), end = number();
    return {active != 0, target, end};
  }
  std::string rest() {
    std::string text;
    std::getline(stream_ >> std::ws, text);
    return text;
  }
  bool more() { return bool(stream_ >> std::ws) && stream_.peek() != EOF; }
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw Error(where_, "state", problem, advice);
  }
  const Where& where() const { return where_; }

 private:
  std::istringstream stream_;
  Where where_;
};

CorpusFigure& ready(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = corpus.figure(line);
  if (!figure.ready) Corpus::fail(line, "'" + figure.name + "' is not complete", "call corpusinit first");
  return figure;
}

// A dump is a fence: the simulation begins anew at it, so that a run that loads it goes on with the same
// bits.
void write(Corpus& corpus, const CorpusLine& line, const Writer& writer) {
  if (corpus.options.build_only) return;
  write_file(line.words[0], writer.text());
  corpus.stage.change();
}

template <class Visit>
void read(Corpus& corpus, const CorpusLine& line, const Visit& visit) {
  const std::string path = corpus_file(line.words[0], line.where);
  std::istringstream lines(read_file(path, 64 << 20));
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    Row row(text, {path, ++number});
    if (!row.more()) continue;
    const std::string kind = row.word();
    visit(kind, row);
    if (row.more()) row.fail("'" + row.word() + "' is one word too many");
  }
  if (number == 0) throw Error({path, 0}, "state", "the file is empty");
  corpus.stage.change();
}

CorpusBody& own_body(const CorpusFigure& figure, const Row& row, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& body : figure.bodies) {
    if (body->name == name) return *body;
    names.push_back(body->name);
  }
  row.fail("figure '" + figure.name + "' has no body '" + name + "'", did_you_mean(name, names));
}

[[noreturn]] void unknown_kind(const std::string& kind, const Row& row, const CorpusLine& line) {
  row.fail("'" + kind + "' is nothing that " + line.command->name + " reads", "is this the right file?");
}

void dump_state(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  const CorpusWorld& world = corpus.world();
  Writer w;
  w.word("corpus").word(figure.name).end();
  w.word("time").number(world.base).number(double(world.frames)).number(world.dt).end();
  w.word("root").vector(figure.pos).quaternion(figure.rot).vector(figure.velocity).vector(figure.spin).end();
  for (const auto& body : figure.bodies) {
    if (body->parent < 0) continue;
    const CorpusJoint& j = body->joint;
    w.word("joint").word(body->name).number(j.q).number(j.dq).number(j.e_q).number(j.k_q).end();
  }
  write(corpus, line, w);
}

void load_state(Corpus& corpus, const CorpusLine& line) {
  CorpusFigure& figure = ready(corpus, line);
  CorpusWorld& world = corpus.world();
  read(corpus, line, [&](const std::string& kind, Row& row) {
    if (kind == "corpus") {
      row.word();  // a state fits any figure with the same bodies
    } else if (kind == "time") {
      world.base = row.number();
      world.frames = long(row.number());
      world.dt = row.number();
      if (!(world.dt > 0)) row.fail("its frame is no time");
    } else if (kind == "root") {
      figure.pos = row.vector();
      figure.rot = row.quaternion();
      figure.velocity = row.vector();
      figure.spin = row.vector();
    } else if (kind == "joint") {
      CorpusJoint& j = own_body(figure, row, row.word()).joint;
      j.q = row.number(), j.dq = row.number(), j.e_q = row.number(), j.k_q = row.number();
    } else {
      unknown_kind(kind, row, line);
    }
  });
}

// Forces and accelerations at the present state.
Simulation<double>& probed(Corpus& corpus) {
  corpus.stage.prepare(corpus.world());
  corpus.stage.simulation().probe();
  return corpus.stage.simulation();
}

using Values = std::map<const CorpusBody*, std::array<double, 6>>;

void dump_joint_values(Corpus& corpus, const CorpusLine& line, const char* kind,
                       std::vector<double> Simulation<double>::*values, const Values* read_before = nullptr) {
  const CorpusFigure& figure = ready(corpus, line);
  const std::vector<double>& all = probed(corpus).*values;
  Writer w;
  for (const auto& body : figure.bodies) {
    if (body->dof < 0) continue;
    w.word(kind).word(body->name);
    const auto known = read_before ? read_before->find(body.get()) : Values::const_iterator();
    const bool read = read_before && known != read_before->end();
    for (int i = 0; i < (body->parent < 0 ? 6 : 1); ++i)
      w.number(read ? known->second[std::size_t(i)] : all[body->dof + i]);
    w.end();
  }
  write(corpus, line, w);
}

// Those that were read, until time moves.
void load_accelerations(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  read(corpus, line, [&](const std::string& kind, Row& row) {
    if (kind != "a") unknown_kind(kind, row, line);
    const CorpusBody& body = own_body(figure, row, row.word());
    std::array<double, 6>& a = corpus.world().accelerations[&body];
    for (int i = 0; i < (body.parent < 0 ? 6 : 1); ++i) a[std::size_t(i)] = row.number();
  });
}

void dump_motors(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  const CorpusWorld& world = corpus.world();
  Writer w;
  for (const auto& body : figure.bodies)
    if (body->parent >= 0) w.word("motor").word(body->name).motor(body->etarget).motor(body->ktarget).end();
  for (const auto& roach : world.roaches) {
    if (roach->figure != &figure) continue;
    const GaitState& g = roach->state;
    w.word("gait").word(roach->name).number(roach->going).number(g.master);
    w.number(roach->pace.step).number(roach->pace.delay).number(roach->pace.slowness).end();
    for (std::size_t i = 0; i < g.phase.size(); ++i)
      w.word("leg")
          .word(roach->name)
          .number(double(i))
          .number(g.phase[i])
          .number(int(g.mode[i]))
          .number(g.in_mode[i])
          .number(g.length[i])
          .end();
  }
  for (const CorpusTimer& timer : world.timers)
    w.word("timer")
        .number(timer.time)
        .number(timer.scale)
        .word(timer.command.command->name)
        .word(timer.command.text)
        .end();
  write(corpus, line, w);
}

void load_motors(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  CorpusWorld& world = corpus.world();
  world.timers.clear();
  const auto roach = [&](Row& row) -> CorpusRoach& {
    const std::string name = row.word();
    for (auto& candidate : world.roaches)
      if (candidate->name == name) return *candidate;
    row.fail("there is no gait '" + name + "'", "begin it with addroach");
  };
  read(corpus, line, [&](const std::string& kind, Row& row) {
    if (kind == "motor") {
      CorpusBody& body = own_body(figure, row, row.word());
      body.etarget = row.motor();
      body.ktarget = row.motor();
    } else if (kind == "gait") {
      CorpusRoach& r = roach(row);
      r.going = row.number() != 0;
      r.state.master = row.number();
      r.pace.step = row.number(), r.pace.delay = row.number(), r.pace.slowness = row.number();
      if (!(r.pace.step > 0 && r.pace.stance() > 0)) row.fail("its times are not positive");
    } else if (kind == "leg") {
      GaitState& g = roach(row).state;
      const double number = row.number(), phase = row.number(), mode = row.number();
      if (!(number >= 0 && number < double(g.phase.size()) && mode >= 0 && mode <= 2))
        row.fail("there is no leg or mode of that number", "is this the state of another gait?");
      const std::size_t i = std::size_t(number);
      g.phase[i] = phase, g.mode[i] = LegMode(int(mode));
      g.in_mode[i] = row.number(), g.length[i] = row.number();
    } else if (kind == "timer") {
      CorpusTimer timer;
      timer.time = row.number(), timer.scale = row.number();
      timer.command = parse_corpus_line(row.rest(), row.where());
      world.timers.push_back(timer);
    } else {
      unknown_kind(kind, row, line);
    }
  });
}

// Contact points of the figure, with their places in the simulation.
template <class Visit>
void for_contacts(const CorpusFigure& figure, const Simulation<double>& sim, const Visit& visit) {
  const std::vector<ContactPoint>& contacts = sim.system().world.body.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (const auto& body : figure.bodies)
      if (body->link == contacts[i].link) visit(i, contacts[i]);
}

void dump_contacts(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  corpus.stage.prepare(corpus.world());
  const Simulation<double>& sim = corpus.stage.simulation();
  Writer w;
  for (const auto& body : figure.bodies)
    if (body->may_stick) w.word("stick").word(body->name).number(body->sticks).end();
  for_contacts(figure, sim, [&](std::size_t i, const ContactPoint& contact) {
    const SiteState<double>& site = sim.state.contact.sites[i];
    if (site.anchored == 0 && site.stuck == 0) return;
    w.word("contact")
        .word(contact.name)
        .number(site.anchored)
        .number(site.stuck)
        .vector(site.anchor)
        .vector(site.point)
        .end();
  });
  const std::vector<CorpusAttachment>& attachments = corpus.world().attachments;
  for (std::size_t i = 0; i < attachments.size(); ++i)
    w.word("attachment").number(double(i + 1)).number(attachments[i].broken).end();
  write(corpus, line, w);
}

void load_contacts(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  CorpusWorld& world = corpus.world();
  struct Site {
    std::string name;
    SiteState<double> state;
    Where where;
  };
  std::vector<Site> sites;
  read(corpus, line, [&](const std::string& kind, Row& row) {
    if (kind == "stick") {
      CorpusBody& body = own_body(figure, row, row.word());
      body.may_stick = true;
      body.sticks = row.number() != 0;
    } else if (kind == "contact") {
      Site site;
      site.name = row.word();
      site.where = row.where();
      site.state.anchored = row.number(), site.state.stuck = row.number();
      site.state.anchor = row.vector(), site.state.point = row.vector();
      sites.push_back(site);
    } else if (kind == "attachment") {
      const double number = row.number();
      if (!(number >= 1 && number <= double(world.attachments.size())))
        row.fail("there is no attachment " + to_text(number),
                 "the script attaches " + std::to_string(world.attachments.size()));
      world.attachments[std::size_t(number) - 1].broken = row.number() != 0;
    } else {
      unknown_kind(kind, row, line);
    }
  });
  corpus.stage.prepare(world);
  Simulation<double>& sim = corpus.stage.simulation();
  for_contacts(figure, sim, [&](std::size_t i, const ContactPoint&) { sim.state.contact.sites[i] = {}; });
  sim.state.contact.changed();
  for (const Site& site : sites) {
    bool found = false;
    for_contacts(figure, sim, [&](std::size_t i, const ContactPoint& contact) {
      if (contact.name != site.name) return;
      sim.state.contact.sites[i] = site.state;
      found = true;
    });
    if (!found)
      throw Error(site.where, "state",
                  "figure '" + figure.name + "' has no contact point '" + site.name + "'");
  }
}

void dump_contact_forces(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  const Simulation<double>& sim = probed(corpus);
  Writer w;
  for_contacts(figure, sim, [&](std::size_t i, const ContactPoint& contact) {
    if (sim.ground_contacts[i].touching > 0)
      w.word("force").word(contact.name).vector(sim.ground_contacts[i].force).end();
  });
  for (const BodyContactRecord& touch : sim.body_contacts)
    w.word("touch")
        .word(sim.system().world.body.links[touch.link].name)
        .word(sim.system().world.body.links[touch.other].name)
        .vector(touch.point)
        .vector(touch.force)
        .end();
  write(corpus, line, w);
}

// A script that puts the objects where the bodies are.
void dump_matrices(Corpus& corpus, const CorpusLine& line) {
  const CorpusFigure& figure = ready(corpus, line);
  corpus.stage.prepare(corpus.world());
  const Simulation<double>& sim = corpus.stage.simulation();
  Writer w;
  w.word("postmult").end();
  w.word("xformcenter 0 0 0").end();
  for (const auto& body : figure.bodies) {
    const Quatd q = quaternion(sim.w.R[body->link]);
    const double sine = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    w.word("init").word(body->name).end();
    if (sine > 0)
      w.word("rotateaxis")
          .word(body->name)
          .vector({q.x, q.y, q.z})
          .number(2 * atan2(sine, q.w) * (180 / std::numbers::pi))
          .end();
    w.word("move").word(body->name).vector(sim.w.p[body->link]).end();
  }
  write(corpus, line, w);
}

}  // namespace

CorpusCommandGroup state_commands() {
  return {
      "State in files",
      {
          {"dumps", "file", "writes the figure's state: time, root, joints' q, dq and rests", dump_state},
          {"loads", "file", "reads it back, bit for bit", load_state},
          {"dumpQs", "file", "writes the joints' forces",
           [](Corpus& c, const CorpusLine& line) {
             dump_joint_values(c, line, "Q", &Simulation<double>::tau);
           }},
          {"dumpas", "file", "writes the accelerations of the root (linear, angular) and of the joints",
           [](Corpus& c, const CorpusLine& line) {
             dump_joint_values(c, line, "a", &Simulation<double>::qdd, &c.world().accelerations);
           }},
          {"loadas", "file",
           "reads them back: dumpas writes them again until time moves; motion follows from the state alone",
           load_accelerations},
          {"dumpmotors", "file", "writes motor programs, gaits and timers", dump_motors},
          {"loadmotors", "file", "reads them back", load_motors},
          {"dumpcontacts", "file",
           "writes where points hold on to the ground, and which attachments are broken", dump_contacts},
          {"loadcontacts", "file", "reads them back", load_contacts},
          {"dumpcontactforces", "file", "writes the forces of ground and touches", dump_contact_forces},
          {"dumpmatcorpus", "file", "writes a script that puts objects where the bodies are", dump_matrices},
      }};
}

}  // namespace legwork
