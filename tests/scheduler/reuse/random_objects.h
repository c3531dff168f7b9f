// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/random.h"

// Random nodes and pods. Their labels, taints, amounts, ports and images match often enough that
// about half of the pods fit, each on some nodes. Equal choices of `random` give equal objects,
// except for the name.
namespace berth::scheduler::testing {

// Label keys shared by the walk and the scripted plugins.
inline constexpr const char* kZoneLabel = "topology.kubernetes.io/zone";
inline constexpr const char* kTierLabel = "tier";      // of nodes: a small number
inline constexpr const char* kBrokenLabel = "broken";  // of nodes
inline constexpr const char* kAppLabel = "app";        // of pods

NodeBuilder RandomNode(Random& random, std::string name);

// Redraw one part of a node.
void Relabel(Random& random, api::Node& node);  // except the zone
void Rezone(Random& random, api::Node& node);
void Retaint(Random& random, api::Node& node);
void Resize(Random& random, api::Node& node);
void Reimage(Random& random, api::Node& node);
void Redeclare(Random& random, api::Node& node);  // features

std::string AnyNamespace(Random& random);  // a random namespace of the pods

// Redraws the annotation with the pods that a node prefers to avoid. RandomNode does not set it.
void Reannotate(Random& random, api::Node& node);

PodBuilder RandomPod(Random& random, std::string name);

// Owners of pods, of which some exist as ReplicaSets, and Services. RandomPod sets no owner;
// AddOwner adds one of a few.
void AddOwner(Random& random, PodBuilder& pod);
api::ReplicaSet RandomReplicaSet(Random& random);
api::Service RandomService(Random& random);

}  // namespace berth::scheduler::testing
