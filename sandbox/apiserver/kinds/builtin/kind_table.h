// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Returns the built-in kinds, in the order of discovery. Source: the discovery documents of
// kube-apiserver 1.37.
std::vector<KindPtr> BuiltinKinds();

}  // namespace berth::apiserver
