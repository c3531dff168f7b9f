// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler::testing {

// RandomExtenders are two extenders whose answers are drawn from the pod and the node, and from
// nothing that an epoch would tell of: what one of them said of a like pod, or of the same node
// before, is worth nothing. One is for pods of some apps, may be ignored and often fails; the other
// is for those that ask for a device.
class RandomExtenders {
 public:
  RandomExtenders();

  std::shared_ptr<const Extenders> Make(const PluginHandle& handle);
  // TakeCalls gives how many calls there were since it was asked last.
  size_t TakeCalls();

 private:
  ScriptedExtender for_apps_{"https://apps.infra.svc"};
  ScriptedExtender for_devices_{"https://devices.infra.svc"};
};

}  // namespace berth::scheduler::testing
