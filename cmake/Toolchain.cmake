# Compiler, linker and flags.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(LEGWORK_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1 -fno-omit-frame-pointer")  # no NDEBUG: asserts stay
endif()

# Base directory and no hash of the working directory: checkouts of the same commit share cache entries.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                  CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

find_program(LLD ld.lld)
if(LLD)
  add_link_options(-fuse-ld=lld)
endif()

# Flags that change the layout or the bits of what public headers define: every user must have the same.
# -ffp-contract=off: a fused multiply-add rounds differently from a product and a sum, and whether the
# compiler fuses depends on machine and level. -march: batches take the machine's vectors.
function(legwork_public_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PUBLIC -ffp-contract=off -Wno-psabi)
  if(LEGWORK_ARCH)
    target_compile_options(${target} PUBLIC -march=${LEGWORK_ARCH})
  endif()
  if(LEGWORK_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# For our own tree only: warnings, and the private headers (src/ROOM/NAME.h as "ROOM/NAME.h", and "cli/NAME.h",
# "tests/ROOM/NAME.h" from the root).
function(legwork_compile_as_ours target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
  if(LEGWORK_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Large headers that nearly all sources of a target include, parsed once. The timestamp would keep ccache from hits.
function(legwork_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()
