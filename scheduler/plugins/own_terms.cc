// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/own_terms.h"

#include <string_view>
#include <utility>

#include "base/strings.h"

namespace berth::scheduler {
namespace {

using CompiledTerms = Result<std::vector<OwnTerm>>;

Result<OwnTerm> CompileTerm(const api::PodAffinityTerm& term, int32_t weight, const PodInfo& pod) {
  BERTH_TRY(auto selector, SelectorOf(term, pod.namespace_()));
  return OwnTerm{std::move(selector), term.topology_key, weight};
}

CompiledTerms CompilePreferred(const api::PodAffinity& side, const PodInfo& pod) {
  std::vector<OwnTerm> terms;
  for (const api::WeightedPodAffinityTerm& each : side.preferred) {
    BERTH_TRY(auto term, CompileTerm(each.pod_affinity_term, each.weight, pod));
    terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace

CompiledTerms CompileRequired(const api::PodAffinity& side, const PodInfo& pod) {
  std::vector<OwnTerm> terms;
  for (const api::PodAffinityTerm& each : side.required) {
    BERTH_TRY(auto term, CompileTerm(each, 0, pod));
    terms.push_back(std::move(term));
  }
  return terms;
}

Result<OwnTerms> OwnTerms::Of(const PodInfo& pod) {
  OwnTerms terms;
  if (!pod.HasAffinity()) return terms;
  std::vector<std::string> wrong;
  const auto take = [&wrong](CompiledTerms compiled, std::string_view what,
                             std::vector<OwnTerm>& into) {
    if (compiled) {
      into = *std::move(compiled);
    } else {
      wrong.push_back(compiled.error().With(what).message());
    }
  };
  const api::PodAffinity& affinity = pod.affinity();
  const api::PodAffinity& anti = pod.anti_affinity();
  take(CompileRequired(affinity, pod), "requiredAffinityTerms", terms.affinity);
  take(CompileRequired(anti, pod), "requiredAntiAffinityTerms", terms.anti_affinity);
  take(CompilePreferred(affinity, pod), "preferredAffinityTerms", terms.preferred_affinity);
  take(CompilePreferred(anti, pod), "preferredAntiAffinityTerms", terms.preferred_anti_affinity);
  if (wrong.empty()) return terms;
  return ConfigError(wrong.size() == 1 ? wrong.front() : "[" + Join(wrong, ", ") + "]");
}

}  // namespace berth::scheduler
