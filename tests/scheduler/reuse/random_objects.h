// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/random.h"

// Random nodes and pods whose labels, taints, amounts, ports and images meet often enough that
// about half of the pods fit, each on some nodes. Equal choices of `random` give equal objects but
// for the name.
namespace berth::scheduler::testing {

// Label keys that the walk and the made-up plugins know.
inline constexpr const char* kZoneLabel = "topology.kubernetes.io/zone";
inline constexpr const char* kTierLabel = "tier";      // of nodes: a small number
inline constexpr const char* kBrokenLabel = "broken";  // of nodes
inline constexpr const char* kAppLabel = "app";        // of pods

NodeBuilder RandomNode(Random& random, std::string name);

// Each of these redraws one part of a node.
void Relabel(Random& random, api::Node& node);  // but for the zone
void Rezone(Random& random, api::Node& node);
void Retaint(Random& random, api::Node& node);
void Resize(Random& random, api::Node& node);
void Reimage(Random& random, api::Node& node);
void Redeclare(Random& random, api::Node& node);  // features

std::string AnyNamespace(Random& random);  // one of those that pods are in

// Reannotate redraws whose pods a node would rather not have. RandomNode leaves that out.
void Reannotate(Random& random, api::Node& node);

PodBuilder RandomPod(Random& random, std::string name);

// What pods belong to, one of a few: an owner of pods, of which some are known as ReplicaSets, and a
// Service. RandomPod has no owner.
void AddOwner(Random& random, PodBuilder& pod);
api::ReplicaSet RandomReplicaSet(Random& random);
api::Service RandomService(Random& random);

}  // namespace berth::scheduler::testing
