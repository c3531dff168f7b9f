// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/evictions.h"

namespace berth::scheduler {

// NoEvictions evicts nothing: for dry runs, in which preemption is only simulated.
class NoEvictions final : public Evictions {
 public:
  void Start(EvictionRequest) override {}
  bool IsPreempting(const std::string&) const override { return false; }
};

}  // namespace berth::scheduler
