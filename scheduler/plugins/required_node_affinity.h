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

// RequiredNodeAffinity is what a pod demands of its node's labels and name: spec.nodeSelector and
// the required node affinity, compiled once. A term that does not parse matches no node. Source:
// component-helpers scheduling/corev1/nodeaffinity/nodeaffinity.go, GetRequiredNodeAffinity.
class RequiredNodeAffinity {
 public:
  static RequiredNodeAffinity Of(const api::Pod& pod);

  bool Matches(const api::Node& node) const;

  const api::Selector& node_selector() const { return node_selector_; }
  const std::optional<api::CompiledNodeSelector>& terms() const { return terms_; }

 private:
  api::Selector node_selector_;
  std::optional<api::CompiledNodeSelector> terms_;  // absent: no limit
};

// RequiredNodeMatcher asks the same of many nodes in one cycle.
class RequiredNodeMatcher {
 public:
  RequiredNodeMatcher(const RequiredNodeAffinity& affinity, const Vocabulary& words);
  bool Matches(const NodeInfo& node) const;

 private:
  TermMatcher node_selector_;
  std::optional<NodeMatcher> terms_;
};

// RequiredTermsOf gives the pod's required node affinity, or nullptr when it has none.
const api::NodeSelector* RequiredTermsOf(const api::Pod& pod);

// AddRequiredNodeAffinity adds to a key what RequiredNodeAffinity reads of a pod; AddNodeSelectorTerm
// adds one term.
void AddRequiredNodeAffinity(KeyText& text, const api::Pod& pod);
void AddNodeSelectorTerm(KeyText& text, const api::NodeSelectorTerm& term);

// NodesNamedBy gives the nodes that matchFields name, or nothing when some term names none and any
// node may do. An empty set is a contradiction.
std::optional<std::set<std::string>> NodesNamedBy(const api::NodeSelector& required);

}  // namespace berth::scheduler
