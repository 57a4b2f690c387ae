# Packages from the system; nothing is downloaded. A missing one is an error that says what to install.

function(mikpoly_require package hint)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. ${hint} "
                        "(toolchains/install.sh installs every dependency on Debian and Ubuntu.)")
  endif()
endfunction()

find_package(OpenMP COMPONENTS CXX)
mikpoly_require(OpenMP_CXX "Use a compiler with OpenMP (g++, or clang with libomp-dev).")
find_package(Threads REQUIRED)
find_package(nlohmann_json)
mikpoly_require(nlohmann_json "Install nlohmann-json3-dev.")

set(MIKPOLY_HAS_ONEDNN 0)
if(NOT MIKPOLY_ENABLE_ONEDNN STREQUAL "OFF")
  find_package(dnnl CONFIG QUIET)
  if(dnnl_FOUND)
    set(MIKPOLY_HAS_ONEDNN 1)
  elseif(NOT MIKPOLY_ENABLE_ONEDNN STREQUAL "AUTO")
    message(FATAL_ERROR "oneDNN was not found. Install libdnnl-dev, or set dnnl_DIR to the folder "
                        "of a newer oneDNN's dnnl-config.cmake, or MIKPOLY_ENABLE_ONEDNN=OFF.")
  endif()
endif()

if(MIKPOLY_ENABLE_TESTS)
  find_package(GTest)
  mikpoly_require(GTest "Install libgtest-dev, or set MIKPOLY_ENABLE_TESTS=OFF.")
endif()
if(MIKPOLY_ENABLE_BENCH)
  find_package(benchmark)
  mikpoly_require(benchmark "Install libbenchmark-dev, or set MIKPOLY_ENABLE_BENCH=OFF.")
  find_package(CLI11)
  mikpoly_require(CLI11 "Install libcli11-dev, or set MIKPOLY_ENABLE_BENCH=OFF.")
endif()
