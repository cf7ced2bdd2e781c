# After the install, find_package(legwork) and legwork::legwork are all a user needs.
if(NOT PROJECT_IS_TOP_LEVEL OR LEGWORK_SANITIZE)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/legwork)

install(TARGETS legwork EXPORT legwork-targets LIBRARY COMPONENT runtime NAMELINK_COMPONENT Unspecified)
install(EXPORT legwork-targets NAMESPACE legwork:: DESTINATION ${package_dir})
foreach(level ${LEGWORK_MORE_LEVELS})
  install(TARGETS legwork_${level} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level} NAMELINK_SKIP)
endforeach()
install(DIRECTORY include/legwork DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET legwork_cli)
  install(TARGETS legwork_cli)
  if(TARGET legwork_open_mpi)
    install(TARGETS legwork_open_mpi LIBRARY DESTINATION ${LEGWORK_PLUGIN_FOLDER})
  endif()
  # The manual page and the completion, from the descriptions in the program itself.
  install(CODE "
    execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/scripts/man_page.sh\" \"$<TARGET_FILE:legwork_cli>\" COMMAND gzip -9n
                    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/legwork.1.gz\" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND \"${PROJECT_SOURCE_DIR}/scripts/completion.sh\" \"$<TARGET_FILE:legwork_cli>\"
                            \"${PROJECT_SOURCE_DIR}/creatures\"
                    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/legwork.bash\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${PROJECT_BINARY_DIR}/legwork.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/legwork.bash RENAME legwork
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
install(DIRECTORY creatures algorithms DESTINATION ${CMAKE_INSTALL_DATADIR}/legwork)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/legwork-config.cmake.in ${PROJECT_BINARY_DIR}/legwork-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/legwork-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/legwork-config.cmake ${PROJECT_BINARY_DIR}/legwork-config-version.cmake
        DESTINATION ${package_dir})

# make package: build-package/legwork_VERSION_amd64.deb
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Legwork authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "make articulated creatures walk")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Give it a body; get it walking. A program, a C++20 library and a Python module that read a body, find ways for
it to walk, simulate and measure them, and export the motion.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(TARGET legwork_python)  # import legwork
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.11), python3-numpy")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/prerm)
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)  # and ldconfig after install and removal
# legwork render --mp4, Result.plot, mpirun legwork
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, python3-matplotlib, openmpi-bin")
set(CPACK_DEBIAN_FILE_NAME legwork_${PROJECT_VERSION}_amd64.deb)
set(CPACK_STRIP_FILES ON)
include(CPack)
