#include <legwork/error.h>

#include <utility>

namespace legwork {

namespace {

std::string joined(const Where& where, const std::string& who, const std::string& problem,
                   const std::string& advice) {
  std::string text = to_string(where);
  if (!text.empty()) text += ": ";
  if (!who.empty()) text += who + ": ";
  text += problem;
  if (!advice.empty()) text += "; " + advice;
  return text;
}

}  // namespace

std::string to_string(const Where& where) {
  if (where.file.empty() || where.line == 0) return where.file;
  return where.file + ":" + std::to_string(where.line);
}

Error::Error(Where where, std::string who, std::string problem, std::string advice)
    : std::runtime_error(joined(where, who, problem, advice)),
      where_(std::move(where)),
      who_(std::move(who)),
      problem_(std::move(problem)),
      advice_(std::move(advice)) {}

Error::Error(std::string problem, std::string advice)
    : Error({}, {}, std::move(problem), std::move(advice)) {}

}  // namespace legwork
