// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef NDEBUG
#include <atomic>
#include <thread>

#include "base/check.h"
#endif

namespace berth {

// ThreadOwner asserts that an object without a lock is used by one thread only. The first thread
// that calls AssertHeld becomes the owner; any other aborts from then on. Costs nothing in release
// builds. Put it first among the data of the class:
//
//   void Cache::Assume(…) { owner_.AssertHeld(); … }
class ThreadOwner {
 public:
#ifdef NDEBUG
  void AssertHeld() const {}
  void Release() {}
#else
  void AssertHeld() const {
    const std::thread::id self = std::this_thread::get_id();
    std::thread::id expected{};
    const bool held = owner_.compare_exchange_strong(expected, self) || expected == self;
    BERTH_CHECK(held, "used by a thread that does not own it");
  }

  // Release lets another thread become the owner, e.g. after the object was filled and before its
  // thread starts.
  void Release() { owner_.store(std::thread::id{}); }

 private:
  mutable std::atomic<std::thread::id> owner_{};
#endif
};

}  // namespace berth
