#include <legwork/error.h>

namespace legwork {

namespace {
std::string compose(const Where& where, const std::string& who, const std::string& what) {
  std::string text = to_string(where);
  if (!text.empty()) text += ": ";
  if (!who.empty()) text += who + ": ";
  return text + what;
}
}  // namespace

std::string to_string(const Where& where) {
  if (where.file.empty() || where.line == 0) return where.file;
  return where.file + ":" + std::to_string(where.line);
}

Error::Error(const Where& where, const std::string& who, const std::string& what)
    : std::runtime_error(compose(where, who, what)) {}

}  // namespace legwork
