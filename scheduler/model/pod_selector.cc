// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_selector.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {
namespace {

// Numbers and lengths in front, so that no two sequences of parts give one text.
class KeyText {
 public:
  void Add(size_t number) { text_ += std::to_string(number) + ';'; }
  void Add(const std::string& part) {
    Add(part.size());
    text_ += part;
  }
  void Add(const std::vector<std::string>& parts) {
    Add(parts.size());
    for (const std::string& part : parts) Add(part);
  }
  void Add(const api::Selector& selector) {
    Add(selector.IsNothing() ? size_t{1} : size_t{0});
    Add(selector.requirements().size());
    for (const api::Requirement& requirement : selector.requirements()) {
      Add(requirement.key);
      Add(static_cast<size_t>(requirement.op));
      Add(requirement.values);
    }
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

bool PodSelector::Matches(const PodInfo& pod, const api::StringMap& namespace_labels) const {
  const bool in_namespace = std::ranges::binary_search(namespaces, pod.namespace_()) ||
                            namespace_selector.Matches(namespace_labels) ||
                            (unlabelled_means_all && namespace_selector.Matches({}));
  return in_namespace && pod.labels().Matches(labels);
}

std::string PodSelector::Key() const {
  KeyText text;
  text.Add(namespaces);
  text.Add(namespace_selector);
  text.Add(unlabelled_means_all ? size_t{1} : size_t{0});
  text.Add(labels);
  return text.Take();
}

Result<PodSelector> SelectorOf(const api::PodAffinityTerm& term, const std::string& owner_namespace,
                               TermOwner owner) {
  BERTH_TRY(auto labels, api::Selector::Create(term.label_selector));
  BERTH_TRY(auto namespace_selector, api::Selector::Create(term.namespace_selector));
  PodSelector selector{.namespaces = term.namespaces,
                       .namespace_selector = std::move(namespace_selector),
                       .unlabelled_means_all = owner == TermOwner::kWaiting,
                       .labels = std::move(labels)};
  if (term.namespaces.empty() && !term.namespace_selector) selector.namespaces = {owner_namespace};
  std::ranges::sort(selector.namespaces);
  const auto repeated = std::ranges::unique(selector.namespaces);
  selector.namespaces.erase(repeated.begin(), repeated.end());
  return selector;
}

}  // namespace berth::scheduler
