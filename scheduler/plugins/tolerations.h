// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/affinity.h"
#include "api/node.h"

namespace berth::scheduler {

// Reports whether effect, key and operator of the toleration match the taint. Operators other than
// Equal and Exists tolerate nothing: the comparison operators are an alpha feature that is off.
// Source: kubernetes api core/v1/toleration.go, ToleratesTaint.
bool Tolerates(const api::Toleration& toleration, const api::Taint& taint);
bool Tolerates(const std::vector<api::Toleration>& tolerations, const api::Taint& taint);

// Reports whether the taint keeps pods off the node: NoSchedule or NoExecute.
bool IsBlocking(const api::Taint& taint);

// Reports whether the tolerations cover all blocking taints.
bool ToleratesAllBlocking(const std::vector<api::Toleration>& tolerations,
                          const std::vector<api::Taint>& taints);

// Returns a key that two lists share if and only if they have equivalent entries, in any order, so
// that they tolerate the same taints.
std::string TolerationsKey(const std::vector<api::Toleration>& tolerations);

}  // namespace berth::scheduler
