// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef NDEBUG
#include <atomic>
#include <thread>

#include "base/check.h"
#endif

namespace berth {

// ThreadOwner asserts that only one thread uses an object without a lock. The first thread that
// calls AssertHeld becomes the owner; calls from any other thread abort. It costs nothing in
// release builds. Declare it as the first data member:
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

  // Releases ownership, so that another thread can take it. Example: an object is filled before its
  // thread starts.
  void Release() { owner_.store(std::thread::id{}); }

 private:
  mutable std::atomic<std::thread::id> owner_{};
#endif
};

}  // namespace berth
