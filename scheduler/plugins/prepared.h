// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// Prepared gives access to the T that PreFilter or PreScore wrote for the pod. A profile may enable
// Filter or Score without it. Then the constructor calls `prepare(CycleContext&) -> Status` once,
// with a cycle state of its own, and uses the T written there.
template <class T>
class Prepared {
 public:
  template <class Prepare>
  Prepared(const CycleContext& cycle, const Prepare& prepare)
      : state_(cycle.state), value_(cycle.state.Read<T>()) {
    if (value_ != nullptr) return;
    CycleContext alone{cycle.pod, cycle.snapshot, aside_};
    status_ = prepare(alone);
    value_ = aside_.Read<T>();
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  // Null if `prepare` wrote no T: the plugin skips the pod, or failed.
  const T* get() const { return value_; }
  const Status& status() const { return status_; }  // the status of `prepare`
  // Returns Filter's verdict for every node if get() is null: Fits if the status is Skip, else a
  // rejection with the status's message. Valid during this attempt.
  Verdict VerdictWithout() const {
    if (status_.code == Code::kSkip) return Verdict::Fits();
    return Verdict::Of(status_.code, state_.reasons().Add(status_.Message()));
  }

 private:
  CycleState& state_;
  CycleState aside_;
  Status status_;
  const T* value_;
};

}  // namespace berth::scheduler
