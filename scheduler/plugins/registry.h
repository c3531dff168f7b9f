// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/registry.h"

namespace berth::scheduler {

// MakeRegistry lists the plugins Berth ships, in the order of the default MultiPoint list. A new
// plugin is one line there.
Registry MakeRegistry();

}  // namespace berth::scheduler
