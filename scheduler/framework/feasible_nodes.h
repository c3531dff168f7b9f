// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "scheduler/model/epoch.h"

namespace berth::scheduler {

// FeasibleNodes are the nodes that fit a pod, in visiting order. The list may be built lazily: most
// pods do not need it, and building it costs a step per node. Owned by the scheduling thread; lives
// for one attempt.
class FeasibleNodes {
 public:
  FeasibleNodes() = default;  // none
  explicit FeasibleNodes(std::vector<Slot> slots) : size_(slots.size()), slots_(std::move(slots)) {}
  // `list` returns the list of `size` nodes; it is called at most once.
  FeasibleNodes(size_t size, std::function<std::vector<Slot>()> list)
      : size_(size), list_(std::move(list)) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::span<const Slot> slots() const {
    if (list_) slots_ = std::exchange(list_, nullptr)();
    return slots_;
  }

 private:
  size_t size_ = 0;
  mutable std::vector<Slot> slots_;
  mutable std::function<std::vector<Slot>()> list_;  // empty: slots_ is the list
};

}  // namespace berth::scheduler
