# The library: every source of every room, as liblegwork.so.
file(GLOB legwork_sources CONFIGURE_DEPENDS src/*/*.cpp src/formats/*/*.cpp)
legwork_define_paths(${legwork_sources})
set(quick_sources ${legwork_sources})
list(FILTER quick_sources INCLUDE REGEX "/src/(formats|scenario|archive|corpus|load|report)/")
legwork_compile_quickly(${quick_sources})

# Sanitizers want one copy of everything in a process, so theirs is static.
set(library_type SHARED)
if(LEGWORK_SANITIZE)
  set(library_type STATIC)
endif()

# The library for one level of processor. -Bsymbolic: templates of other libraries that a guest instantiates as well,
# with flags of its own, never replace ours, nor ours theirs.
function(legwork_add_library target level folder)
  add_library(${target} ${library_type} ${legwork_sources} $<TARGET_OBJECTS:legwork_page>)
  legwork_compile_as_ours(${target} LEVEL ${level})
  legwork_link_dependencies(${target})
  target_link_options(${target} PRIVATE -Wl,-Bsymbolic)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME legwork VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    POSITION_INDEPENDENT_CODE ON LIBRARY_OUTPUT_DIRECTORY ${folder})
endfunction()

legwork_add_library(legwork "${LEGWORK_LEVEL}" ${PROJECT_BINARY_DIR})
add_library(legwork::legwork ALIAS legwork)
target_compile_features(legwork PUBLIC cxx_std_20)
target_include_directories(legwork PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# The same library for better processors: the system's loader takes the best of those that lie in glibc-hwcaps/LEVEL
# beside the first one.
if(LEGWORK_MORE_LEVELS)
  add_custom_target(legwork_levels)
endif()
foreach(level ${LEGWORK_MORE_LEVELS})
  legwork_add_library(legwork_${level} ${level} ${PROJECT_BINARY_DIR}/glibc-hwcaps/${level})
  add_dependencies(legwork_levels legwork_${level})
endforeach()

# The library looks for share/legwork in the folders above itself: in a build tree it finds the source tree's.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/legwork)
foreach(folder creatures algorithms)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/share/legwork/${folder} SYMBOLIC)
endforeach()
