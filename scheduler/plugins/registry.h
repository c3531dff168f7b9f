// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/registry.h"

namespace berth::scheduler {

// MakeRegistry lists the plugins Berth ships: kube-scheduler's in the order of the default
// MultiPoint list, then Berth's own, which are not in it. A new plugin is one line there.
Registry MakeRegistry();

}  // namespace berth::scheduler
