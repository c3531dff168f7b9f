// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/volume_affinity.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scheduler/model/key_text.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

using Terms = std::vector<api::CompiledTerm>;

// Returns the terms that may match; nullopt if the volume has no affinity.
std::optional<Terms> TermsOf(const api::PersistentVolume& volume) {
  const auto& affinity = volume.spec.node_affinity;
  if (!affinity || !affinity->required) return std::nullopt;
  Terms terms = api::CompiledNodeSelector::Create(*affinity->required).terms();
  std::erase_if(terms, [](const api::CompiledTerm& term) { return !term.errors.empty(); });
  return terms;
}

std::string TextOfTerms(const std::optional<Terms>& terms) {
  KeyText text;
  text.Add(terms.has_value());
  if (!terms) return text.Take();
  text.AddCount(*terms);
  for (const api::CompiledTerm& term : *terms) {
    text.AddCount(term.labels);
    for (const api::Requirement& requirement : term.labels) {
      text.Add(requirement.key).Add(static_cast<int>(requirement.op)).Add(requirement.values);
      text.Add(requirement.bound);
    }
  }
  return text.Take();
}

bool IsPin(const api::Requirement& requirement) {
  return requirement.op == api::Requirement::Operator::kIn &&
         std::ranges::find(requirement.values, "") == requirement.values.end();
}

// Returns the pin that all terms share, with the values of all terms.
std::optional<LabelPin> PinOfAll(const Terms& terms) {
  std::optional<LabelPin> all;
  for (const api::CompiledTerm& term : terms) {
    std::optional<LabelPin> pin = PinOf(term.labels);
    if (!pin || (all && all->key != pin->key)) return std::nullopt;
    if (!all) {
      all = std::move(pin);
      continue;
    }
    std::vector<std::string> both;
    std::ranges::set_union(all->values, pin->values, std::back_inserter(both));
    all->values = std::move(both);
  }
  return all;
}

}  // namespace

std::optional<LabelPin> PinOf(std::span<const api::Requirement> requirements) {
  const api::Requirement* best = nullptr;
  for (const api::Requirement& requirement : requirements) {
    if (!IsPin(requirement)) continue;
    if (best == nullptr || requirement.key == kHostname) best = &requirement;
  }
  if (best == nullptr) return std::nullopt;
  LabelPin pin{best->key, best->values};
  std::ranges::sort(pin.values);
  pin.values.erase(std::unique(pin.values.begin(), pin.values.end()), pin.values.end());
  return pin;
}

VolumeAffinity::VolumeAffinity(const api::PersistentVolume& volume) {
  const auto terms = TermsOf(volume);
  text_ = TextOfTerms(terms);
  anywhere_ = !terms.has_value();
  if (terms) pin_ = PinOfAll(*terms);
}

VolumeAffinity VolumeAffinity::Lasting(const api::PersistentVolume& volume, Vocabulary& words) {
  VolumeAffinity affinity(volume);
  for (const api::CompiledTerm& term : TermsOf(volume).value_or(Terms())) {
    api::Selector selector = api::Selector::Everything();
    for (const api::Requirement& requirement : term.labels) selector.Add(requirement);
    affinity.terms_.push_back(LabelMatcher::Lasting(selector, words));
  }
  return affinity;
}

VolumeAffinity VolumeAffinity::Passing(const api::PersistentVolume& volume,
                                       const Vocabulary& words) {
  VolumeAffinity affinity(volume);
  for (const api::CompiledTerm& term : TermsOf(volume).value_or(Terms())) {
    affinity.terms_.push_back(LabelMatcher::Passing(term.labels, words));
  }
  return affinity;
}

bool VolumeAffinity::Matches(const NodeInfo& node) const {
  return anywhere_ || std::ranges::any_of(terms_, [&node](const LabelMatcher& term) {
           return term.Matches(node.labels);
         });
}

std::string VolumeAffinity::TextOf(const api::PersistentVolume& volume) {
  return TextOfTerms(TermsOf(volume));
}

}  // namespace berth::scheduler
