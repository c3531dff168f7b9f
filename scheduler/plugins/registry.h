// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/registry.h"

namespace berth::scheduler {

// Returns the registry of all plugins: kube-scheduler's in the order of the default MultiPoint
// list, then Berth's own, which are not in that list. A new plugin is one line in registry.cc.
Registry MakeRegistry();

}  // namespace berth::scheduler
