// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace berth::apiserver {

struct KindInfo;
struct Strategy;

// The strategies of the built-in kinds, one file per function; null for an unknown kind.
const Strategy* PodStrategy(const KindInfo& kind);
const Strategy* WorkloadStrategy(const KindInfo& kind);
const Strategy* ServiceStrategy(const KindInfo& kind);
const Strategy* VolumeStrategy(const KindInfo& kind);
const Strategy* BudgetStrategy(const KindInfo& kind);
const Strategy* CoreStrategy(const KindInfo& kind);
const Strategy* PriorityStrategy(const KindInfo& kind);
const Strategy* DefinitionStrategy(const KindInfo& kind);
const Strategy* AdmissionPolicyStrategy(const KindInfo& kind);
const Strategy* RbacStrategy(const KindInfo& kind);

}  // namespace berth::apiserver
