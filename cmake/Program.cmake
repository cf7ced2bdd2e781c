# The program: build/legwork.
find_package(CLI11 2 REQUIRED CONFIG)
file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.cpp)
if(cli_sources)
  add_executable(legwork_cli ${cli_sources})
  legwork_compile_as_ours(legwork_cli)
  legwork_compile_quickly(${cli_sources})
  legwork_define_paths(${cli_sources})
  set_target_properties(legwork_cli PROPERTIES
    OUTPUT_NAME legwork RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
    INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
  target_link_libraries(legwork_cli PRIVATE legwork::legwork CLI11::CLI11 nlohmann_json::nlohmann_json)
  if(OPENMPI_FOUND)
    target_link_libraries(legwork_cli PRIVATE PkgConfig::OPENMPI)
    target_compile_definitions(legwork_cli PRIVATE LEGWORK_HAS_MPI=1 OMPI_SKIP_MPICXX)
  endif()
  legwork_precompile(legwork_cli <nlohmann/json.hpp>)
endif()
