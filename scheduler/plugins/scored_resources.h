// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/json/type.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// WeightedResource is an entry of the `resources` argument: a resource to score, with its weight.
struct WeightedResource {
  std::string name;
  int64_t weight = 1;

  static auto Fields() {
    return json::Object(json::Field("name", &WeightedResource::name)
                            .Required()
                            .Doc("Name of the resource, such as cpu, memory or example.com/gpu."),
                        json::Field("weight", &WeightedResource::weight)
                            .Min(0)
                            .Max(100)
                            .Default("1")
                            .Doc("Weight of the resource; 0 means 1."));
  }
};

// Returns `resources` with defaults: cpu and memory if the list is empty, weight 1 instead of 0.
std::vector<WeightedResource> WithDefaults(std::vector<WeightedResource> resources);

// ScoredResources is the list of resources that a plugin scores. It selects the ones that count for
// a pod and reads their figures from the nodes. Amounts are integers and saturate. Source:
// kube-scheduler pkg/scheduler/framework/plugins/noderesources/resource_allocation.go.
class ScoredResources {
 public:
  // Usage selects how the usage of the pods on a node is computed.
  enum class Usage : uint8_t {
    kRequested,  // their requests
    kNonZero,    // a container without a cpu or memory request counts with the default
  };

  ScoredResources(std::span<const WeightedResource> resources, Usage usage, Vocabulary& words);

  // Adds to a key all requests of the pod that affect the scores.
  void AddTo(KeyText& text, const Resources& requests) const;
  size_t result_cache_bytes() const { return entries_.size() * KeyText::kNumber; }

  enum class Kind : uint8_t { kCpu, kMemory, kEphemeralStorage, kScalar, kOther };

  // Demand is a pod's request for one of the resources.
  struct Demand {
    Kind kind;
    Symbol name;
    int64_t weight;
    int64_t amount;
  };
  // Returns the pod's demands, without resources that a scheduler does not track and without scalar
  // resources that the pod does not request: these do not affect its scores.
  std::vector<Demand> DemandsOf(const Resources& requests) const;

  // Returns the amounts of the demanded resource on a node. Without allocatable amount it is
  // ignored.
  ResourceColumns::Amounts AmountsOf(const NodeView& node, const Demand& demand) const;

  // Column holds the amounts of all nodes, and the pod's demand for the same resource.
  struct Column {
    ResourceColumns::View amounts;
    int64_t weight;
    int64_t amount;
  };
  // Returns the columns of the demands for resources that some node has.
  std::vector<Column> ColumnsOf(const ResourceColumns& columns,
                                std::span<const Demand> demands) const;

 private:
  struct Entry {
    Kind kind;
    Word name;
    int64_t weight;
  };
  static int64_t AmountOf(const Entry& entry, const Resources& requests);

  std::vector<Entry> entries_;
  Usage usage_;
};

}  // namespace berth::scheduler
