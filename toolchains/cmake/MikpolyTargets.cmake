# Functions that give every target of the project the same properties.

# Warnings, include root, sanitizers.
function(mikpoly_configure target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}
                                               ${PROJECT_SOURCE_DIR}/core/include)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion
                                           -Wno-sign-conversion)
  # GCC 12 reports overlaps inside std::string's own copies (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(MIKPOLY_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(MIKPOLY_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${MIKPOLY_SANITIZE}
                                             -fno-omit-frame-pointer -g)
    target_link_options(${target} PUBLIC -fsanitize=${MIKPOLY_SANITIZE})
  endif()
endfunction()

# mikpoly_objects(NAME [FLAGS ...] SOURCES ...): one layer of the library. FLAGS apply to this layer
# only: instruction-set flags never reach code that runs before the CPU has been asked.
function(mikpoly_objects name)
  cmake_parse_arguments(ARG "" "" "FLAGS;SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  mikpoly_configure(${name})
  target_compile_options(${name} PRIVATE ${ARG_FLAGS})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY MIKPOLY_OBJECTS ${name})
  set_property(GLOBAL APPEND PROPERTY MIKPOLY_LINK_LIBRARIES ${ARG_LIBRARIES})
endfunction()

# The library users link (mikpoly::mikpoly), and a static twin whose inner symbols tests, tuner and
# benches may call.
function(mikpoly_libraries)
  get_property(objects GLOBAL PROPERTY MIKPOLY_OBJECTS)
  get_property(libraries GLOBAL PROPERTY MIKPOLY_LINK_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  set(sources)
  foreach(object ${objects})
    list(APPEND sources $<TARGET_OBJECTS:${object}>)
  endforeach()
  add_library(mikpoly ${sources})
  add_library(mikpoly_internal STATIC ${sources})
  add_library(mikpoly::mikpoly ALIAS mikpoly)
  foreach(target mikpoly mikpoly_internal)
    mikpoly_configure(${target})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${target} PRIVATE ${libraries})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_include_directories(${target}
      PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/include> $<INSTALL_INTERFACE:include>)
  endforeach()
  target_include_directories(mikpoly_internal PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

# mikpoly_test(NAME [LABELS ...] SOURCES ... [LIBRARIES ...]): one GoogleTest program under ctest.
function(mikpoly_test name)
  cmake_parse_arguments(ARG "" "" "LABELS;SOURCES;LIBRARIES" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  mikpoly_configure(${name})
  target_link_libraries(${name} PRIVATE mikpoly_internal ${ARG_LIBRARIES} GTest::gtest
                                        GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
endfunction()
