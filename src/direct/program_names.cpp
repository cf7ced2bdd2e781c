#include "direct/program_names.h"

namespace legwork {

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string map_names(const std::string& text,
                      const std::function<std::string(const std::string&)>& replace) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t j = i;
    if (letter(text[i])) {
      while (j < text.size() && (letter(text[j]) || digit(text[j]) || text[j] == '.')) ++j;
      out += replace(text.substr(i, j - i));
    } else if (digit(text[i]) || text[i] == '.') {
      while (j < text.size() &&
             (digit(text[j]) || text[j] == '.' || text[j] == 'e' || text[j] == 'E' ||
              ((text[j] == '-' || text[j] == '+') && (text[j - 1] == 'e' || text[j - 1] == 'E'))))
        ++j;
      out += text.substr(i, j - i);
    } else {
      out += text[j++];
    }
    i = j;
  }
  return out;
}

}  // namespace legwork
