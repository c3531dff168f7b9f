# The four ways to declare something that is built: berth_library, berth_test_library, berth_test, berth_binary.
# DEPS names folders of Berth (or test libraries) without prefix, LINK names targets of other projects (fmt::fmt),
# SOURCES names files relative to the calling CMakeLists.txt. A folder's target is its path with _ for /: berth_sandbox_apiserver.
include_guard(GLOBAL)
include(BerthLayers)

# Targets of tests/; without it a build that names one fails.
if(BERTH_TESTS)
  add_custom_target(unit-tests)
  add_custom_target(integration-tests)
  add_custom_target(e2e-tests)
endif()
set(BERTH_TEST_OUTPUT_DIR "${PROJECT_BINARY_DIR}/tests")

# berth_library(NAME <folder> [DEPS ...] [LINK ...] [SOURCES ...])
# The library of one folder: target berth_<folder>, alias berth::<folder>. More sources may come from subfolders:
# target_sources(berth_scheduler PRIVATE file.cc).
function(berth_library)
  _berth_arguments(berth_library "" "${ARGN}")
  berth_check_layers(${arg_NAME} ${arg_DEPS})
  string(REPLACE "/" "_" arg_NAME "${arg_NAME}")
  set(pch berth_pch)
  _berth_static_library()
endfunction()

# berth_test_library(NAME <name> [DEPS ...] [LINK ...] SOURCES ...)
# Builders and fakes that several tests share; outside the layer table. Tests name it in DEPS.
function(berth_test_library)
  _berth_arguments(berth_test_library "" "${ARGN}")
  _berth_leave_out_without(${arg_TARGETS})
  list(APPEND arg_LINK GTest::gmock)
  set(pch berth_test_pch)
  _berth_static_library()
  _berth_relax_for_tests(berth_${arg_NAME})
endfunction()

# berth_test(NAME <name> [DEPS ...] [LINK ...] SOURCES ... [LABELS ...] [RUNS <binary>...])
# One GoogleTest program, one entry of ctest, run from the root of the repository. LABELS is `unit` unless given; a test
# that is labelled `kubectl` is skipped without one, one labelled `integration` may expect the control plane in
# $BERTH_CONTROLPLANE, one labelled `e2e` a cluster in $KUBECONFIG. RUNS names binaries the test starts from
# $BERTH_BINARY_DIR.
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
# A program at the top of the build directory: build/release/<name>.
function(berth_binary)
  _berth_arguments(berth_binary "" "${ARGN}")
  _berth_leave_out_without(${arg_TARGETS})
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${arg_NAME}")
    message(FATAL_ERROR "berth_binary(NAME ${arg_NAME}): the build directory has a folder of that name; choose another")
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  _berth_link(${arg_NAME} PRIVATE ${arg_DEPS})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK})
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  _berth_compile_in_batches(${arg_NAME} berth_pch)
endfunction()

# berth_version_in(<source>) defines BERTH_VERSION, a string literal, in that one source of the calling folder, so that a
# new version recompiles one file.
function(berth_version_in source)
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS "BERTH_VERSION=\"${PROJECT_VERSION}\"")
endfunction()

# Parses the arguments all four share into arg_* of the caller, and DEPS as targets into arg_TARGETS; `extra` lists further
# keywords.
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

# Declares berth_<NAME> from arg_* of the calling function.
macro(_berth_static_library)
  add_library(berth_${arg_NAME} STATIC ${arg_SOURCES})
  add_library(berth::${arg_NAME} ALIAS berth_${arg_NAME})
  target_include_directories(berth_${arg_NAME} PUBLIC "${PROJECT_SOURCE_DIR}")
  set_target_properties(berth_${arg_NAME} PROPERTIES LINKER_LANGUAGE CXX)
  _berth_link(berth_${arg_NAME} PUBLIC ${arg_DEPS})
  target_link_libraries(berth_${arg_NAME} PUBLIC ${arg_LINK})
  _berth_compile_in_batches(berth_${arg_NAME} ${pch})
endmacro()

# Links the libraries of the named folders, which have been added before.
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

# What BERTH_BATCHES does to a target: its sources are compiled in batches, and the headers that most of them include are
# read once, as a precompiled header that all libraries share, and one that all tests share (`pch`: berth_pch, berth_test_pch).
function(_berth_compile_in_batches target pch)
  if(BERTH_BATCHES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

# With BERTH_ONLY, returns from the calling function when one of the named targets is not built.
macro(_berth_leave_out_without)
  foreach(_needed ${ARGN})
    if(BERTH_ONLY AND NOT TARGET ${_needed})
      message(STATUS "Left out ${arg_NAME}: needs ${_needed}, and only ${BERTH_ONLY} is built")
      return()
    endif()
  endforeach()
endmacro()

# Test code is compiled with little optimisation whatever the build type: it is most of the build and runs briefly.
function(_berth_relax_for_tests target)
  if(BERTH_QUICK)
    target_compile_options(${target} PRIVATE -O0)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# The precompiled headers of BERTH_BATCHES, each made once.
if(BERTH_BATCHES)
  foreach(pch IN ITEMS berth_pch berth_test_pch)
    add_library(${pch} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/precompiled/pch.cc")
    target_precompile_headers(${pch} PRIVATE <cmake/precompiled/${pch}.h>)
    target_include_directories(${pch} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${pch} PRIVATE nlohmann_json::nlohmann_json tl::expected)
  endforeach()
  # Its definitions and its optimisation must be those of the tests: a precompiled header is not used otherwise.
  target_link_libraries(berth_test_pch PRIVATE $<TARGET_NAME_IF_EXISTS:GTest::gmock>)
  _berth_relax_for_tests(berth_test_pch)
endif()
