# Example programs of C++: build/examples/NAME.
file(GLOB example_sources CONFIGURE_DEPENDS examples/*.cpp)
foreach(source ${example_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  legwork_compile_as_ours(example_${name})
  set_target_properties(example_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  target_link_libraries(example_${name} PRIVATE legwork::legwork)
endforeach()
