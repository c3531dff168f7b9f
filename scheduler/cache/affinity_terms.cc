// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/affinity_terms.h"

#include <utility>

namespace berth::scheduler {
namespace {

void AppendKey(const Rare<api::LabelSelector>& selector, KeyText& text) {
  text.Add(selector.has_value());
  if (!selector) return;
  text.AddCount(selector->match_labels);
  for (const auto& [key, value] : selector->match_labels) text.Add(key).Add(value);
  text.AddCount(selector->match_expressions);
  for (const auto& expression : selector->match_expressions) {
    text.Add(expression.key).Add(expression.op).Add(expression.values);
  }
}

void AppendKey(const api::PodAffinityTerm& term, KeyText& text) {
  AppendKey(term.label_selector, text);
  AppendKey(term.namespace_selector, text);
  text.Add(term.namespaces).Add(term.topology_key);
}

void AppendKey(const Rare<api::PodAffinity>& affinity, KeyText& text) {
  text.Add(affinity.has_value());
  if (!affinity) return;
  text.AddCount(affinity->required);
  for (const api::PodAffinityTerm& term : affinity->required) AppendKey(term, text);
  text.AddCount(affinity->preferred);
  for (const auto& [weight, term] : affinity->preferred) AppendKey(term, text.Add(weight));
}

bool HasTerms(const Rare<api::PodAffinity>& affinity) {
  return affinity && (!affinity->required.empty() || !affinity->preferred.empty());
}

bool HasTerms(const PodAffinities& affinities) {
  return HasTerms(affinities.affinity) || HasTerms(affinities.anti_affinity);
}

// Compiled is a term with its parsed selector.
struct Compiled {
  PodSelector selector;
  const api::PodAffinityTerm* term;
  int32_t weight;
};

// Returns an empty list if one of the terms does not parse: upstream drops the whole list. Source:
// kube-scheduler pkg/scheduler/framework/types.go, GetAffinityTerms and GetWeightedAffinityTerms.
std::vector<Compiled> CompiledTerms(const std::vector<api::PodAffinityTerm>& terms,
                                    const std::string& owner_namespace) {
  std::vector<Compiled> compiled;
  for (const api::PodAffinityTerm& term : terms) {
    auto selector = SelectorOf(term, owner_namespace, TermOwner::kPlaced);
    if (!selector) return {};
    compiled.push_back({std::move(*selector), &term, 0});
  }
  return compiled;
}

std::vector<Compiled> CompiledTerms(const std::vector<api::WeightedPodAffinityTerm>& terms,
                                    const std::string& owner_namespace) {
  std::vector<Compiled> compiled;
  for (const auto& [weight, term] : terms) {
    auto selector = SelectorOf(term, owner_namespace, TermOwner::kPlaced);
    if (!selector) return {};
    compiled.push_back({std::move(*selector), &term, weight});
  }
  return compiled;
}

}  // namespace

const std::string& AffinityTerms::KeyOf(const std::string& namespace_name,
                                        const PodAffinities& affinities) {
  scratch_.Clear();
  scratch_.Add(namespace_name);
  AppendKey(affinities.affinity, scratch_);
  AppendKey(affinities.anti_affinity, scratch_);
  return scratch_.text();
}

TermSet* AffinityTerms::Take(const PodInfo& pod, const PodClasses& classes) {
  const PodAffinities affinities{pod.extras().affinity, pod.extras().anti_affinity};
  if (!HasTerms(affinities)) return nullptr;
  const std::string& key = KeyOf(pod.namespace_(), affinities);
  auto found = sets_.find(key);
  if (found == sets_.end()) {
    found = sets_.emplace(key, std::make_unique<TermSet>()).first;
    TermSet& set = *found->second;
    set.affinities = affinities;
    set.key = &found->first;
    AddTerms(pod, classes, set);
  }
  ++found->second->pods;
  return found->second.get();
}

const PodAffinities* AffinityTerms::SameAs(const api::Pod& pod) {
  const api::Affinity& affinity = pod.spec.affinity.ValueOrDefault();
  const PodAffinities affinities{affinity.pod_affinity, affinity.pod_anti_affinity};
  if (!HasTerms(affinities)) return nullptr;
  const auto found = sets_.find(KeyOf(pod.metadata.namespace_, affinities));
  return found == sets_.end() ? nullptr : &found->second->affinities;
}

void AffinityTerms::AddTerms(const PodInfo& pod, const PodClasses& classes, TermSet& set) {
  const auto add = [&](TermKind kind, const auto& terms) {
    for (Compiled& each : CompiledTerms(terms, pod.namespace_())) {
      AffinityTerm& term =
          TermOf(kind, each.weight, std::move(each.selector), each.term->topology_key, classes);
      ++term.sets;
      set.terms.push_back(&term);
    }
  };
  add(TermKind::kRequiredAffinity, pod.affinity().required);
  add(TermKind::kRequiredAntiAffinity, pod.anti_affinity().required);
  add(TermKind::kPreferredAffinity, pod.affinity().preferred);
  add(TermKind::kPreferredAntiAffinity, pod.anti_affinity().preferred);
}

AffinityTerm& AffinityTerms::TermOf(TermKind kind, int32_t weight, PodSelector selector,
                                    const std::string& topology_key, const PodClasses& classes) {
  KeyText key;
  key.Add(static_cast<int>(kind)).Add(weight).Add(topology_key);
  selector.AppendKey(key);
  const auto [found, is_new] = terms_.try_emplace(key.Take());
  if (!is_new) return *found->second;
  found->second = std::make_unique<AffinityTerm>();
  AffinityTerm& term = *found->second;
  term.kind = kind;
  term.weight = weight;
  term.matcher.emplace_back(selector, words_);
  term.selector = std::move(selector);
  term.topology = topology_of_(topology_key);
  term.key = &found->first;
  term.required = classes.Narrowest(term.matcher);
  if (term.matcher[0].ReadsNamespaces()) ++reading_namespaces_;
  by_label_.Add(term, term.required);
  ++version_;
  return term;
}

void AffinityTerms::Release(TermSet& set) {
  if (--set.pods > 0) return;
  for (AffinityTerm* term : set.terms) {
    if (--term->sets > 0) continue;
    by_label_.Remove(*term, term->required);
    if (term->matcher[0].ReadsNamespaces()) --reading_namespaces_;
    terms_.erase(terms_.find(*term->key));
    ++version_;
  }
  sets_.erase(sets_.find(*set.key));
}

void AffinityTerms::Count(const TermSet& set, Slot slot, int by) {
  for (AffinityTerm* term : set.terms) {
    const Domain domain = term->topology->OfSlots()[slot];
    if (domain == kNoDomain) continue;
    if (by > 0) {
      term->counts.Increase(domain);
    } else {
      term->counts.Decrease(domain);
    }
  }
}

void AffinityTerms::Move(const TermSet& set, const Topology& topology, Domain from, Domain to) {
  for (AffinityTerm* term : set.terms) {
    if (term->topology.get() != &topology) continue;
    if (from != kNoDomain) term->counts.Decrease(from);
    if (to != kNoDomain) term->counts.Increase(to);
  }
}

std::span<const PlacedTerm> AffinityTerms::About(PodClass& pod_class,
                                                 const NamespaceTable& namespaces) const {
  if (pod_class.terms_version != version_) {
    pod_class.terms.clear();
    by_label_.VisitCandidates(pod_class.labels, [&](const AffinityTerm& term) {
      if (!AllMatch(term.matcher, pod_class, namespaces)) return;
      pod_class.terms.push_back({term.kind, term.weight, term.topology.get(), &term.counts});
    });
    pod_class.terms_version = version_;
  }
  return pod_class.terms;
}

}  // namespace berth::scheduler
