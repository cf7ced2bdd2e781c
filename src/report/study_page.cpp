// A study's table as CSV and as a page with plots.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <legwork/study.h>
#include "base/text.h"

namespace legwork {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

// Nothing where it is not known.
std::string shown(double x) { return std::isfinite(x) ? brief(x) : ""; }

bool read_number(const std::string& text, double& x) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), x);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(x);
}

// The axis that plots run along: the first whose values are all numbers, else the first of all.
size_t plotted_axis(const StudyTable& table) {
  double x = 0;
  for (size_t i = 0; i < table.axes.size(); ++i)
    if (std::all_of(table.rows.begin(), table.rows.end(),
                    [&](const auto& row) { return read_number(row.values[i], x); }))
      return i;
  return 0;
}

// One measure over one axis, a line for each combination of the others; bars are 95 % intervals.
class Plot {
 public:
  Plot(const StudyTable& table, size_t measure)
      : table_(table), measure_(measure), axis_(plotted_axis(table)) {
    for (const auto& row : table.rows) {
      add(places_, place_of(row));
      add(lines_, line_of(row));
      const Statistics& s = row.statistics[measure];
      for (const double y : {s.mean, s.low, s.high})
        if (std::isfinite(y)) low_ = std::min(low_, y), high_ = std::max(high_, y);
    }
    for (const std::string& place : places_)
      if (double x = 0; read_number(place, x)) numbers_.push_back(x);
    if (numbers_.size() != places_.size()) numbers_.clear();
    if (low_ > high_) low_ = 0, high_ = 1;
    if (low_ == high_) low_ -= std::abs(low_) * 0.1 + 1e-12, high_ += std::abs(high_) * 0.1 + 1e-12;
  }

  std::string figure() const {
    std::string out =
        "<figure><figcaption>" + escaped(table_.measures[measure_]) + "</figcaption><p class=\"legend\">";
    for (size_t k = 0; k < lines_.size(); ++k)
      if (!lines_[k].empty()) out += "<span style=\"--c:" + hue(k) + "\">" + escaped(lines_[k]) + "</span> ";
    out += "</p><svg viewBox=\"0 0 420 260\" role=\"img\"><g class=\"axis\"><path d=\"M60 10V220H400\"/>";
    for (int i = 0; i <= 4; ++i) {
      const double y = low_ + (high_ - low_) * i / 4;
      out +=
          "<text x=\"54\" y=\"" + shown(screen_y(y) + 4) + "\" text-anchor=\"end\">" + shown(y) + "</text>";
    }
    for (size_t i = 0; i < places_.size(); ++i)
      out += "<text x=\"" + shown(screen_x(i)) + "\" y=\"238\" text-anchor=\"middle\">" +
             escaped(places_[i]) + "</text>";
    if (!table_.axes.empty())
      out += "<text x=\"230\" y=\"256\" text-anchor=\"middle\">" + escaped(table_.axes[axis_]) + "</text>";
    out += "</g>";
    for (size_t k = 0; k < lines_.size(); ++k) out += line(k);
    return out + "</svg></figure>";
  }

 private:
  static void add(std::vector<std::string>& list, const std::string& text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  }
  static std::string hue(size_t k) { return "hsl(" + std::to_string((210 + 137 * k) % 360) + " 65% 45%)"; }

  std::string place_of(const StudyTable::Row& row) const {
    return row.values.empty() ? "" : row.values[axis_];
  }
  std::string line_of(const StudyTable::Row& row) const {
    std::vector<std::string> rest;
    for (size_t i = 0; i < row.values.size(); ++i)
      if (i != axis_) rest.push_back(table_.axes[i] + " " + row.values[i]);
    return join(rest, ", ");
  }

  double screen_x(size_t place) const {
    double share = places_.size() < 2 ? 0.5 : double(place) / double(places_.size() - 1);
    if (numbers_.size() > 1) {
      const auto [least, most] = std::minmax_element(numbers_.begin(), numbers_.end());
      if (*most > *least) share = (numbers_[place] - *least) / (*most - *least);
    }
    return 80 + 300 * share;
  }
  double screen_y(double y) const { return 215 - 195 * (y - low_) / (high_ - low_); }

