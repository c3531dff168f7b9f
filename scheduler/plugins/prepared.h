// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// Prepared is the T that PreFilter or PreScore wrote for the pod. A profile may run Filter or Score
// without it: then `prepare(CycleContext&) -> Status` is called, once for this Prepared, and writes
// it aside.
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

  // Null: the plugin has nothing to say about the pod, or could not tell.
  const T* get() const { return value_; }
  const Status& status() const { return status_; }  // what `prepare` said of it then
  // VerdictWithout is what Filter says of every node then. Valid during this attempt.
  Verdict VerdictWithout() const {
    if (status_.code == Code::kSkip) return Verdict::Fits();
    const VerdictReason reason = state_.reasons().Add(status_.Message());
    return Verdict::Of(status_.code, {&reason, 1});
  }

 private:
  CycleState& state_;
  CycleState aside_;
  Status status_;
  const T* value_;
};

}  // namespace berth::scheduler
