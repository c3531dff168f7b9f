# The four functions that declare a target: berth_library, berth_test_library, berth_test,
# berth_binary.
#   DEPS     folders of Berth or test libraries, without prefix
#   LINK     targets of other projects (fmt::fmt)
#   SOURCES  files, relative to the calling CMakeLists.txt
# The target of a folder is its path with _ for /, for example berth_sandbox_apiserver.
include_guard(GLOBAL)
include(BerthLayers)

# These targets exist only with tests/: otherwise `--target unit-tests` fails.
if(BERTH_TESTS)
  add_custom_target(unit-tests)
  add_custom_target(integration-tests)
  add_custom_target(e2e-tests)
endif()
set(BERTH_TEST_OUTPUT_DIR "${PROJECT_BINARY_DIR}/tests")

# berth_library(NAME <folder> [DEPS ...] [LINK ...] [SOURCES ...])
# Declares the library of one folder: target berth_<folder>, alias berth::<folder>. Subfolders may
# add sources: target_sources(berth_scheduler PRIVATE file.cc).
function(berth_library)
  _berth_arguments(berth_library "" "${ARGN}")
  berth_check_layers(${arg_NAME} ${arg_DEPS})
  string(REPLACE "/" "_" arg_NAME "${arg_NAME}")
  set(pch berth_pch)
  _berth_static_library()
endfunction()

# berth_test_library(NAME <name> [DEPS ...] [LINK ...] SOURCES ...)
# Declares a library of builders and fakes for several tests. It has no row in the layer table.
# Tests name it in DEPS.
function(berth_test_library)
  _berth_arguments(berth_test_library "" "${ARGN}")
  _berth_leave_out_without(${arg_TARGETS})
  list(APPEND arg_LINK GTest::gmock)
  set(pch berth_test_pch)
  _berth_static_library()
  _berth_relax_for_tests(berth_${arg_NAME})
endfunction()

# berth_test(NAME <name> [DEPS ...] [LINK ...] SOURCES ... [LABELS ...] [RUNS <binary>...])
# Declares one GoogleTest program and one ctest entry, which runs in the root of the repository.
# LABELS defaults to `unit`:
#   kubectl      the test is skipped without kubectl
#   integration  the test finds the control plane in $BERTH_CONTROLPLANE
#   e2e          the test finds a cluster in $KUBECONFIG
# RUNS names the binaries that the test starts from $BERTH_BINARY_DIR.
function(berth_test)
  _berth_arguments(berth_test "LABELS;RUNS" "${ARGN}")
  _berth_leave_out_without(${arg_TARGETS} ${arg_RUNS})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()

  add_executable(${arg_NAME} ${arg_SOURCES})
  _berth_link(${arg_NAME} PRIVATE ${arg_DEPS})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main)
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${BERTH_TEST_OUTPUT_DIR}")
  _berth_compile_in_batches(${arg_NAME} berth_test_pch)
  _berth_relax_for_tests(${arg_NAME})
  if(arg_RUNS)
    add_dependencies(${arg_NAME} ${arg_RUNS})
  endif()

  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${arg_NAME} PROPERTIES
    LABELS "${arg_LABELS}" ENVIRONMENT "${BERTH_TEST_ENVIRONMENT}")
  foreach(label IN ITEMS unit integration e2e)
    if(label IN_LIST arg_LABELS)
      add_dependencies(${label}-tests ${arg_NAME})
    endif()
  endforeach()
  if("integration" IN_LIST arg_LABELS)
    set_tests_properties(${arg_NAME} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# berth_binary(NAME <name> [DEPS ...] [LINK ...] SOURCES ...)
# Declares a program in the top folder of the build directory: build/release/<name>.
function(berth_binary)
  _berth_arguments(berth_binary "" "${ARGN}")
  _berth_leave_out_without(${arg_TARGETS})
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${arg_NAME}")
    message(FATAL_ERROR "berth_binary(NAME ${arg_NAME}): the build directory has a folder of that name; choose another name")
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  _berth_link(${arg_NAME} PRIVATE ${arg_DEPS})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK})
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  _berth_compile_in_batches(${arg_NAME} berth_pch)
endfunction()

