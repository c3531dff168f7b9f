// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "tests/scheduler/testing/scripted_extender.h"

namespace berth::scheduler::testing {

// RandomExtenders are two extenders with random results by pod and node, independent of all epochs.
// So a result for an equivalent pod, or an earlier result for the same node, must not be used. One
// extender serves the pods of some apps, is ignorable and often fails. The other serves the pods
// that request a device.
class RandomExtenders {
 public:
  RandomExtenders();

  std::shared_ptr<const Extenders> Make(const PluginHandle& handle);
  // Returns the number of calls since the last call of TakeCalls.
  size_t TakeCalls();

 private:
  ScriptedExtender for_apps_{"https://apps.infra.svc"};
  ScriptedExtender for_devices_{"https://devices.infra.svc"};
};

}  // namespace berth::scheduler::testing
