// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_selector.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {

bool PodSelector::Matches(const PodInfo& pod, const LabelSet& namespace_labels) const {
  const bool in_namespace = std::ranges::binary_search(namespaces, pod.namespace_()) ||
                            namespace_labels.Matches(namespace_selector);
  return in_namespace && pod.labels().Matches(labels);
}

bool PodSelector::MayMatch(const PodInfo& pod) const {
  const bool may_be_in_namespace =
      !namespace_selector.IsNothing() || std::ranges::binary_search(namespaces, pod.namespace_());
  return may_be_in_namespace && pod.labels().Matches(labels);
}

std::string PodSelector::Key() const {
  KeyText text;
  AppendKey(text);
  return text.Take();
}

void PodSelector::AppendKey(KeyText& text) const {
  text.Add(namespaces).Add(namespace_selector).Add(labels);
}

PodSelector Exclusion::OfExcluded() const {
  PodSelector selector = base;
  api::Requirement required = excluded;
  required.op = api::Requirement::Operator::kIn;
  selector.labels.Add(std::move(required));
  return selector;
}

std::optional<Exclusion> ExclusionOf(const PodSelector& selector) {
  const std::vector<api::Requirement>& all = selector.labels.requirements();
  const auto excluded =
      std::ranges::find(all, api::Requirement::Operator::kNotIn, &api::Requirement::op);
  if (excluded == all.end()) return std::nullopt;
  Exclusion exclusion{selector, *excluded};
  exclusion.base.labels = api::Selector::Everything();
  for (auto each = all.begin(); each != all.end(); ++each) {
    if (each != excluded) exclusion.base.labels.Add(*each);
  }
  return exclusion;
}

Result<PodSelector> SelectorOf(const api::PodAffinityTerm& term,
                               const std::string& owner_namespace) {
  BERTH_TRY(auto labels, api::Selector::Create(term.label_selector));
  BERTH_TRY(auto namespace_selector, api::Selector::Create(term.namespace_selector));
  PodSelector selector{.namespaces = term.namespaces,
                       .namespace_selector = std::move(namespace_selector),
                       .labels = std::move(labels)};
  if (term.namespaces.empty() && !term.namespace_selector) selector.namespaces = {owner_namespace};
  std::ranges::sort(selector.namespaces);
  selector.namespaces.erase(std::unique(selector.namespaces.begin(), selector.namespaces.end()),
                            selector.namespaces.end());
  return selector;
}

}  // namespace berth::scheduler