# berth_version_in(<source>) defines the string literals BERTH_VERSION and BERTH_ARCHITECTURE ("amd64", as Go
# and Kubernetes name it) in one source of the calling folder. A new version then recompiles only that file.
function(berth_version_in source)
  set(architecture ${CMAKE_SYSTEM_PROCESSOR})
  string(REGEX REPLACE "^x86_64$" "amd64" architecture ${architecture})
  string(REGEX REPLACE "^aarch64$" "arm64" architecture ${architecture})
  set_source_files_properties(
    ${source} PROPERTIES COMPILE_DEFINITIONS "BERTH_VERSION=\"${PROJECT_VERSION}\";BERTH_ARCHITECTURE=\"${architecture}\"")
endfunction()

# Parses the arguments of the four functions into the caller's arg_*, and the targets of DEPS into
# arg_TARGETS. `extra` lists further keywords.
macro(_berth_arguments function extra arguments)
  cmake_parse_arguments(arg "" "NAME" "DEPS;LINK;SOURCES;${extra}" ${arguments})
  if(NOT arg_NAME)
    message(FATAL_ERROR "${function}: NAME is missing in ${CMAKE_CURRENT_LIST_FILE}")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${function}(NAME ${arg_NAME}): unknown argument ${arg_UNPARSED_ARGUMENTS}; "
                        "allowed: NAME DEPS LINK SOURCES ${extra}")
  endif()
  list(TRANSFORM arg_DEPS REPLACE "/" "_" OUTPUT_VARIABLE arg_TARGETS)
  list(TRANSFORM arg_TARGETS PREPEND berth_)
endmacro()

# Declares the library berth_<NAME> from the caller's arg_*.
macro(_berth_static_library)
  add_library(berth_${arg_NAME} STATIC ${arg_SOURCES})
  add_library(berth::${arg_NAME} ALIAS berth_${arg_NAME})
  target_include_directories(berth_${arg_NAME} PUBLIC "${PROJECT_SOURCE_DIR}")
  set_target_properties(berth_${arg_NAME} PROPERTIES LINKER_LANGUAGE CXX)
  _berth_link(berth_${arg_NAME} PUBLIC ${arg_DEPS})
  target_link_libraries(berth_${arg_NAME} PUBLIC ${arg_LINK})
  _berth_compile_in_batches(berth_${arg_NAME} ${pch})
endmacro()

# Links the libraries of the named folders. Requires: the folders were added before.
function(_berth_link target visibility)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  foreach(dep IN LISTS ARGN)
    string(REPLACE "/" "_" library "berth_${dep}")
    if(NOT TARGET ${library})
      list(JOIN BERTH_LAYERS ", " known)
      message(FATAL_ERROR "${target} DEPS ${dep}: no such folder or test library\n  folders: ${known}")
    endif()
    target_link_libraries(${target} ${visibility} ${library})
  endforeach()
endfunction()

# With BERTH_BATCHES, compiles the target's sources in batches of 12 with the precompiled header
# `pch`:
# berth_pch for all libraries and programs, berth_test_pch for all tests.
function(_berth_compile_in_batches target pch)
  if(BERTH_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

# With BERTH_ONLY, returns from the calling function if one of the named targets is not built.
macro(_berth_leave_out_without)
  foreach(_needed ${ARGN})
    if(BERTH_ONLY AND NOT TARGET ${_needed})
      message(STATUS "Left out ${arg_NAME}: needs ${_needed}, and only ${BERTH_ONLY} is built")
      return()
    endif()
  endforeach()
endmacro()

# Reduces the optimisation of test code: it is most of the build time and runs only briefly.
function(_berth_relax_for_tests target)
  if(BERTH_QUICK)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# The precompiled headers of BERTH_BATCHES; each is compiled once.
if(BERTH_BATCHES)
  foreach(pch IN ITEMS berth_pch berth_test_pch)
    add_library(${pch} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/precompiled/pch.cc")
    target_precompile_headers(${pch} PRIVATE <cmake/precompiled/${pch}.h>)
    target_include_directories(${pch} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${pch} PRIVATE nlohmann_json::nlohmann_json tl::expected)
  endforeach()
  # The compiler uses a precompiled header only with the same definitions and optimisation as the
  # tests.
  target_link_libraries(berth_test_pch PRIVATE $<TARGET_NAME_IF_EXISTS:GTest::gmock>)
  _berth_relax_for_tests(berth_test_pch)
endif()
