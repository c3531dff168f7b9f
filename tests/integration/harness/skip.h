// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

namespace berth::integration {

// Reports whether CI=true: then the machine must have everything that the tests need.
bool IsCi();

// SKIP_EXCEPT_IN_CI ends a test that this machine cannot run: it is skipped with the reason, or
// fails in CI.
#define SKIP_EXCEPT_IN_CI(reason)                                                            \
  do {                                                                                       \
    if (berth::integration::IsCi()) GTEST_FAIL() << "CI=true accepts no skip: " << (reason); \
    GTEST_SKIP() << (reason);                                                                \
  } while (false)

}  // namespace berth::integration
