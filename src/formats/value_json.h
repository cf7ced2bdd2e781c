#pragma once

#include <optional>
#include <string_view>

#include <legwork/result.h>

namespace legwork {

// What to_json(value) wrote; nothing where the text is no JSON.
std::optional<Value> parse_json(std::string_view text);

}  // namespace legwork
