// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/evictions.h"

namespace berth::scheduler::testing {

// RecordedEvictions records the requests and evicts nothing.
class RecordedEvictions final : public Evictions {
 public:
  void Start(EvictionRequest request) override { requests.push_back(std::move(request)); }
  bool IsPreempting(const std::string& uid) const override { return preempting.contains(uid); }

  std::vector<EvictionRequest> requests;
  std::set<std::string> preempting;  // UIDs
};

}  // namespace berth::scheduler::testing
