// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/interface.h"
#include "scheduler/framework/plugin_set.h"

namespace berth::scheduler {

// RejectUnserved holds back a pod whose placement depends on a plugin that the profile would run
// but this version does not serve: claims for volumes, declared features. The answer is
// Success, or UnschedulableAndUnresolvable with a message that names the field and the plugin. A
// plugin the profile disabled holds nothing back. No event frees such a pod: it is held back because
// of its own spec.
Status RejectUnserved(const PendingPod& pod, const EffectivePlugins& plugins);

}  // namespace berth::scheduler
