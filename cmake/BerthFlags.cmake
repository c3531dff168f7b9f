# Compiler and linker flags for every target.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)

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
option(BERTH_BATCHES "Compile sources in batches with precompiled headers: 40 % of the CPU time" OFF)
option(BERTH_QUICK "Build as fast as possible: BERTH_BATCHES, product at -O1, tests at -O0, mold" OFF)
if(BERTH_QUICK)
  set(BERTH_BATCHES ON)
endif()
option(BERTH_COVERAGE "Instrument for gcov" OFF)
set(BERTH_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
set(BERTH_SANITIZE_WITHOUT "" CACHE STRING "Sanitizer checks to disable, e.g. null,vptr")

# Disabled: missing-field-initializers (designated initialisers keep defaults), restrict and
# maybe-uninitialized (false positives of GCC 12 in std::string and std::optional).
set(warnings
  -Wall -Wextra -Wpedantic -Wshadow=local -Wnon-virtual-dtor -Woverloaded-virtual -Wsuggest-override -Wimplicit-fallthrough
  -Wextra-semi -Wvla -Wcast-qual -Wduplicated-cond -Wlogical-op
  -Wno-missing-field-initializers -Wno-restrict -Wno-maybe-uninitialized)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Clang does not know most of these. -Wcast-qual reports casts in macros of OpenSSL's headers.
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
  # Line numbers are all that a report needs. Full debug information costs a quarter of the build.
  add_compile_options(-fsanitize=${BERTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -O1 -g1)
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
  # Control-flow enforcement exists on x86-64 only.
  check_cxx_compiler_flag(-fcf-protection=full BERTH_HAS_CF_PROTECTION)
  if(BERTH_HAS_CF_PROTECTION)
    add_compile_options(-fcf-protection=full)
  endif()
endif()
if(BERTH_BATCHES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Disable GCC's garbage collection: it takes a sixth of a batch's time and saves 0.3 GB.
  add_compile_options(--param=ggc-min-heapsize=1500000)
  if(NOT BERTH_QUICK)
    # Allow a batch to grow by inlining as much as its separate sources: 4 % fewer benchmark
    # instructions.
    add_compile_options(--param=large-unit-insns=120000)
    # False positives of GCC 12 in std::string with this parameter (GCC bug 105651). The preset ci,
    # without batches, keeps these warnings.
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

# Environment variables of every test.
set(BERTH_TEST_ENVIRONMENT
  "BERTH_BINARY_DIR=${PROJECT_BINARY_DIR}"
  "BERTH_CONTROLPLANE=${PROJECT_SOURCE_DIR}/build/controlplane"
  "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp"
  "UBSAN_OPTIONS=print_stacktrace=1")

# Use ccache if it is installed. It rewrites paths below the repository to relative paths, so all
# clones and build folders share its results. Object files and precompiled headers must contain no
# clone's path.
find_program(BERTH_CCACHE ccache)
if(BERTH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache requires this sloppiness for precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${BERTH_CCACHE})
endif()
# Make __FILE__ relative to the repository, for example base/error.cc. The compiler gets an absolute
# path without ccache and in unity builds, otherwise a relative one.
file(RELATIVE_PATH relative_source "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/")
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${relative_source}=)
