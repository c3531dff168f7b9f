# Every library from outside that Berth uses, all from Debian 12 (scripts/setup installs them). Folders name the imported
# targets in LINK; imported targets are SYSTEM, so their headers raise no warnings.
include_guard(GLOBAL)

find_package(Threads REQUIRED)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(cpprestsdk REQUIRED)
find_package(CURL REQUIRED)

# Wanted by tests/ and bench/ alone, which are left out where they are missing.
find_package(GTest QUIET)
find_package(benchmark QUIET)

# Debian's RE2 brings no CMake package.
find_path(RE2_INCLUDE_DIR re2/re2.h REQUIRED)
find_library(RE2_LIBRARY re2 REQUIRED)
add_library(re2::re2 UNKNOWN IMPORTED)
set_target_properties(re2::re2 PROPERTIES
  IMPORTED_LOCATION "${RE2_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${RE2_INCLUDE_DIR}")
