// usage: viewer_pages FOLDER   writes the reports that the browser tests open
//   gallery.html  four motions: plane, slope, many legs, one that fell; panels of every kind
//   long.html     30 s of a body of 40 links
//   bare.html     one motion of a body without legs, shapes and ground
//   still.html    a motion of one frame
//   sizes.html    two motions of one body, the second a thousand times as large

#include <cmath>
#include <cstdio>
#include <string>

#include "report/report.h"
#include "tests/scenes/walker.h"

using namespace legwork;

namespace {

ReportEntry describe_walk(const Motion& motion) {
  ReportEntry entry;
  entry.motion = &motion;
  entry.account.statements = {{"legs moved along a gait of known timing"}, {"Its feet were never asked."}};
  entry.command = "legwork walk " + motion.creature.name + " --speed 0.5 --seed 7 --report walk.html";
  return entry;
}

std::vector<Panel> every_panel() {
  PlotPanel plot{"generation", "speed (m/s)", {}, {{"best", {}}, {"mean", {}}}, false};
  PlotPanel dots{"duty factor", "speed (m/s)", {}, {{"candidates", {}}}, true};
  PointsPanel points{{{"foot", {}, {}}}, "height (m)"};
  for (int i = 0; i < 60; ++i) {
    plot.x.push_back(i);
    plot.series[0].second.push_back(1 - std::exp(-0.1 * i));
    plot.series[1].second.push_back(0.7 - 0.7 * std::exp(-0.07 * i));
    dots.x.push_back(0.3 + 0.01 * i);
    dots.series[0].second.push_back(0.5 + 0.3 * std::sin(1.7 * i));
  }
  for (int i = 0; i < 3000; ++i) {  // a golden spiral over a bowl
    const double polar = 0.9 * std::sqrt(i / 3000.0), turn = 2.39996 * i;
    const Vec3d p{0.3 * std::sin(polar) * std::cos(turn), 0.3 * std::sin(polar) * std::sin(turn),
                  -0.3 * std::cos(polar)};
    points.sets[0].points.push_back(p);
    points.sets[0].values.push_back(p.z);
  }
  return {{"Best of the search", "By speed.",
           TablePanel{{"candidate", "gait", "speed (m/s)"}, {{12.0, "trot", 0.52}, {7.0, "walk", 0.48}}}},
          {"Search", "Speed over generations.", plot},
          {"Limb space", "Where the foot can be.", points},
          {"Candidates", "", dots},
          {"Drawing", "",
           SvgPanel{"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 90' width='400' height='180'>"
                    "<circle cx='50' cy='45' r='34' fill='#c2612a'/><path d='M100 80L145 10L190 80z' "
                    "fill='#215f93'/></svg>"}},
          {"Remarks", "", TextPanel{"A first paragraph with <b>no</b> markup & signs.\n\nA second one."}}};
}

void write_gallery(const std::string& path) {
  const WalkerOptions trot{.name = "hound", .phase = {0, 0.5, 0.5, 0}};
  const WalkerOptions climb{.name = "hound", .phase = {0, 0.5, 0.25, 0.75}, .climb = 0.15};
  const WalkerOptions tripod{.name = "roach", .pairs = 3, .phase = {0, 0.5, 0.5, 0, 0, 0.5}};
  const WalkerOptions bound{.name = "hound", .phase = {0, 0, 0.5, 0.5}, .seconds = 3};
  Motion motions[] = {walk(trot), walk(climb), walk(tripod), walk(bound)};
  motions[3].status = Status::fell;
  motions[3].status_text = "the trunk touched the ground";
  motions[3].status_time = 3;
  std::vector<ReportEntry> entries;
  for (const Motion& motion : motions) entries.push_back(describe_walk(motion));
  entries[0].account.panels = every_panel();
  write_report(entries, path,
               {.title = "Ways to walk", .text = "Four motions, one for each way that legs can take turns."});
}

void write_long(const std::string& path) {
  const WalkerOptions o{.name = "myriapod", .pairs = 8, .tail = 7, .phase = {}, .seconds = 30};
  WalkerOptions wave = o;
  for (int k = 0; k < 16; ++k) wave.phase.push_back(std::fmod(0.13 * (k / 2) + 0.5 * (k % 2), 1.0));
  const Motion motion = walk(wave);
  write_report({describe_walk(motion)}, path);
}

void write_bare(const std::string& path) {
  Motion motion = walk({.name = "<b>&</b>", .tail = 3, .seconds = 2});
  motion.creature.legs.clear();
  motion.contact_force.clear();
  for (Link& link : motion.creature.links) link.shapes.clear();
  motion.terrain = no_terrain();
  ReportEntry entry;
  entry.motion = &motion;
  write_report({entry}, path);
}

void write_sizes(const std::string& path) {
  Motion small = walk({.name = "hound", .seconds = 2}), large = small;
  for (Link& link : large.creature.links) {
    link.pos = link.pos * 1000.0;
    for (Shape& shape : link.shapes) shape.pos = shape.pos * 1000.0, shape.size = shape.size * 1000.0;
  }
  for (std::size_t i = 0; i < large.q.size(); i += std::size_t(large.creature.nq()))
    for (std::size_t k = 0; k < 3; ++k) large.q[i + k] *= 1000;
  write_report({describe_walk(small), describe_walk(large)}, path);
}

void write_still(const std::string& path) {
  const Motion motion = walk({.name = "hound", .seconds = 0});
  ReportEntry entry;
  entry.motion = &motion;
  write_report({entry}, path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: viewer_pages FOLDER\n", stderr), 2;
  try {
    const std::string folder = argv[1];
    write_gallery(folder + "/gallery.html");
    write_long(folder + "/long.html");
    write_bare(folder + "/bare.html");
    write_still(folder + "/still.html");
    write_sizes(folder + "/sizes.html");
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
