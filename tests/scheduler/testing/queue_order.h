// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "scheduler/framework/interface.h"
#include "scheduler/framework/queued_pod.h"

namespace berth::scheduler::testing {

// Checks that Less is a strict weak order on these pods: it is irreflexive and asymmetric, and both
// "before" and "equal" are transitive. Returns the number of equal pairs; if it is low, the pods
// are a weak test.
inline size_t ExpectStrictWeakOrder(const QueueSortPlugin& sort,
                                    const std::vector<QueuedPod>& pods) {
  const auto equal = [&sort](const QueuedPod& a, const QueuedPod& b) {
    return !sort.Less(a, b) && !sort.Less(b, a);
  };
  size_t equals = 0;
  for (const QueuedPod& a : pods) {
    EXPECT_FALSE(sort.Less(a, a));
    for (const QueuedPod& b : pods) {
      EXPECT_FALSE(sort.Less(a, b) && sort.Less(b, a));
      if (&a < &b && equal(a, b)) ++equals;
      for (const QueuedPod& c : pods) {
        EXPECT_TRUE(!sort.Less(a, b) || !sort.Less(b, c) || sort.Less(a, c));
        EXPECT_TRUE(!equal(a, b) || !equal(b, c) || equal(a, c));
      }
    }
  }
  return equals;
}

}  // namespace berth::scheduler::testing
