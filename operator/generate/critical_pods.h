// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/quota.h"

namespace berth::operator_ {

// CriticalPodsQuota is for a namespace of the operator or of schedulers: `ns`, or the namespace of
// `kubectl -n`. Their PriorityClass preempts all other pods, so some clusters, such as GKE, admit
// it only with a quota that counts it (admission plugin ResourceQuota, limitedResources).
//
// The quota is as permissive as possible: it limits the number of pods, far above the need of one
// cluster. A limit of cpu or memory would reject critical pods of other workloads in the namespace
// that request none.
api::ResourceQuota CriticalPodsQuota(const std::string& ns = {});

}  // namespace berth::operator_
