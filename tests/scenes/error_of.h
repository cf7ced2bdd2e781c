#pragma once
// The text of an Error.

#include <string>

#include <legwork/error.h>

namespace legwork {

// The text of the Error that body throws; "" when it throws none.
template <class Body>
std::string error_of(const Body& body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace legwork
