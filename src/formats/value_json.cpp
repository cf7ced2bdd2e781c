#include <nlohmann/json.hpp>

#include <legwork/result.h>

namespace legwork {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Value& value) {
  if (const bool* x = value.boolean()) return *x;
  if (const std::int64_t* x = value.integer()) return *x;
  if (const double* x = value.number()) return *x;
  if (const std::string* x = value.text()) return *x;
  if (const Value::List* list = value.items()) {
    Json json = Json::array();
    for (const Value& item : *list) json.push_back(json_of(item));
    return json;
  }
  if (const Value::Members* members = value.members()) {
    Json json = Json::object();
    for (size_t i = 0; i < members->names.size(); ++i) json[members->names[i]] = json_of(members->values[i]);
    return json;
  }
  return nullptr;
}

}  // namespace

std::string to_json(const Value& value, int indent) {
  return json_of(value).dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace legwork
