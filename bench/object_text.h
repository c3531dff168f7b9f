// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::bench {

// Objects as JSON text, as an API server sends them: with managedFields, explicit
// defaults, and the additions of admission (tolerations, the token volume). All fixtures are
// decoded from these texts, so that they have the size and the memory layout of real objects.
//
// Every function is pure: the same arguments give the same bytes on every machine.

// PodShape holds the common properties of the pods of one template.
struct PodShape {
  int64_t milli_cpu = 100;
  int64_t memory_mib = 128;
  int32_t priority = 0;
  std::string app = "web";
  std::string image = "registry.example.com/shop/web:1.0.0";
  std::string constraints;       // more fields of the spec: `"nodeSelector":{…},`
  std::string more_tolerations;  // in addition to the two of admission: `{…},`
};

// Returns the pod number `serial`; its name and uid are unique. With a node it runs there, else it
// is pending.
std::string PodText(size_t serial, const PodShape& shape, std::string_view node = {});

// Return the same objects for a create request: the API server sets uid and resourceVersion.
std::string PostedPodText(size_t serial, const PodShape& shape, std::string_view node);
std::string PostedNodeText(size_t index);

// Returns a pod as a ReplicaSet controller creates it, without the fields that the API server sets.
std::string NewPodText(std::string_view name);

// NodeChange is the difference between a node and the plain node of its index.
struct NodeChange {
  size_t revision = 0;    // the value of a label that no selector uses
  size_t heartbeat = 0;   // minutes added to the times of the conditions
  int64_t cpu_taken = 0;  // cores subtracted from allocatable
  size_t pulled = 0;      // number of images that no other node has
};

// Returns the node number `index`: 20 labels, one of three zones, 12 images. One node in ten has a
// NoSchedule taint, one in twenty a PreferNoSchedule taint.
std::string NodeText(size_t index, const NodeChange& change = {});
std::string NodeName(size_t index);
std::string ZoneName(size_t index);

// Returns one page of a list: the nodes from 0 on.
std::string NodeListText(size_t count);

// Spreads numbers evenly over 64 bits, on every platform the same way (SplitMix64 with a fixed
// seed).
uint64_t Mix(uint64_t number);

}  // namespace berth::bench
