# legwork_page: the object that holds the report's page, bundled from viewer/ by node. Without node and npm the
# library builds all the same, and write_report says what is missing.
find_program(LEGWORK_NODE node)
find_program(LEGWORK_NPM npm)
set(page_source ${PROJECT_BINARY_DIR}/viewer/report_page.cpp)
if(LEGWORK_NODE AND LEGWORK_NPM)
  file(GLOB viewer_files CONFIGURE_DEPENDS viewer/src/* viewer/build.js viewer/package.json viewer/package-lock.json)
  add_custom_command(
    OUTPUT ${page_source} ${PROJECT_BINARY_DIR}/viewer/report.html
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/build_viewer.sh ${PROJECT_BINARY_DIR}/viewer/report.html ${page_source}
    DEPENDS ${viewer_files} scripts/build_viewer.sh
    COMMENT "Bundling the viewer")
else()
  message(STATUS "No report page: node or npm is missing")
  file(CONFIGURE OUTPUT ${page_source} CONTENT [[
#include "report/page.h"
std::string_view legwork::report_page() noexcept { return {}; }
]])
endif()
add_library(legwork_page OBJECT ${page_source})
set_target_properties(legwork_page PROPERTIES CXX_STANDARD 20)
target_include_directories(legwork_page PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
set_target_properties(legwork_page PROPERTIES POSITION_INDEPENDENT_CODE ON)
