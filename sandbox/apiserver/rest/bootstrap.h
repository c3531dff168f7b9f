// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/state.h"

namespace berth::apiserver {

// Bootstrap fills an empty server with what every cluster has: namespaces, roles and bindings,
// priority classes, the service of the API itself.
void Bootstrap(State& state);

}  // namespace berth::apiserver
