// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace berth::cel {

// Limits of Kubernetes 1.37 in cost units. Source: apiserver's pkg/apis/cel/config.go.
inline constexpr uint64_t kCallLimit = 1'000'000;        // one evaluation of one expression
inline constexpr uint64_t kRequestLimit = 10'000'000;    // all rules of a resource or of a policy
inline constexpr uint64_t kConditionsLimit = 2'500'000;  // all match conditions of a policy

// Budget is the cost budget shared by the evaluations of one request. Not thread safe.
class Budget {
 public:
  explicit Budget(uint64_t limit = kRequestLimit, uint64_t call_limit = kCallLimit)
      : remaining_(limit), call_limit_(call_limit) {}

  uint64_t remaining() const { return remaining_; }
  uint64_t spent() const { return spent_; }
  uint64_t call_limit() const { return std::min(call_limit_, remaining_); }

  // Reports whether the budget is used up.
  bool IsExhausted() const { return remaining_ == 0; }

  void Spend(uint64_t cost) {
    spent_ += std::min(cost, std::numeric_limits<uint64_t>::max() - spent_);
    remaining_ -= std::min(cost, remaining_);
  }

 private:
  uint64_t remaining_;
  uint64_t call_limit_;
  uint64_t spent_ = 0;
};

}  // namespace berth::cel
