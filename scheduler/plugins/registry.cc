// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/registry.h"

#include "scheduler/plugins/default_binder.h"
#include "scheduler/plugins/node_affinity.h"
#include "scheduler/plugins/node_name.h"
#include "scheduler/plugins/node_ports.h"
#include "scheduler/plugins/node_resources_fit.h"
#include "scheduler/plugins/node_unschedulable.h"
#include "scheduler/plugins/priority_sort.h"
#include "scheduler/plugins/scheduling_gates.h"
#include "scheduler/plugins/taint_toleration.h"

namespace berth::scheduler {

Registry MakeRegistry() {
  return Registry({
      SchedulingGates::Descriptor(),
      PrioritySort::Descriptor(),
      NodeUnschedulable::Descriptor(),
      NodeName::Descriptor(),
      TaintToleration::Descriptor(),
      NodeAffinity::Descriptor(),
      NodePorts::Descriptor(),
      NodeResourcesFit::Descriptor(),
      DefaultBinder::Descriptor(),
  });
}

}  // namespace berth::scheduler
