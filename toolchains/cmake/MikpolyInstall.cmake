# `cmake --install`: the library, its public headers, and what find_package(mikpoly) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(mikpoly_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/mikpoly)
install(TARGETS mikpoly EXPORT mikpolyTargets)
install(DIRECTORY core/include/mikpoly DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT mikpolyTargets NAMESPACE mikpoly:: DESTINATION ${mikpoly_package_dir})
configure_package_config_file(toolchains/cmake/mikpolyConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/mikpolyConfig.cmake
                              INSTALL_DESTINATION ${mikpoly_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mikpolyConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mikpolyConfig.cmake
              ${PROJECT_BINARY_DIR}/mikpolyConfigVersion.cmake DESTINATION ${mikpoly_package_dir})
