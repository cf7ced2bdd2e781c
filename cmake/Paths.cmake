# Paths as macros, given only to the sources that name them, so that all other objects are the same in
# every checkout and come out of the compiler cache. A source that starts to name one needs a cmake run
# (make does it). The library names LEGWORK_VERSION alone: an installed one must not point at the tree that built it.
#   LEGWORK_CREATURES_DIR  creatures/ of this source tree
#   LEGWORK_SOURCE_DIR     root of this source tree
#   LEGWORK_PROGRAM        the built program, build/legwork
#   LEGWORK_VERSION        of project()
set(LEGWORK_PATHS
    "LEGWORK_CREATURES_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}/creatures\""
    "LEGWORK_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\""
    "LEGWORK_PROGRAM=\"${CMAKE_CURRENT_BINARY_DIR}/legwork\""
    "LEGWORK_VERSION=\"${PROJECT_VERSION}\"")

function(legwork_define_paths)
  foreach(source ${ARGN})
    file(READ ${source} text)
    foreach(path ${LEGWORK_PATHS})
      string(REGEX REPLACE "=.*" "" name "${path}")
      if(text MATCHES "${name}")
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS "${path}")
      endif()
    endforeach()
  endforeach()
endfunction()
