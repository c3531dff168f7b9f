// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/state.h"

namespace berth::apiserver {

// Creates the initial objects of every cluster: namespaces, roles and bindings, priority classes,
// the Service of the API itself.
void Bootstrap(State& state);

}  // namespace berth::apiserver
