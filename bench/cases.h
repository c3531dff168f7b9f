// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/workload.h"

namespace berth::bench {

// A Case is one line of a report. `make` builds the workload, which takes seconds for large
// clusters.
struct Case {
  std::string name;  // "core/one_shape/nodes:5000"
  std::function<std::unique_ptr<Workload>()> make;
};

// Scale sets the sizes. Timed and counted cases differ in nothing else.
struct Scale {
  size_t nodes;
  size_t many_nodes;             // in the largest cluster
  size_t pods_per_node;          // on average
  size_t crowded_pods_per_node;  // the same for crowded nodes
  size_t round;            // operations in a round of decisions, or of operations that cost as much
  size_t fresh_shapes;     // shapes before the first one is used again, in cases without repetition
  size_t queued_pods;      // unschedulable ones, in the queue
  size_t waiting_gangs;    // gangs that do not fit
  size_t waiting_members;  // members of each waiting gang
  size_t events_a_second;  // events while the gangs wait
  size_t listed_nodes;     // in a decoded list
  size_t listed_pods;      // in a list response
  size_t requests;         // to the API server, each for a different pod
};

// A large cluster; for the clock.
inline constexpr Scale kClusterScale{.nodes = 5000,
                                     .many_nodes = 50000,
                                     .pods_per_node = 4,
                                     .crowded_pods_per_node = 30,
                                     .round = 1000,
                                     .fresh_shapes = 10000,
                                     .queued_pods = 10000,
                                     .waiting_gangs = 100,
                                     .waiting_members = 100,
                                     .events_a_second = 500,
                                     .listed_nodes = 500,
                                     .listed_pods = 10000,
                                     .requests = 1000};
// Small enough for a program that runs fifty times slower; for instruction counts.
inline constexpr Scale kCountedScale{.nodes = 500,
                                     .many_nodes = 2000,
                                     .pods_per_node = 4,
                                     .crowded_pods_per_node = 8,
                                     .round = 200,
                                     .fresh_shapes = 1000,
                                     .queued_pods = 1000,
                                     .waiting_gangs = 50,
                                     .waiting_members = 40,
                                     .events_a_second = 50,
                                     .listed_nodes = 50,
                                     .listed_pods = 1000,
                                     .requests = 50};

std::vector<Case> CoreCases(const Scale& scale);  // core_bench.cc: decisions, and the whole loop
// gang_bench.cc: gangs that are placed, and gangs that wait
std::vector<Case> GangCases(const Scale& scale);
// rule_bench.cc: one rule for all pods, as arguments of NodeAffinity and as expressions.
std::vector<Case> RuleCases(const Scale& scale);
// affinity_bench.cc: decisions that depend on pods anywhere in the cluster.
std::vector<Case> AffinityCases(const Scale& scale);
// preemption_bench.cc: decisions that need victims.
std::vector<Case> PreemptionCases(const Scale& scale);
// volume_bench.cc: pods with claims, through the loop.
std::vector<Case> VolumeCases(const Scale& scale);
std::vector<Case> CacheCases(const Scale& scale);      // cache_bench.cc
std::vector<Case> QueueCases(const Scale& scale);      // queue_bench.cc
std::vector<Case> EventCases(const Scale& scale);      // event_bench.cc
std::vector<Case> CheckerCases(const Scale& scale);    // checker_bench.cc
std::vector<Case> JsonCases(const Scale& scale);       // json_bench.cc
std::vector<Case> ApiserverCases(const Scale& scale);  // apiserver_bench.cc

// Returns a case that takes the pods of a scenario file through the loop (scenario_bench.cc).
// Errors name the file.
Result<Case> ScenarioCase(const std::string& path);

// Returns the cases of all functions above, in this order.
std::vector<Case> AllCases(const Scale& scale);

}  // namespace berth::bench
