#include "formats/value_json.h"

#include <nlohmann/json.hpp>

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

Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    Value list = Value::list();
    for (const Json& item : json) list.push_back(value_of(item));
    return list;
  }
  if (json.is_object()) {
    Value object = Value::object();
    for (const auto& [key, value] : json.items()) object[key] = value_of(value);
    return object;
  }
  return {};
}

}  // namespace

std::string to_json(const Value& value, int indent) {
  return json_of(value).dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::optional<Value> parse_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return value_of(json);
}

}  // namespace legwork
