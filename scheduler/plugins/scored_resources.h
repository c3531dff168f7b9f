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

// WeightedResource is a resource by which nodes are rated, as arguments list it.
struct WeightedResource {
  std::string name;
  int64_t weight = 1;

  static auto Fields() {
    return json::Object(
        json::Field("name", &WeightedResource::name).Required().Doc("cpu, memory, example.com/gpu"),
        json::Field("weight", &WeightedResource::weight)
            .Min(0)
            .Max(100)
            .Default("1")
            .Doc("How much the resource counts; 0 means 1."));
  }
};

// WithDefaults fills in what arguments left out: cpu and memory where none is listed, a weight of 1
// for one of 0.
std::vector<WeightedResource> WithDefaults(std::vector<WeightedResource> resources);

// ScoredResources are the resources by which a plugin rates nodes. It knows which of them count for
// a pod, and where the figures of nodes are. Amounts are integers and saturate. Source:
// kube-scheduler pkg/scheduler/framework/plugins/noderesources/resource_allocation.go.
class ScoredResources {
 public:
  // Usage is what the pods that are on a node are taken to use.
  enum class Usage : uint8_t {
    kRequested,  // what they request
    kNonZero,    // a container that names no cpu or memory counts with the defaults
  };

  ScoredResources(std::span<const WeightedResource> resources, Usage usage, Vocabulary& words);

  // AddTo adds to a reuse key what the scores read of a pod's requests.
  void AddTo(KeyText& text, const Resources& requests) const;
  size_t result_cache_bytes() const { return entries_.size() * KeyText::kNumber; }

  enum class Kind : uint8_t { kCpu, kMemory, kEphemeralStorage, kScalar, kOther };

  // Demand is what a pod asks of one of the resources.
  struct Demand {
    Kind kind;
    Symbol name;
    int64_t weight;
    int64_t amount;
  };
  // DemandsOf leaves out what no scheduler tracks, and scalars that the pod does not request: it is
  // not judged by them.
  std::vector<Demand> DemandsOf(const Resources& requests) const;

  // Share is a node's part in one resource: what is used of what it has. A capacity of 0 does not
  // count.
  struct Share {
    int64_t used;
    int64_t capacity;
  };
  Share ShareOf(const NodeView& node, const Demand& demand) const;

  // Column is the shares of all nodes, over slots, with the demand they are for.
  struct Column {
    std::span<const int64_t> used, capacity;
    int64_t weight;
    int64_t amount;

    Share At(Slot slot) const { return {used[slot], capacity[slot]}; }
  };
  // ColumnsOf leaves out resources that no node and no pod names.
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
