// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace berth::internal {

// CheckFailed writes one line to stderr and aborts. It does not go through the logger, which may be
// what is broken.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              std::string_view why);

}  // namespace berth::internal

// BERTH_CHECK states what must hold if our own code is right; when it does not, the process says
// where and why and aborts: a restart is cheap, a scheduler that goes on with a wrong picture is
// not. Never for input: that is a Result. On in every build; `why` is evaluated only on failure.
#define BERTH_CHECK(condition, why)                                          \
  do {                                                                       \
    if (!(condition)) [[unlikely]] {                                         \
      ::berth::internal::CheckFailed(__FILE__, __LINE__, #condition, (why)); \
    }                                                                        \
  } while (false)
