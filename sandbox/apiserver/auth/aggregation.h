// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace berth::apiserver {

struct State;

// AggregateRoles gives each ClusterRole with an aggregationRule the rules of the roles it selects;
// writes only what changed. Called after each change of a ClusterRole.
void AggregateRoles(State& state);

}  // namespace berth::apiserver
