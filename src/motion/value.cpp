#include <legwork/result.h>

#include <cassert>

#include "base/text.h"

namespace legwork {

Value::Value(std::initializer_list<std::pair<const char*, Value>> members) : data_(Members()) {
  for (const auto& [name, value] : members) (*this)[name] = value;
}

Value Value::object() {
  Value value;
  value.data_ = Members();
  return value;
}

Value& Value::operator[](std::string_view name) {
  if (is_null()) data_ = Members();
  assert(members());
  Members& all = std::get<Members>(data_);
  for (size_t i = 0; i < all.names.size(); ++i)
    if (all.names[i] == name) return all.values[i];
  all.names.emplace_back(name);
  return all.values.emplace_back();
}

const Value* Value::find(std::string_view name) const {
  if (const Members* all = members())
    for (size_t i = 0; i < all->names.size(); ++i)
      if (all->names[i] == name) return &all->values[i];
  return nullptr;
}

void Value::push_back(Value item) {
  if (is_null()) data_ = List();
  assert(items());
  std::get<List>(data_).push_back(std::move(item));
}

void Value::join(const Value& other) {
  if (const Members* all = other.members())
    for (size_t i = 0; i < all->names.size(); ++i) (*this)[all->names[i]] = all->values[i];
}

std::string sentences(const Account& account) {
  std::vector<std::string> list;
  for (const Statement& statement : account.statements) {
    if (statement.text.empty() || statement.heading) continue;
    std::string& text = list.emplace_back(statement.text);
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
    if (text.find_last_of(".!?") != text.size() - 1) text += '.';
  }
  return join(list, " ");
}

}  // namespace legwork
