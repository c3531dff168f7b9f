// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace berth::integration {

// PollUntil asks every 50 ms, or as said, until the condition holds or the limit is over; it gives the last
// answer. A real system is watched from outside here: there is nothing to be notified by.
bool PollUntil(std::chrono::milliseconds limit, const std::function<bool()>& condition,
               std::chrono::milliseconds every = std::chrono::milliseconds(50));

// Eventually runs a check, with `every` between two runs, until it returns no complaint. The failure
// names the subject and the last complaint.
//   EXPECT_TRUE(Eventually("the ConfigMap", 2s, [&]() -> std::string { return found ? "" : "not
//   there"; }));
testing::AssertionResult Eventually(
    const std::string& what, std::chrono::milliseconds limit,
    const std::function<std::string()>& complaint,
    std::chrono::milliseconds every = std::chrono::milliseconds(50));

// Always checks that there is nothing to complain about for the whole time.
testing::AssertionResult Always(const std::string& what, std::chrono::milliseconds time,
                                const std::function<std::string()>& complaint);

}  // namespace berth::integration
