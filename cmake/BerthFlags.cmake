# Compiler and linker flags for every target.
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g0 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")

option(BERTH_WERROR "Treat warnings as errors" OFF)
option(BERTH_BATCHES "Compile sources in batches, with precompiled headers, in two fifths of the CPU time" OFF)
option(BERTH_QUICK "Build in the least time: BERTH_BATCHES, product at -O1, tests at -O0, mold" OFF)
if(BERTH_QUICK)
  set(BERTH_BATCHES ON)
endif()
option(BERTH_COVERAGE "Instrument for gcov" OFF)
set(BERTH_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
set(BERTH_SANITIZE_WITHOUT "" CACHE STRING "Checks of these sanitizers to leave out, e.g. null,vptr")

# Left out on purpose: missing-field-initializers (designated initialisers leave defaults), restrict and
# maybe-uninitialized (GCC 12 reports them falsely in std::string and std::optional).
set(warnings
  -Wall -Wextra -Wpedantic -Wshadow=local -Wnon-virtual-dtor -Woverloaded-virtual -Wsuggest-override -Wimplicit-fallthrough
  -Wextra-semi -Wvla -Wcast-qual -Wduplicated-cond -Wlogical-op
  -Wno-missing-field-initializers -Wno-restrict -Wno-maybe-uninitialized)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # What it does not know, and casts in macros of OpenSSL's headers, which it reports.
  list(REMOVE_ITEM warnings
    -Wshadow=local -Wcast-qual -Wduplicated-cond -Wlogical-op -Wno-restrict -Wno-maybe-uninitialized)
endif()
add_compile_options(${warnings})
if(BERTH_WERROR)
  add_compile_options(-Werror)
endif()

# Scores must be the same on every machine: no fused multiply-add.
add_compile_options(-ffp-contract=off)
if(BERTH_SANITIZE)
  add_compile_options(-fsanitize=${BERTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1)
  if(BERTH_SANITIZE_WITHOUT)
    add_compile_options(-fno-sanitize=${BERTH_SANITIZE_WITHOUT})
  endif()
  if(BERTH_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan) # fences in headers of Boost.Asio
  endif()
  add_link_options(-fsanitize=${BERTH_SANITIZE})
elseif(BERTH_QUICK)
  add_compile_options(-O1)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE)
  add_link_options(-pie -Wl,-z,relro,-z,now)
endif()
if(BERTH_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Without collections of garbage, which take a sixth of a batch's time and save 0.3 GB.
  add_compile_options(--param=ggc-min-heapsize=1500000)
  if(NOT BERTH_QUICK)
    # A batch may grow by inlining as much as its sources by themselves; the benchmarks take 4 % fewer instructions.
    add_compile_options(--param=large-unit-insns=120000)
    # With it GCC 12 reports std::string falsely (GCC bug 105651); the preset ci compiles source by source and checks.
    add_compile_options(-Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
if(BERTH_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

if(BERTH_QUICK)
  find_program(BERTH_MOLD mold)
  if(BERTH_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# What every test finds in its environment.
set(BERTH_TEST_ENVIRONMENT
  "BERTH_BINARY_DIR=${PROJECT_BINARY_DIR}"
  "BERTH_CONTROLPLANE=${PROJECT_SOURCE_DIR}/build/controlplane"
  "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp"
  "UBSAN_OPTIONS=print_stacktrace=1")

# ccache, if installed. It rewrites paths below the repository to relative ones, so all clones and build folders share its
# results: no path of a clone may get into an object file or a precompiled header.
find_program(BERTH_CCACHE ccache)
if(BERTH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache asks for this sloppiness where headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${BERTH_CCACHE})
endif()
# __FILE__ is base/error.cc, whether the compiler is given the absolute path (without ccache, and for the sources of a unity
# build) or the relative one.
file(RELATIVE_PATH relative_source "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/")
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${relative_source}=)
