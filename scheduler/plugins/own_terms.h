// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/pod_selector.h"

namespace berth::scheduler {

// OwnTerm is a term of podAffinity or podAntiAffinity of a pod that waits, compiled.
struct OwnTerm {
  PodSelector selector;
  std::string topology_key;
  int32_t weight = 0;  // of a preferred one
};

// OwnTerms is all of a pod.
struct OwnTerms {
  std::vector<OwnTerm> affinity, anti_affinity;  // required
  std::vector<OwnTerm> preferred_affinity, preferred_anti_affinity;

  bool HasPreferred() const {
    return !preferred_affinity.empty() || !preferred_anti_affinity.empty();
  }

  // Of fails as a whole when a selector does not parse, in upstream's words. Source: kube-scheduler
  // pkg/scheduler/framework/types.go, PodInfo.Update.
  static Result<OwnTerms> Of(const PodInfo& pod);
};

// CompileRequired compiles the required terms of one side. Source: kube-scheduler framework/types.go,
// GetAffinityTerms.
Result<std::vector<OwnTerm>> CompileRequired(const api::PodAffinity& side, const PodInfo& pod);

}  // namespace berth::scheduler
