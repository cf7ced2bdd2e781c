#include "creature/side.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace legwork {

namespace {

// The part of a name that shows the side, and what the other side has in its place.
struct Token {
  size_t begin, length;
  Side side;
  const char* twin;
};

std::optional<Token> side_token(const std::string& whole) {
  const std::string name = whole.substr(0, whole.find('.'));
  const size_t first_end = std::min(name.find('_'), name.size());
  const std::string first = name.substr(0, first_end);
  if (first == "right") return Token{0, 5, Side::right, "left"};
  if (first == "left") return Token{0, 4, Side::left, "right"};
  if (first.size() == 1 || (first.size() == 2 && (std::islower((unsigned char)first[1]) ||
                                                  std::isdigit((unsigned char)first[1])))) {
    if (first[0] == 'r') return Token{0, 1, Side::right, "l"};
    if (first[0] == 'l') return Token{0, 1, Side::left, "r"};
  }
  const size_t last_begin = name.rfind('_') + 1;  // 0 where there is no underscore
  if (last_begin == 0) return {};
  const std::string last = name.substr(last_begin);
  if (last == "right") return Token{last_begin, 5, Side::right, "left"};
  if (last == "left") return Token{last_begin, 4, Side::left, "right"};
  if (last == "r") return Token{last_begin, 1, Side::right, "l"};
  if (last == "l") return Token{last_begin, 1, Side::left, "r"};
  return {};
}

}  // namespace

Side side_of(const std::string& name) {
  const auto token = side_token(name);
  return token ? token->side : Side::none;
}

std::string mirrored_name(const std::string& name) {
  const auto token = side_token(name);
  std::string twin = name;
  return token ? twin.replace(token->begin, token->length, token->twin) : name;
}

}  // namespace legwork
