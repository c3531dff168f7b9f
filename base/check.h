// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace berth::internal {

// Writes one line to stderr and aborts. Bypasses the logger, which may itself be broken.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view why);

}  // namespace berth::internal

// BERTH_CHECK asserts an invariant of our own code. On failure the process prints the location and
// the reason and aborts: a restart is cheap, a scheduler with corrupt state is not. Never use it
// for input; return a Result instead. Enabled in every build. `why` is evaluated only on failure.
#define BERTH_CHECK(condition, why)                                          \
  do {                                                                       \
    if (!(condition)) [[unlikely]] {                                         \
      ::berth::internal::CheckFailed(__FILE__, __LINE__, #condition, (why)); \
    }                                                                        \
  } while (false)
