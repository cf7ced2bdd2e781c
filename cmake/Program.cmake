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
  # The plug-in for mpirun and srun, from the program's folder. Not linked with libmpi, so that a package of it needs
  # no Open MPI where nobody uses it.
  set(LEGWORK_PLUGIN_FOLDER ${CMAKE_INSTALL_LIBDIR}/legwork)
  set_property(SOURCE cli/mpi.cpp APPEND PROPERTY COMPILE_DEFINITIONS LEGWORK_PLUGINS="../${LEGWORK_PLUGIN_FOLDER}")
  target_link_libraries(legwork_cli PRIVATE ${CMAKE_DL_LIBS})
  if(OPENMPI_FOUND)
    add_library(legwork_open_mpi MODULE cli/open_mpi/mpi_launch.cpp)
    legwork_compile_plainly(legwork_open_mpi)
    set_target_properties(legwork_open_mpi PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    target_include_directories(legwork_open_mpi SYSTEM PRIVATE ${OPENMPI_INCLUDE_DIRS})
    target_compile_definitions(legwork_open_mpi PRIVATE OMPI_SKIP_MPICXX)
    add_dependencies(legwork_cli legwork_open_mpi)
  endif()
  legwork_precompile(legwork_cli <nlohmann/json.hpp>)
endif()
