// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "api/labels.h"
#include "api/node.h"
#include "api/pod.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/node_matcher.h"

namespace berth::scheduler {

// RequiredNodeAffinity is a pod's spec.nodeSelector and required node affinity, compiled once. A
// term that does not parse matches no node. Source: component-helpers
// scheduling/corev1/nodeaffinity/nodeaffinity.go, GetRequiredNodeAffinity.
class RequiredNodeAffinity {
 public:
  static RequiredNodeAffinity Of(const api::Pod& pod);

  bool Matches(const api::Node& node) const;

  const api::Selector& node_selector() const { return node_selector_; }
  const std::optional<api::CompiledNodeSelector>& terms() const { return terms_; }

 private:
  api::Selector node_selector_;
  std::optional<api::CompiledNodeSelector> terms_;  // absent: no restriction
};

// RequiredNodeMatcher matches a RequiredNodeAffinity against many nodes in one cycle.
class RequiredNodeMatcher {
 public:
  RequiredNodeMatcher(const RequiredNodeAffinity& affinity, const Vocabulary& words);
  bool Matches(const NodeInfo& node) const;

 private:
  TermMatcher node_selector_;
  std::optional<NodeMatcher> terms_;
};

// Returns the pod's required node affinity, or nullptr if it has none.
const api::NodeSelector* RequiredTermsOf(const api::Pod& pod);

// Add to a key all fields that RequiredNodeAffinity reads of a pod, and one term, respectively.
void AddRequiredNodeAffinity(KeyText& text, const api::Pod& pod);
void AddNodeSelectorTerm(KeyText& text, const api::NodeSelectorTerm& term);

// Returns the node names that the matchFields allow, or nullopt if some term names no node, so that
// any node may match. An empty set means that the terms contradict each other.
std::optional<std::set<std::string>> NodesNamedBy(const api::NodeSelector& required);

}  // namespace berth::scheduler
