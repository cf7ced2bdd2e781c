# After the install, find_package(legwork) and legwork::legwork are all a user needs.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/legwork)

install(TARGETS legwork EXPORT legwork-targets)
install(EXPORT legwork-targets NAMESPACE legwork:: DESTINATION ${package_dir})
install(DIRECTORY legwork DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET legwork_cli)
  install(TARGETS legwork_cli)
endif()
if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/creatures)
  install(DIRECTORY creatures algorithms DESTINATION ${CMAKE_INSTALL_DATADIR}/legwork)
endif()

configure_package_config_file(cmake/legwork-config.cmake.in ${CMAKE_BINARY_DIR}/legwork-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/legwork-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/legwork-config.cmake ${CMAKE_BINARY_DIR}/legwork-config-version.cmake
        DESTINATION ${package_dir})
