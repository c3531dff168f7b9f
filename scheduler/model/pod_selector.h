// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/affinity.h"
#include "api/labels.h"
#include "api/meta.h"
#include "base/error.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// PodSelector selects the pods in its namespaces with matching labels. A value type.
struct PodSelector {
  std::vector<std::string> namespaces;  // sorted and unique
  // Selects further namespaces by their labels; an unknown namespace has no labels.
  api::Selector namespace_selector = api::Selector::Nothing();
  api::Selector labels = api::Selector::Nothing();

  // Reports whether the pod is selected, given the labels of its namespace.
  bool Matches(const PodInfo& pod, const LabelSet& namespace_labels) const;

  // Reports whether the pod may be selected, depending on the labels of its namespace.
  bool MayMatch(const PodInfo& pod) const;

  // Returns a key: equal selectors have equal keys, different selectors different ones. AppendKey
  // appends it to others: no key is a prefix of another.
  std::string Key() const;
  void AppendKey(KeyText& text) const;
  bool operator==(const PodSelector&) const = default;
};

// Exclusion is a selector in two parts: it selects the pods of `base` that do not have one of the
// values of `excluded`, a NotIn requirement.
struct Exclusion {
  PodSelector base;
  api::Requirement excluded;

  // Returns the selector of the pods of `base` that are excluded.
  PodSelector OfExcluded() const;
};

// Divides a selector at its first NotIn requirement; nullopt if it has none.
std::optional<Exclusion> ExclusionOf(const PodSelector& selector);

// Compiles the pod selector of a term. A term without namespaces and namespaceSelector applies to
// the namespace of the pod that has it. Returns an error, with upstream's text, for an invalid
// selector. matchLabelKeys and mismatchLabelKeys are already merged into the selector by the API
// server. Source: kube-scheduler framework/types.go, newAffinityTerm and AffinityTerm.Matches.
Result<PodSelector> SelectorOf(const api::PodAffinityTerm& term,
                               const std::string& owner_namespace);

}  // namespace berth::scheduler
