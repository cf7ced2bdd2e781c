#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace legwork {

namespace {

// Levenshtein distance with adjacent swaps counted once (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t swap_cost = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + swap_cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr size_t longest_word = 64;  // nobody misspells more than this; bounds the quadratic cost
  if (word.size() > longest_word) return {};
  std::string best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& c : candidates) {
    if (c.size() > longest_word) continue;
    const size_t d = edit_distance(word, c);
    if (d < best_distance) best = c, best_distance = d;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string best = closest(word, candidates);
  if (!best.empty()) return "did you mean '" + best + "'?";
  if (candidates.empty()) return {};
  constexpr size_t most = 12;
  std::vector<std::string> shown(candidates.begin(), candidates.begin() + std::min(most, candidates.size()));
  return "one of: " + join(shown, ", ") + (candidates.size() > most ? ", ..." : "");
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += separator;
    text += words[i];
  }
  return text;
}

std::string to_text(double x) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x);
  return std::string(buffer, end.ptr);
}

std::string brief(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}

std::string with_unit(double x, const std::string& unit) {
  static const struct {
    double factor;
    const char* prefix;
  } prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  const double size = std::abs(x);
  if (size < 1e-12) return "0 " + unit;
  if (!std::isfinite(x)) return brief(x) + " " + unit;
  if (unit == "kg") return size < 0.1 ? with_unit(x * 1000, "g") : brief(x) + " kg";
  for (const auto& [factor, prefix] : prefixes)
    if (size >= factor && !(unit == "m" && factor > 1)) return brief(x / factor) + " " + prefix + unit;
  return brief(x) + " " + unit;
}

namespace {

// Columns that UTF-8 text fills: its continuation bytes fill none.
size_t columns(const std::string& text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns(row[i]));
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string gap(width[i] - columns(row[i]), ' ');
      line += (i > 0 ? "  " : "") + (i == 0 ? row[i] + gap : gap + row[i]);
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

}  // namespace legwork
