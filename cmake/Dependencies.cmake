# Debian packages, see scripts/install_dependencies.sh. All of them stay inside the library: public headers need the
# standard library alone.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(tomlplusplus 3 REQUIRED CONFIG)
find_package(pugixml REQUIRED CONFIG)
find_package(TinyGLTF REQUIRED CONFIG)
find_package(nlohmann_json 3 REQUIRED CONFIG)
find_package(SQLite3 REQUIRED)
find_library(LEGWORK_STB stb REQUIRED)  # #include <stb/stb_image.h>, without its implementation macros
find_package(embree 3 QUIET CONFIG)

# Searches on many machines; the program alone needs it, and does without.
if(PROJECT_IS_TOP_LEVEL)
  option(LEGWORK_MPI "Build the program for mpirun and srun, where Open MPI is found" ON)
  if(LEGWORK_MPI)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(OPENMPI QUIET IMPORTED_TARGET ompi-c)
    endif()
  endif()
endif()

# Oracle of the tests and peer of the benchmarks, never part of the product.
if(PROJECT_IS_TOP_LEVEL)
  find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
  find_library(MUJOCO_LIBRARY mujoco)
endif()

function(legwork_link_dependencies target)
  target_link_libraries(${target} PRIVATE Threads::Threads tomlplusplus::tomlplusplus pugixml::pugixml TinyGLTF::TinyGLTF
                                          SQLite::SQLite3 ${LEGWORK_STB} nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
  if(embree_FOUND)
    target_link_libraries(${target} PRIVATE embree)
    target_compile_definitions(${target} PRIVATE LEGWORK_HAS_EMBREE=1)
  endif()
endfunction()
