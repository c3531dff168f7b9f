// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/required_node_affinity.h"

#include <algorithm>

namespace berth::scheduler {
namespace {

std::optional<std::set<std::string>> NodesNamedBy(const api::NodeSelectorTerm& term) {
  std::optional<std::set<std::string>> nodes;
  for (const api::NodeSelectorRequirement& field : term.match_fields) {
    if (field.key != "metadata.name" || field.op != "In") continue;
    std::set<std::string> named(field.values.begin(), field.values.end());
    if (!nodes) {
      nodes = std::move(named);
    } else {
      std::erase_if(*nodes, [&named](const std::string& node) { return !named.contains(node); });
    }
  }
  return nodes;
}

}  // namespace

RequiredNodeAffinity RequiredNodeAffinity::Of(const api::Pod& pod) {
  RequiredNodeAffinity affinity;
  affinity.node_selector_ = api::Selector::FromMap(pod.spec.node_selector.ValueOrDefault());
  if (const api::NodeSelector* required = RequiredTermsOf(pod)) {
    affinity.terms_ = api::CompiledNodeSelector::Create(*required);
  }
  return affinity;
}

bool RequiredNodeAffinity::Matches(const api::Node& node) const {
  if (!node_selector_.Matches(node.metadata.labels)) return false;
  return !terms_ || terms_->Matches(node.metadata.labels, node.metadata.name);
}

RequiredNodeMatcher::RequiredNodeMatcher(const RequiredNodeAffinity& affinity,
                                         const Vocabulary& words)
    : node_selector_(affinity.node_selector().requirements(), words) {
  if (affinity.terms()) terms_.emplace(*affinity.terms(), words);
}

bool RequiredNodeMatcher::Matches(const NodeInfo& node) const {
  return node_selector_.Matches(node) && (!terms_ || terms_->Matches(node));
}

const api::NodeSelector* RequiredTermsOf(const api::Pod& pod) {
  if (!pod.spec.affinity.has_value() || !pod.spec.affinity->node_affinity.has_value()) {
    return nullptr;
  }
  const auto& required = pod.spec.affinity->node_affinity->required;
  return required ? &*required : nullptr;
}

void AddRequiredNodeAffinity(KeyText& text, const api::Pod& pod) {
  const api::StringMap& selector = pod.spec.node_selector.ValueOrDefault();
  text.AddCount(selector);
  for (const auto& [key, value] : selector) text.Add(key).Add(value);
  const api::NodeSelector* required = RequiredTermsOf(pod);
  text.Add(required != nullptr);
  if (required == nullptr) return;
  text.AddCount(required->node_selector_terms);
  for (const api::NodeSelectorTerm& term : required->node_selector_terms) {
    AddNodeSelectorTerm(text, term);
  }
}

void AddNodeSelectorTerm(KeyText& text, const api::NodeSelectorTerm& term) {
  for (const auto* requirements : {&term.match_expressions, &term.match_fields}) {
    text.AddCount(*requirements);
    for (const api::NodeSelectorRequirement& requirement : *requirements) {
      text.Add(requirement.key).Add(requirement.op).Add(requirement.values);
    }
  }
}

std::optional<std::set<std::string>> NodesNamedBy(const api::NodeSelector& required) {
  std::optional<std::set<std::string>> all;
  for (const api::NodeSelectorTerm& term : required.node_selector_terms) {
    auto nodes = NodesNamedBy(term);
    if (!nodes) return std::nullopt;
    if (all) {
      all->merge(*nodes);
    } else {
      all = std::move(nodes);
    }
  }
  return all;
}

}  // namespace berth::scheduler
