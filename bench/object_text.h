// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::bench {

// Objects as JSON text, the way an API server of version 1.36 sends them: with managedFields, the
// defaults written out, and what admission adds (tolerations, the token volume). All else is made
// from these texts, so that objects have the size and the layout in memory that decoded ones have.
//
// Every function is pure: the same arguments, the same bytes, on every machine.

// PodShape is what the pods of one template have in common.
struct PodShape {
  int64_t milli_cpu = 100;
  int64_t memory_mib = 128;
  int32_t priority = 0;
  std::string app = "web";
  std::string image = "registry.example.com/shop/web:1.0.0";
  std::string constraints;       // further fields of the spec: `"nodeSelector":{…},`
  std::string more_tolerations;  // beside the two of admission: `{…},`
};

// PodText is the pod number `serial`, whose name and uid no other number has. With a node it runs
// there, else it is pending.
std::string PodText(size_t serial, const PodShape& shape, std::string_view node = {});

// PostedPodText and PostedNodeText are the same for an API server that is to hold them: it gives
// them uid and version itself.
std::string PostedPodText(size_t serial, const PodShape& shape, std::string_view node);
std::string PostedNodeText(size_t index);

// NewPodText is a pod as a ReplicaSet controller posts it: none of what the API server fills in.
std::string NewPodText(std::string_view name);

// NodeChange is what a node has beyond its number.
struct NodeChange {
  size_t revision = 0;    // the value of a label that nothing selects by
  size_t heartbeat = 0;   // minutes added to the times of the conditions
  int64_t cpu_taken = 0;  // cores missing in allocatable
  size_t pulled = 0;      // images that no other node has
};

// NodeText is the node number `index`: 20 labels, one zone in three, 12 images; one in ten has a
// NoSchedule taint, one in twenty a PreferNoSchedule one.
std::string NodeText(size_t index, const NodeChange& change = {});
std::string NodeName(size_t index);
std::string ZoneName(size_t index);

// NodeListText is one page of a list: the nodes from 0 on.
std::string NodeListText(size_t count);

// Mix spreads numbers evenly over 64 bits, the same way everywhere (SplitMix64 with a fixed seed).
uint64_t Mix(uint64_t number);

}  // namespace berth::bench
