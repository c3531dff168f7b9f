// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scheduler/scheduler.h"

// The check of the core's state for tests and scenarios: it recomputes all sums and counts from the
// pods, and compares pods and nodes with a store. It reads everything, so it is slow.
namespace berth::scenario {

using StoredNodes = std::span<const std::shared_ptr<const api::Node>>;
using StoredPods = std::span<const std::shared_ptr<const api::Pod>>;

// Lists the differences between the cache and the store, and the sums and counts that do not match
// the pods of the cache, one sentence each, sorted. Unassigned pods of the store may be assumed.
std::vector<std::string> FindDifferences(const scheduler::Cache& cache, StoredNodes nodes,
                                         StoredPods pods);

// Lists the differences of the scheduler's cache, and of its pending pods from the store.
std::vector<std::string> FindDifferences(const scheduler::Scheduler& scheduler, StoredNodes nodes,
                                         StoredPods pods);

}  // namespace berth::scenario
