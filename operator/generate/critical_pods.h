// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/quota.h"

namespace berth::operator_ {

// CriticalPodsQuota is for a namespace that operator or schedulers run in: `ns`, or the one that
// `kubectl -n` says. Their PriorityClass preempts everybody's pods, so some clusters, GKE among
// them, admit it only where a quota counts it (admission plugin ResourceQuota, limitedResources).
//
// It limits as little as such a quota can: the number of pods, far above what one cluster needs. A
// limit of cpu or memory would refuse critical pods of others in the namespace that request none.
api::ResourceQuota CriticalPodsQuota(const std::string& ns = {});

}  // namespace berth::operator_