  std::string line(size_t k) const {
    const double aside = 3 * (double(k) - 0.5 * double(lines_.size() - 1));  // so that bars do not hide bars
    std::string path, marks;
    for (const auto& row : table_.rows) {
      const Statistics& s = row.statistics[measure_];
      if (line_of(row) != lines_[k] || !std::isfinite(s.mean)) continue;
      const size_t at = size_t(std::find(places_.begin(), places_.end(), place_of(row)) - places_.begin());
      const std::string x = shown(screen_x(at) + aside), y = shown(screen_y(s.mean));
      path += (path.empty() ? "M" : "L") + x + " " + y;
      if (std::isfinite(s.low))
        marks += "<path d=\"M" + x + " " + shown(screen_y(s.low)) + "V" + shown(screen_y(s.high)) + "\"/>";
      marks += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"3\"/>";
    }
    return "<g style=\"--c:" + hue(k) + "\" class=\"line\"><path d=\"" + path + "\"/>" + marks + "</g>";
  }

  const StudyTable& table_;
  size_t measure_, axis_;
  std::vector<std::string> places_, lines_;
  std::vector<double> numbers_;  // values of the places; empty where one is no number
  double low_ = unlimited, high_ = -unlimited;
};

constexpr const char* style = R"(<style>
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }
th { font-weight: 600; }
td small { opacity: .65; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; margin-top: 1.5rem; }
figure { margin: 0; }
figcaption { font-weight: 600; }
svg text { font-size: 11px; fill: currentColor; }
.axis path { fill: none; stroke: currentColor; opacity: .5; }
.line path { fill: none; stroke: var(--c); stroke-width: 1.6; }
.line circle { fill: var(--c); }
.legend { margin: 0; font-size: .8rem; }
.legend span { color: var(--c); margin-right: .8em; white-space: nowrap; }
</style>)";

}  // namespace

std::string study_csv(const StudyTable& table) {
  std::vector<std::string> head = table.axes;
  head.insert(head.end(), {"runs", "failed"});
  for (const std::string& measure : table.measures)
    for (const char* what : {"mean", "sd", "low95", "high95", "min", "max"})
      head.push_back(measure + " " + what);
  std::string text;
  const auto add = [&text](std::vector<std::string> fields) {
    for (std::string& field : fields) field = csv_field(field);
    text += join(fields, ",") + "\n";
  };
  add(head);
  for (const auto& row : table.rows) {
    std::vector<std::string> fields = row.values;
    fields.insert(fields.end(), {std::to_string(row.runs), std::to_string(row.failed)});
    for (const Statistics& s : row.statistics)
      for (const double x : {s.mean, s.sd, s.low, s.high, s.smallest, s.largest})
        fields.push_back(std::isfinite(x) ? to_text(x) : "");
    add(fields);
  }
  return text;
}

std::string study_page(const StudyTable& table) {
  std::string page = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                     escaped(table.name) + "</title><meta name=\"viewport\" content=\"width=device-width\">" +
                     style + "</head><body><h1>" + escaped(table.name) +
                     "</h1><p>Mean ± SD; in small print the 95 % confidence interval of the mean.</p>"
                     "<div class=\"scroll\"><table><tr>";
  for (const std::string& axis : table.axes) page += "<th>" + escaped(axis) + "</th>";
  page += "<th>runs</th><th>failed</th>";
  for (const std::string& measure : table.measures) page += "<th>" + escaped(measure) + "</th>";
  page += "</tr>";
  for (const auto& row : table.rows) {
    page += "<tr>";
    for (const std::string& value : row.values) page += "<td>" + escaped(value) + "</td>";
    page += "<td>" + std::to_string(row.runs) + "</td><td>" + std::to_string(row.failed) + "</td>";
    for (const Statistics& s : row.statistics) {
      page += "<td>" + shown(s.mean);
      if (s.n > 1)
        page += " ± " + shown(s.sd) + "<br><small>" + shown(s.low) + " … " + shown(s.high) + "</small>";
      page += "</td>";
    }
    page += "</tr>";
  }
  page += "</table></div><div class=\"plots\">";
  for (size_t i = 0; i < table.measures.size(); ++i) page += Plot(table, i).figure();
  return page + "</div></body></html>\n";
}

}  // namespace legwork
