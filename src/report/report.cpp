#include "report/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/text.h"
#include "formats/file.h"
#include "formats/frames.h"
#include "report/channels.h"
#include "report/entry.h"
#include "report/film.h"
#include "report/page.h"
#include "scenario/scenario.h"

namespace legwork {

namespace {

using nlohmann::json;

constexpr double lowest_rate = 10;  // Hz

// JSON inside a <script>: no text in it may look like the script's end.
std::string script_text(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) c == '<' ? out += "&lt;" : c == '&' ? out += "&amp;" : out += c;
  return out;
}

// The rate at which all motions together fit beside what the page holds anyway.
double fitting_rate(const std::vector<ReportEntry>& entries, const ReportOptions& options, double held) {
  double bytes = 0;
  for (const ReportEntry& entry : entries) {
    const Creature& c = entry.motion->creature;
    std::vector<char> touching(c.links.size(), 0);
    for (const ContactPoint& point : c.contacts) touching[point.link] = 1;
    const auto contacts = std::count(touching.begin(), touching.end(), 1);
    const double values = 7.0 * double(c.links.size()) + 6.0 * double(contacts) + plots_width(*entry.motion);
    bytes += values * 4 * (4.0 / 3) * film_frames(*entry.motion, options.rate);
    held += 20e3;
  }
  const double room = std::max(options.max_bytes - held, 0.0);
  const double share = bytes > room ? room / bytes : 1;
  return std::max(std::min(lowest_rate, options.rate), options.rate * share);
}

// Bodies as the page's blocks, those of several motions once.
struct Bodies {
  std::vector<std::string> texts;
  std::vector<std::size_t> of_entry;
  double bytes = 0;
};

Bodies collect_bodies(const std::vector<ReportEntry>& entries) {
  Bodies bodies;
  for (const ReportEntry& entry : entries) {
    std::string text = body_block(entry.motion->creature);
    const auto found = std::find(bodies.texts.begin(), bodies.texts.end(), text);
    bodies.of_entry.push_back(std::size_t(found - bodies.texts.begin()));
    if (found != bodies.texts.end()) continue;
    bodies.bytes += double(text.size());
    bodies.texts.push_back(std::move(text));
  }
  return bodies;
}

std::string index_block(const std::vector<ReportEntry>& entries, const std::vector<std::string>& briefs,
                        const ReportOptions& options, const std::string& title) {
  json list = json::array();
  for (std::size_t k = 0; k < entries.size(); ++k)
    list.push_back(
        {{"title", entry_title(entries[k])}, {"text", sentences(entries[k].account)}, {"brief", briefs[k]}});
  const json index = {{"title", title},
                      {"text", options.text},
                      {"version", entries[0].motion->made.version},
                      {"entries", std::move(list)}};
  return index.dump(-1, ' ', false, json::error_handler_t::replace);
}

void check_entry(const ReportEntry& entry, const std::string& path, double rate) {
  check_writable(*entry.motion, path, rate);
  if (entry.gait && entry.gait->legs.size() != entry.motion->creature.legs.size())
    throw Error({path, 0}, entry_title(entry), "its gait has other legs than its creature");
  if (film_frames(*entry.motion, rate) == 0)
    throw Error({path, 0}, entry_title(entry), "its first frame is not finite, so there is nothing to show");
}

ReportEntry entry_of(const Result& result) {
  ReportEntry entry;
  entry.motion = &result.motion;
  entry.gait = result.gait ? &*result.gait : nullptr;
  entry.title = result.account.title;
  entry.account = result.account;
  entry.command = command_of(result.motion.made.options);
  return entry;
}

}  // namespace

bool has_report_page() noexcept { return !report_page().empty(); }

void write_report(const std::vector<ReportEntry>& entries, const std::string& path,
                  const ReportOptions& options) {
  if (!has_report_page())
    throw Error({path, 0}, "report", "this build of Legwork holds no viewer page",
                "install node and npm and build it again");
  if (entries.empty()) throw Error({path, 0}, "report", "there is no motion to show");
  if (!(options.rate > 0))
    throw Error({path, 0}, "report", "rate: " + to_text(options.rate) + " Hz is no frame rate",
                "give one above 0");
  for (const ReportEntry& entry : entries) check_entry(entry, path, options.rate);

  const std::string_view page = report_page(), title_mark = "<!--legwork-title-->",
                         data_mark = "<!--legwork-data-->";
  const std::size_t title_at = page.find(title_mark), data_at = page.find(data_mark);
  if (title_at >= data_at || data_at == page.npos) throw std::logic_error("report: the page lacks its marks");
  const std::size_t after_title = title_at + title_mark.size();

  const std::string title = options.title.empty() ? entry_title(entries[0]) : options.title;
  const Bodies bodies = collect_bodies(entries);
  const double rate = fitting_rate(entries, options, double(page.size()) + bodies.bytes);

  FileWriter file(path);
  const auto write_block = [&](const std::string& id, const std::string& text) {
    file.write("<script type=\"application/json\" id=\"" + id + "\">");
    file.write(script_text(text));
    file.write("</script>\n");
  };
  file.write(page.substr(0, title_at));
  file.write(html_text(title));
  file.write(page.substr(after_title, data_at - after_title));
  for (std::size_t k = 0; k < bodies.texts.size(); ++k)
    write_block("legwork-body-" + std::to_string(k), bodies.texts[k]);
  std::vector<std::string> briefs;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    EntryBlock entry = entry_block(entries[k], rate, bodies.of_entry[k]);
    write_block("legwork-entry-" + std::to_string(k), entry.json);
    briefs.push_back(std::move(entry.brief));
  }
  write_block("legwork-report", index_block(entries, briefs, options, title));
  file.write(page.substr(data_at + data_mark.size()));
  file.commit();
}

void write_report(const Result& result, const std::string& path, const ReportOptions& options) {
  std::vector<ReportEntry> entries = {entry_of(result)};
  for (const Result& other : result.others) entries.push_back(entry_of(other));
  write_report(entries, path, options);
}

void write_report(const std::vector<Result>& results, const std::string& path, const ReportOptions& options) {
  std::vector<ReportEntry> entries;
  for (const Result& result : results) entries.push_back(entry_of(result));
  write_report(entries, path, options);
}

}  // namespace legwork
