#pragma once
// The page of viewer/, bundled into one HTML text and compiled into the library (cmake/Viewer.cmake).

#include <string_view>

namespace legwork {

// Empty in a build without node and npm.
std::string_view report_page() noexcept;

}  // namespace legwork
