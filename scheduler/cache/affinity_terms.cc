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
    auto selector = SelectorOf(term, owner_namespace);
    if (!selector) return {};
    compiled.push_back({std::move(*selector), &term, 0});
  }
  return compiled;
}

std::vector<Compiled> CompiledTerms(const std::vector<api::WeightedPodAffinityTerm>& terms,
                                    const std::string& owner_namespace) {
  std::vector<Compiled> compiled;
  for (const auto& [weight, term] : terms) {
    auto selector = SelectorOf(term, owner_namespace);
    if (!selector) return {};
    compiled.push_back({std::move(*selector), &term, weight});
  }
  return compiled;
}

void Change(AffinityTerm& term, Domain domain, int by) {
  const auto change = [domain, by](SparseCounts& counts) {
    if (by > 0) {
      counts.Increase(domain);
    } else {
      counts.Decrease(domain);
    }
  };
  change(term.group->counts);
  for (const Word& value : term.excluded) change(term.group->excluding.at(value).counts);
}

// Returns the counts of the terms that exclude pods with these labels; null: none.
const SparseCounts* CountsExcluding(const TermGroup& group, const LabelSet& labels) {
  const std::optional<Symbol> value = labels.Value(group.excluded_key);
  if (!value) return nullptr;
  const auto excluding = group.excluding.find(*value);
  return excluding == group.excluding.end() ? nullptr : &excluding->second.counts;
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
          TermOf(kind, each.weight, each.selector, each.term->topology_key, classes);
      ++term.sets;
      set.terms.push_back(&term);
    }
  };
  add(TermKind::kRequiredAffinity, pod.affinity().required);
  add(TermKind::kRequiredAntiAffinity, pod.anti_affinity().required);
  add(TermKind::kPreferredAffinity, pod.affinity().preferred);
  add(TermKind::kPreferredAntiAffinity, pod.anti_affinity().preferred);
}

AffinityTerm& AffinityTerms::TermOf(TermKind kind, int32_t weight, const PodSelector& selector,
                                    const std::string& topology_key, const PodClasses& classes) {
  KeyText key;
  key.Add(static_cast<int>(kind)).Add(weight).Add(topology_key);
  selector.AppendKey(key);
  const auto [found, is_new] = terms_.try_emplace(key.Take());
  if (!is_new) return *found->second;
  found->second = std::make_unique<AffinityTerm>();
  AffinityTerm& term = *found->second;
  term.key = &found->first;
  if (const auto exclusion = ExclusionOf(selector)) {
    term.group =
        &GroupOf(kind, weight, exclusion->base, topology_key, exclusion->excluded.key, classes);
    const std::vector<std::string>& values = exclusion->excluded.values;
    Exclude(term, {values.begin(), values.end()});
  } else {
    term.group = &GroupOf(kind, weight, selector, topology_key, "", classes);
  }
  ++term.group->terms;
  return term;
}

// Returns the group of a selector without the excluded values. No label key is empty.
TermGroup& AffinityTerms::GroupOf(TermKind kind, int32_t weight, const PodSelector& selector,
                                  const std::string& topology_key, const std::string& excluded_key,
                                  const PodClasses& classes) {
  KeyText key;
  key.Add(static_cast<int>(kind)).Add(weight).Add(topology_key).Add(excluded_key);
  selector.AppendKey(key);
  const auto [found, is_new] = groups_.try_emplace(key.Take());
  if (!is_new) return *found->second;
  found->second = std::make_unique<TermGroup>();
  TermGroup& group = *found->second;
  group.kind = kind;
  group.weight = weight;
  group.matcher.emplace_back(selector, words_);
  group.topology = topology_of_(topology_key);
  group.excluded_key = words_.Intern(excluded_key);
  group.key = &found->first;
  group.required = classes.Narrowest(group.matcher);
  if (group.matcher[0].ReadsNamespaces()) ++reading_namespaces_;
  by_label_.Add(group, group.required);
  ++version_;
  return group;
}

void AffinityTerms::Exclude(AffinityTerm& term, const std::set<std::string>& values) {
  for (const std::string& value : values) {
    term.excluded.push_back(words_.Intern(value));
    if (++term.group->excluding[term.excluded.back()].terms == 1) ++version_;
  }
}

void AffinityTerms::Release(TermSet& set) {
  if (--set.pods > 0) return;
  for (AffinityTerm* term : set.terms) {
    if (--term->sets == 0) Erase(*term);
  }
  sets_.erase(sets_.find(*set.key));
}

void AffinityTerms::Erase(const AffinityTerm& term) {
  TermGroup& group = *term.group;
  for (const Word& value : term.excluded) {
    const auto place = group.excluding.find(value);
    if (--place->second.terms > 0) continue;
    group.excluding.erase(place);
    ++version_;
  }
  if (--group.terms == 0) {
    by_label_.Remove(group, group.required);
    if (group.matcher[0].ReadsNamespaces()) --reading_namespaces_;
    groups_.erase(groups_.find(*group.key));
    ++version_;
  }
  terms_.erase(terms_.find(*term.key));
}

void AffinityTerms::Count(const TermSet& set, Slot slot, int by) {
  for (AffinityTerm* term : set.terms) {
    const Domain domain = term->group->topology->OfSlots()[slot];
    if (domain != kNoDomain) Change(*term, domain, by);
  }
}

void AffinityTerms::Move(const TermSet& set, const Topology& topology, Domain from, Domain to) {
  for (AffinityTerm* term : set.terms) {
    if (term->group->topology.get() != &topology) continue;
    if (from != kNoDomain) Change(*term, from, -1);
    if (to != kNoDomain) Change(*term, to, +1);
  }
}

std::span<const PlacedTerm> AffinityTerms::About(PodClass& pod_class,
                                                 const NamespaceTable& namespaces) const {
  if (pod_class.terms_version != version_) {
    pod_class.terms.clear();
    by_label_.VisitCandidates(pod_class.labels, [&](const TermGroup& group) {
      if (!AllMatch(group.matcher, pod_class, namespaces)) return;
      pod_class.terms.push_back({group.kind, group.weight, group.topology.get(), &group.counts,
                                 CountsExcluding(group, pod_class.labels)});
    });
    pod_class.terms_version = version_;
  }
  return pod_class.terms;
}

}  // namespace berth::scheduler
