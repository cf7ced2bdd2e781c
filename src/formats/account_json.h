#pragma once
// What a method found, as JSON: `text`, `measures` and `panels` as the page reads them (viewer/src/data.js).

#include <string>

#include <legwork/result.h>

namespace legwork {

std::string account_json(const Account& account);

// Every panel comes back as a LivePanel: its type, and its data as the page reads them. Throws Error.
Account parse_account(const std::string& json);

}  // namespace legwork
