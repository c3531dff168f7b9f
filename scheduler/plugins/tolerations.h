// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/affinity.h"
#include "api/node.h"

namespace berth::scheduler {

// Tolerates holds when effect, key and operator of the toleration cover the taint. Operators other
// than Equal and Exists tolerate nothing: comparing ones are an alpha feature that is off. Source:
// kubernetes api core/v1/toleration.go, ToleratesTaint.
bool Tolerates(const api::Toleration& toleration, const api::Taint& taint);
bool Tolerates(const std::vector<api::Toleration>& tolerations, const api::Taint& taint);

// IsBlocking holds for the effects that keep pods away: NoSchedule and NoExecute.
bool IsBlocking(const api::Taint& taint);

// ToleratesAllBlocking holds when a pod with these tolerations may go to a node with these taints.
bool ToleratesAllBlocking(const std::vector<api::Toleration>& tolerations,
                          const std::vector<api::Taint>& taints);

// TolerationsKey is a text that lists of tolerations share exactly if they tolerate the same taints
// by the same entries, in any order.
std::string TolerationsKey(const std::vector<api::Toleration>& tolerations);

}  // namespace berth::scheduler
