// SPDX-License-Identifier: Apache-2.0
#pragma once

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

// PodSelector says which pods are meant: those in its namespaces whose labels match. A value.
struct PodSelector {
  std::vector<std::string> namespaces;  // these, sorted, each once,
  // and all whose labels match; a namespace that is not known has no labels.
  api::Selector namespace_selector = api::Selector::Nothing();
  // Whether a namespace_selector that matches the empty set of labels stands for all namespaces.
  // True of a pod's own terms: kube-scheduler evaluates them without a namespace's labels after it
  // has listed the namespaces that match (interpodaffinity/plugin.go, mergeAffinityTermNamespaces).
  bool unlabelled_means_all = false;
  api::Selector labels = api::Selector::Nothing();

  // Matches asks about a pod in a namespace with these labels.
  bool Matches(const PodInfo& pod, const LabelSet& namespace_labels) const;

  // Key is a text that equal selectors have, and no others. AppendKey puts it behind others: no key
  // is the beginning of another.
  std::string Key() const;
  void AppendKey(KeyText& text) const;
  bool operator==(const PodSelector&) const = default;
};

// Whose term it is: that of a pod that waits, which chooses among those placed, or of a placed pod,
// which is held against the one that waits.
enum class TermOwner { kWaiting, kPlaced };

// SelectorOf compiles whom a term is about. A term without namespaces and without a selector of
// them is about the namespace of its owner. Errors: a selector that does not parse, in upstream's
// words. matchLabelKeys and mismatchLabelKeys are part of the selector since the API server merged
// them. Source: kube-scheduler framework/types.go, newAffinityTerm and AffinityTerm.Matches.
Result<PodSelector> SelectorOf(const api::PodAffinityTerm& term, const std::string& owner_namespace,
                               TermOwner owner);

}  // namespace berth::scheduler
