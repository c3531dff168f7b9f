// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/framework/plugin_set.h"

namespace berth::scheduler {

// RejectUnserved holds back a pod whose placement depends on a plugin that the profile would run
// but this version does not serve: required pod affinity, DoNotSchedule spreading, claims for
// volumes or devices, declared features; and a pod that the required anti-affinity of a pod already
// placed may concern. The answer is Success, or UnschedulableAndUnresolvable with a message that
// names the field and the plugin. A plugin the profile disabled holds nothing back.
Status RejectUnserved(const PodInfo& pod, const Snapshot& snapshot,
                      const EffectivePlugins& plugins);

// UnservedEvent is an event that may free pods which are held back in the name of `plugin`.
struct UnservedEvent {
  ClusterEvent event;
  std::string_view plugin;
};

// UnservedEvents lists them for a profile. No event frees a pod that is held back because of its
// own spec.
std::vector<UnservedEvent> UnservedEvents(const EffectivePlugins& plugins);

}  // namespace berth::scheduler
