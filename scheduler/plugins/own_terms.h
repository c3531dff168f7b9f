// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/pod_selector.h"

namespace berth::scheduler {

// OwnTerm is a compiled podAffinity or podAntiAffinity term of a pending pod.
struct OwnTerm {
  PodSelector selector;
  std::string topology_key;
  int32_t weight = 0;  // preferred terms only
};

// OwnTerms is the set of all compiled terms of a pod.
struct OwnTerms {
  std::vector<OwnTerm> affinity, anti_affinity;  // required
  std::vector<OwnTerm> preferred_affinity, preferred_anti_affinity;

  bool HasPreferred() const {
    return !preferred_affinity.empty() || !preferred_anti_affinity.empty();
  }

  // Compiles all terms. Returns one error, in upstream's words, if a selector does not parse.
  // Source: kube-scheduler pkg/scheduler/framework/types.go, PodInfo.Update.
  static Result<OwnTerms> Of(const PodInfo& pod);
};

// Compiles the required terms of `side`, the pod's affinity or anti-affinity. Source:
// kube-scheduler pkg/scheduler/framework/types.go, GetAffinityTerms.
Result<std::vector<OwnTerm>> CompileRequired(const api::PodAffinity& side, const PodInfo& pod);

}  // namespace berth::scheduler
