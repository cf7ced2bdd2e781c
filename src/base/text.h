#pragma once
// Words for people: suggestions, lists and numbers in messages.

#include <string>
#include <string_view>
#include <vector>

namespace legwork {

// The candidate closest to word, or nothing when none is close (edit distance above a third of the length).
std::string closest(std::string_view word, const std::vector<std::string>& candidates);

// Advice: "did you mean 'hinge'?" for a close candidate, else "one of: a, b, c" (shortened when long), or
// nothing without candidates.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

std::string join(const std::vector<std::string>& words, std::string_view separator);

// A number for a person: 4 significant digits, no exponent for ordinary sizes.
std::string brief(double x);
// With a fitting prefix: "1.24 mm", "3.5 kg".
std::string with_unit(double x, const std::string& unit);
// Columns of text, wide enough for their widest cell; the first is left-aligned. A line for each row.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows);

// Shortest text that reads back as the same double.
std::string to_text(double x);

}  // namespace legwork
