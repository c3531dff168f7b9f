// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace berth::integration {

// The longest time until the garbage collector deletes the objects of a deleted owner. The one of
// kube-controller-manager discovers kinds every 30 s. Until it knows the owner's kind, it retries
// with exponential backoff.
inline constexpr std::chrono::seconds kGarbageCollection{120};

// Polls until the condition holds or the limit is over; returns the last result. A real system is
// observed from outside here, so there is no notification to wait for.
bool PollUntil(std::chrono::milliseconds limit, const std::function<bool()>& condition,
               std::chrono::milliseconds every = std::chrono::milliseconds(50));

// Runs a check, with `every` between two runs, until it returns an empty text. The failure names
// the subject and the last text.
//   EXPECT_TRUE(Eventually("the ConfigMap", 2s, [&]() -> std::string { return found ? "" : "not
//   there"; }));
testing::AssertionResult Eventually(
    const std::string& what, std::chrono::milliseconds limit,
    const std::function<std::string()>& complaint,
    std::chrono::milliseconds every = std::chrono::milliseconds(50));

// Checks that the check returns an empty text during the whole time.
testing::AssertionResult Always(const std::string& what, std::chrono::milliseconds time,
                                const std::function<std::string()>& complaint);

}  // namespace berth::integration
