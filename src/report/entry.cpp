#include "report/entry.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include <legwork/report.h>
#include "base/text.h"
#include "formats/account_json.h"
#include "formats/base64.h"
#include "report/channels.h"
#include "report/film.h"
#include "report/ground.h"

namespace legwork {

namespace {

using nlohmann::json;

// A JSON text, bytes that are no UTF-8 replaced.
std::string text_of(const json& data) { return data.dump(-1, ' ', false, json::error_handler_t::replace); }

// `rows` says for each leg of the creature its place on the page.
json plot_json(const FilmPlot& plot, const std::vector<int>& rows) {
  json groups = json::array();
  std::vector<float> values;
  for (const FilmGroup& group : plot.groups) {
    json names = json::array(), legs = json::array();
    for (const FilmSeries& s : group.series) {
      names.push_back(s.name);
      legs.push_back(s.leg < 0 ? -1 : rows[s.leg]);
      values.insert(values.end(), s.values.begin(), s.values.end());
    }
    groups.push_back({{"name", group.name},
                      {"unit", group.unit},
                      {"row", group.row},
                      {"scale", group.scale},
                      {"series", std::move(names)},
                      {"legs", std::move(legs)}});
  }
  return {{"id", plot.id},
          {"title", plot.title},
          {"note", plot.note},
          {"groups", std::move(groups)},
          {"values", base64(values)}};
}

json vector_json(const Vec3d& p) { return {p.x, p.y, p.z}; }
json quaternion_json(const Quatd& q) { return {q.x, q.y, q.z, q.w}; }  // the page's order

const char* shape_name(ShapeType type) {
  switch (type) {
    case ShapeType::box:
      return "box";
    case ShapeType::sphere:
      return "sphere";
    case ShapeType::capsule:
      return "capsule";
    case ShapeType::cylinder:
      return "cylinder";
    case ShapeType::ellipsoid:
      return "ellipsoid";
    case ShapeType::mesh:
      return "mesh";
  }
  return "";
}

json shape_json(const Shape& shape) {
  json out = {{"type", shape_name(shape.type)},
              {"size", vector_json(shape.size)},
              {"pos", vector_json(shape.pos)},
              {"rot", quaternion_json(shape.rot)},
              {"color", shape.color}};
  if (shape.type != ShapeType::mesh) return out;
  std::vector<float> vertices;
  std::vector<std::uint32_t> triangles;
  double radius = 0;
  for (const Vec3d& p : shape.mesh.vertices) {
    vertices.insert(vertices.end(), {float(p.x), float(p.y), float(p.z)});
    radius = std::max(radius, norm(p));
  }
  for (const auto& t : shape.mesh.triangles)
    for (const int vertex : t) triangles.push_back(std::uint32_t(vertex));
  out["radius"] = radius;
  out["mesh"] = {{"vertices", base64(vertices)}, {"triangles", base64(triangles)}};
  return out;
}

// A body without any shape is drawn as sticks from joint to joint.
std::vector<std::vector<Shape>> drawn_shapes(const Creature& creature) {
  std::vector<std::vector<Shape>> out;
  double longest = 0.1;
  bool any = false;
  for (const Link& link : creature.links) {
    out.push_back(link.shapes);
    any |= !link.shapes.empty();
    if (link.parent >= 0) longest = std::max(longest, norm(link.pos));
  }
  if (any) return out;
  const double radius = 0.04 * longest;
  for (std::size_t k = 0; k < creature.links.size(); ++k) {
    Shape knob;
    knob.type = ShapeType::sphere, knob.size = {1.5 * radius, 0, 0};
    out[k].push_back(knob);
    const Link& link = creature.links[k];
    const double length = norm(link.pos);
    if (link.parent < 0 || length < 2 * radius) continue;
    const Vec3d z = link.pos * (1 / length);
    const Vec3d x = normalized(cross(z, std::fabs(z.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    Shape stick;
    stick.type = ShapeType::capsule, stick.size = {radius, length, 0}, stick.pos = link.pos * 0.5;
    stick.rot = quaternion(Mat3d::columns(x, cross(z, x), z));
    out[link.parent].push_back(stick);
  }
  return out;
}

void add_poses(json& out, const Film& film) {
  std::vector<int> drawn;
  const std::vector<std::vector<Shape>> shapes = drawn_shapes(film.motion->creature);
  for (std::size_t k = 0; k < shapes.size(); ++k)
    if (!shapes[k].empty()) drawn.push_back(int(k));
  std::vector<float> poses;
  poses.reserve(7 * drawn.size() * std::size_t(film.frames));
  for (int i = 0; i < film.frames; ++i)
    for (const int k : drawn) {
      const Vec3d& p = film.origin(i, k);
      const Quatd q = quaternion(film.turn(i, k));
      for (const double x : {p.x, p.y, p.z, q.x, q.y, q.z, q.w}) poses.push_back(float(x));
    }
  out["poses"] = base64(poses);
}

// Force and centre of pressure on each link that the ground touched at all.
void add_contacts(json& out, const Film& film) {
  const Creature& c = film.motion->creature;
  const std::size_t contacts = c.contacts.size();
  std::vector<char> touched(c.links.size(), 0);
  for (std::size_t i = 0; i < film.force.size(); ++i)
    if (film.force[i] != 0) touched[c.contacts[i / 3 % contacts].link] = 1;
  json names = json::array();
  std::vector<int> links;
  for (std::size_t k = 0; k < touched.size(); ++k)
    if (touched[k]) names.push_back(c.links[k].name), links.push_back(int(k));
  if (links.empty()) return;

  std::vector<float> values;
  for (int i = 0; i < film.frames; ++i)
    for (const int link : links) {
      Vec3d force, centre;
      double weight = 0;
      for (std::size_t k = 0; k < contacts; ++k) {
        if (c.contacts[k].link != link) continue;
        const double* f = film.force.data() + 3 * (std::size_t(i) * contacts + k);
        const Vec3d f_k{f[0], f[1], f[2]};
        const Vec3d ball{0, 0, -c.contacts[k].radius};
        const Vec3d p = film.origin(i, link) + film.turn(i, link) * c.contacts[k].pos + ball;
        force += f_k, centre += p * norm(f_k), weight += norm(f_k);
      }
      if (weight > 0) centre = centre * (1 / weight);
      for (const double x : {centre.x, centre.y, centre.z, force.x, force.y, force.z})
        values.push_back(float(x));
    }
  out["contacts"] = {{"links", std::move(names)}, {"values", base64(values)}};
}

// The rectangle that the creature's links cross, with room around it.
void add_ground(json& out, const Film& film) {
  const Terrain& terrain = film.motion->terrain;
  if (terrain.type == TerrainType::none) {
    out["ground"] = {{"type", "none"}};
    return;
  }
  Vec3d low{1e30, 1e30, 0}, high{-1e30, -1e30, 0};
  for (const Vec3d& p : film.p)
    for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  double size = 0.1;
  for (int k = 0; k < film.model.nlink; ++k) size = std::max(size, norm(film.origin(0, k) - film.com[0]));
  const Vec3d room{10 * size, 10 * size, 0};
  const GroundMesh mesh = ground_mesh(terrain, low - room, high + room);
  if (mesh.triangles.empty())
    out["ground"] = {{"type", "plane"}, {"height", terrain.height}};
  else
    out["ground"] = {
        {"type", "mesh"}, {"vertices", base64(mesh.vertices)}, {"triangles", base64(mesh.triangles)}};
}

// Order of the legs on the page, after Hildebrand: left from hind to fore, then right from fore to hind.
std::vector<int> leg_order(const Creature& c, const std::vector<double>& forward) {
  std::vector<int> order(c.legs.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = int(k);
  const auto side = [&](int k) {
    return c.legs[k].side == Side::left ? 0 : c.legs[k].side == Side::none ? 1 : 2;
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    if (side(a) != side(b)) return side(a) < side(b);
    return side(a) == 0 ? forward[a] < forward[b] : forward[a] > forward[b];
  });
  return order;
}

// Bars, footprints and numbers of each leg, in the page's order.
void add_gait(json& out, const Gait& gait, const Terrain& terrain, const std::vector<int>& order) {
  json bars = json::array(), tracks = json::array(), rows = json::array(), columns = json::array();
  const std::vector<LegMeasure> measures = leg_measures(gait);
  for (const LegMeasure& m : measures)
    columns.push_back({{"name", m.name}, {"unit", m.unit}, {"text", m.text}});
  for (std::size_t row = 0; row < order.size(); ++row) {
    json list = json::array(), values = json::array();
    for (const Stance& s : gait.legs[order[row]].stances) {
      list.push_back({s.down, s.up});
      if (terrain.type == TerrainType::none) continue;
      const GroundSample ground = sample(terrain, s.at.x, s.at.y);
      tracks.push_back({{"leg", row},
                        {"time", s.down},
                        {"point", vector_json({s.at.x, s.at.y, ground.height})},
                        {"normal", vector_json(ground.normal)}});
    }
    for (const LegMeasure& m : measures) values.push_back(m.values[order[row]]);
    bars.push_back(std::move(list));
    rows.push_back(std::move(values));
  }
  out["stance"] = std::move(bars);
  out["tracks"] = std::move(tracks);
  out["legMeasures"] = {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

void add_legs_and_plots(json& out, const Film& film, const Gait* gait) {
  const Creature& c = film.motion->creature;
  std::vector<double> forward;  // how far the hip lies before the first link, m
  for (const Leg& leg : c.legs)
    forward.push_back(
        leg.hip < 0 ? 0 : transpose_times(film.turn(0, 0), film.origin(0, leg.hip) - film.origin(0, 0)).x);
  const std::vector<int> order = leg_order(c, forward);
  std::vector<int> rows(order.size());
  for (std::size_t row = 0; row < order.size(); ++row) rows[order[row]] = int(row);

  const char* sides[] = {"none", "left", "right"};
  json legs = json::array(), plots = json::array();
  for (const int k : order)
    legs.push_back({{"name", c.legs[k].name}, {"side", sides[int(c.legs[k].side)]}, {"forward", forward[k]}});
  for (const FilmPlot& plot : make_plots(film, gait, order)) plots.push_back(plot_json(plot, rows));
  out["legs"] = std::move(legs);
  out["channels"] = std::move(plots);
  if (gait)
    add_gait(out, *gait, film.motion->terrain, order);
  else
    out["stance"] = out["tracks"] = json::array();
}

// The speed is the gait's, or what the method measured of a body without legs.
std::string brief(const Motion& motion, const Gait* gait, const std::vector<Measure>& measures) {
  const auto digits = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", x);
    return std::string(text);
  };
  std::vector<std::string> words;
  if (motion.status != Status::ok)
    words.push_back(to_string(motion.status) + (" at " + digits(motion.status_time)) + " s");
  if (gait && gait->name != "unnamed") words.push_back(gait->name);
  double speed = gait ? gait->speed : std::numeric_limits<double>::quiet_NaN();
  for (const Measure& measure : measures)
    if (const double* value = std::get_if<double>(&measure.value); !gait && value && measure.id == "speed")
      speed = *value;
  if (motion.status == Status::ok && std::isfinite(speed)) words.push_back(digits(speed) + " m/s");
  return join(words, " · ");
}

}  // namespace

std::string entry_title(const ReportEntry& entry) {
  if (!entry.title.empty()) return entry.title;
  const std::string& name = entry.motion->creature.name;
  return entry.motion->made.verb.empty() ? name : name + ", " + entry.motion->made.verb;
}

std::string body_block(const Creature& creature) {
  const std::vector<std::vector<Shape>> shapes = drawn_shapes(creature);
  json links = json::array();
  std::vector<char> fixed(shapes.size());  // to the world: no joint between
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Link& link = creature.links[k];
    fixed[k] = (link.parent < 0 || fixed[link.parent]) &&
               std::all_of(link.joints.begin(), link.joints.end(), [](const Joint& j) { return nv(j) == 0; });
    if (shapes[k].empty()) continue;
    json list = json::array();
    for (const Shape& shape : shapes[k]) list.push_back(shape_json(shape));
    links.push_back({{"name", link.name}, {"fixed", bool(fixed[k])}, {"shapes", std::move(list)}});
  }
  return text_of({{"name", creature.name},
                  {"about", creature.about},
                  {"mass", creature.mass()},
                  {"dofs", creature.nv()},
                  {"count", creature.links.size()},
                  {"links", std::move(links)}});
}

EntryBlock entry_block(const ReportEntry& entry, double rate, std::size_t body_number) {
  std::optional<Motion> part;
  if (!is_finite(*entry.motion)) part = finite_part(*entry.motion);
  const Motion& motion = part ? *part : *entry.motion;
  std::optional<Gait> measured;
  if (!motion.creature.legs.empty() && (part || !entry.gait)) measured = measure_gait(motion);
  const Gait* gait = measured ? &*measured : entry.gait;

  const Film film = make_film(motion, rate);
  Account account = entry.account;
  if (gait)
    for (Measure& m : gait_measures(*gait)) account.measures.push_back(std::move(m));
  json out = {
      {"body", body_number},
      {"title", entry_title(entry)},
      {"frames", film.frames},
      {"rate", film.rate},
      {"start", film.start},
      {"status",
       {{"name", to_string(motion.status)}, {"text", motion.status_text}, {"time", motion.status_time}}},
      {"weight", motion.gravity * motion.creature.mass()},
      {"made",
       {{"command", entry.command},
        {"verb", motion.made.verb},
        {"creature", motion.made.creature},
        {"version", motion.made.version},
        {"seed", std::to_string(motion.made.seed)},
        {"options", motion.made.options}}}};
  out.update(json::parse(account_json(account)));
  add_poses(out, film);
  add_contacts(out, film);
  add_ground(out, film);
  add_legs_and_plots(out, film, gait);
  return {text_of(out), brief(motion, gait, entry.account.measures)};
}

}  // namespace legwork
