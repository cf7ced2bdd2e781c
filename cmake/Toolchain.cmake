# Compiler, linker and flags of our own targets. A project that takes Legwork in by add_subdirectory keeps its own:
# what is set here for whole folders is set only where Legwork is the project.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # a build tree may be moved
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
  if(LEGWORK_SANITIZE)
    set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1 -fno-omit-frame-pointer")  # no NDEBUG: asserts stay
  endif()

  # Base directory and no hash of the working directory: checkouts of the same commit share cache entries.
  find_program(LEGWORK_CCACHE ccache)
  if(LEGWORK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                    CCACHE_SLOPPINESS=pch_defines,time_macros ${LEGWORK_CCACHE})
  endif()

  find_program(LEGWORK_LLD ld.lld)
  if(LEGWORK_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# What every source of our tree is compiled with: warnings, and the private headers (src/ROOM/NAME.h as "ROOM/NAME.h",
# and "cli/NAME.h", "tests/ROOM/NAME.h" from the root).
function(legwork_compile_plainly target)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
                                               ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
  if(LEGWORK_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# The same, and the flags that the layout and the bits of private headers depend on: the library and all that includes
# them must agree.
# -ffp-contract=off: a fused multiply-add rounds differently from a product and a sum, and whether the compiler fuses
# depends on machine and level; g++ 12 fuses all the same where it vectorises by itself (vfmaddsub), so there it must not.
# -march: batches take the processor's vectors. EIGEN_DONT_VECTORIZE: Eigen's sums, and the
# layout of its matrices, would follow the width of the vectors; results have the same bits at every level, and the
# program, built once, runs with the library of any level.
function(legwork_compile_as_ours target)
  cmake_parse_arguments(arg "" "LEVEL" "" ${ARGN})
  if(NOT DEFINED arg_LEVEL)
    set(arg_LEVEL ${LEGWORK_LEVEL})
  endif()
  legwork_compile_plainly(${target})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize -fno-tree-loop-vectorize>)
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wno-psabi -fvisibility-inlines-hidden
                                           -fno-semantic-interposition)
  target_compile_definitions(${target} PRIVATE EIGEN_DONT_VECTORIZE EIGEN_DONT_PARALLELIZE)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:Eigen3::Eigen>)
  if(arg_LEVEL)
    target_compile_options(${target} PRIVATE -march=${arg_LEVEL})
  endif()
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)  # or a guest without one has a slow library
    target_compile_options(${target} PRIVATE -O3 -DNDEBUG)
  endif()
  if(LEGWORK_SANITIZE)
    set(sanitizers address,undefined)
    if(LEGWORK_SANITIZE STREQUAL thread)
      set(sanitizers thread)
    endif()
    target_compile_options(${target} PRIVATE -fsanitize=${sanitizers} -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${sanitizers})
  endif()
endfunction()

# Rooms that read, write and tell are compiled for the compiler's speed: their own is hardly felt. The bits are the same.
function(legwork_compile_quickly)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
endfunction()

# Large headers that nearly all sources of a target include, parsed once. The timestamp would keep ccache from hits.
function(legwork_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()
