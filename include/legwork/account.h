#pragma once
// What a method has to say and show of its motion, as data: pages draw it, files carry it.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <legwork/vector.h>

namespace legwork {

using ReportValue = std::variant<double, std::string>;

// A number (or a word) about the whole motion and what it means.
struct ReportMeasure {
  std::string id;  // as in --json; "name" is the gait's and becomes the headline, "speed" shows in a gallery
  std::string name;  // for people
  ReportValue value;
  std::string unit;        // empty or "1": a pure number
  std::string text;        // one line: how it is defined
  bool important = false;  // also shown beside the film
};

// What a method has to show beyond the motion.
struct TablePanel {
  std::vector<std::string> columns;
  std::vector<std::vector<ReportValue>> rows;
};
struct PlotPanel {
  std::string x_label, y_label;
  std::vector<double> x;  // rising where lines are drawn
  std::vector<std::pair<std::string, std::vector<double>>> series;
  bool dots = false;  // dots instead of lines
};
struct PointsPanel {
  struct Set {
    std::string name;
    std::vector<Vec3d> points;   // m
    std::vector<double> values;  // colours; empty: one colour for the set
  };
  std::vector<Set> sets;
  std::string value_label;
};
struct SvgPanel {
  std::string svg;  // shown as a picture: scripts do not run, links do not load
};
struct ImagePanel {
  std::string png;  // the file's bytes
};
struct TextPanel {
  std::string text;  // an empty line begins a paragraph
};
// A panel that a script of the page itself draws and moves.
struct LivePanel {
  std::string type;  // which: a maker in viewer/src/panels.js
  std::string json;  // its data
};
struct ReportPanel {
  std::string title, text;
  std::variant<TablePanel, PlotPanel, PointsPanel, SvgPanel, ImagePanel, TextPanel, LivePanel> body;
};

// What a method has to say and show of its motion.
struct Account {
  std::string text;                     // a sentence or two
  std::vector<ReportMeasure> measures;  // shown before those of the gait
  std::vector<ReportPanel> panels;
};

}  // namespace legwork
