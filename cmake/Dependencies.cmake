# Debian packages, see scripts/install_dependencies.sh.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(tomlplusplus 3 REQUIRED CONFIG)
find_package(pugixml REQUIRED CONFIG)
find_package(TinyGLTF REQUIRED CONFIG)
find_package(nlohmann_json 3 REQUIRED CONFIG)
find_package(CLI11 2 REQUIRED CONFIG)
find_package(SQLite3 REQUIRED)
find_library(STB_LIBRARY stb REQUIRED)  # #include <stb/stb_image.h>, without its implementation macros
find_package(embree 3 QUIET CONFIG)

# Oracle of the tests and peer of the benchmarks, never part of the product.
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
find_library(MUJOCO_LIBRARY mujoco)

# Public headers use Eigen at most; everything else stays inside the library.
function(legwork_link_dependencies target)
  target_link_libraries(${target}
    PUBLIC Eigen3::Eigen Threads::Threads
    PRIVATE tomlplusplus::tomlplusplus pugixml::pugixml TinyGLTF::TinyGLTF SQLite::SQLite3 ${STB_LIBRARY}
            $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
  if(embree_FOUND)
    target_link_libraries(${target} PRIVATE embree)
    target_compile_definitions(${target} PRIVATE LEGWORK_HAS_EMBREE=1)
  endif()
endfunction()
