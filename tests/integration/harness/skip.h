// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

namespace berth::integration {

// IsCi returns whether CI=true: the machine must have all that tests need.
bool IsCi();

// SKIP_EXCEPT_IN_CI ends a test that this machine cannot run: skipped with the reason, or failed
// in CI.
#define SKIP_EXCEPT_IN_CI(reason)                                                            \
  do {                                                                                       \
    if (berth::integration::IsCi()) GTEST_FAIL() << "CI=true accepts no skip: " << (reason); \
    GTEST_SKIP() << (reason);                                                                \
  } while (false)

}  // namespace berth::integration
