// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace berth::integration {

// The longest time in which a garbage collector removes the objects of a removed owner. The one of
// kube-controller-manager reads the kinds once in 30 s. Before it knows the owner's kind it asks for
// the owner again and again, at intervals that double.
inline constexpr std::chrono::seconds kGarbageCollection{120};

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
