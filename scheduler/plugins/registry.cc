// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/registry.h"

#include "scheduler/plugins/coscheduling.h"
#include "scheduler/plugins/default_binder.h"
#include "scheduler/plugins/default_preemption.h"
#include "scheduler/plugins/dynamic_resources.h"
#include "scheduler/plugins/expressions/expressions.h"
#include "scheduler/plugins/gang_scheduling.h"
#include "scheduler/plugins/image_locality.h"
#include "scheduler/plugins/inter_pod_affinity.h"
#include "scheduler/plugins/legacy/node_label.h"
#include "scheduler/plugins/legacy/node_prefer_avoid_pods.h"
#include "scheduler/plugins/legacy/selector_spread.h"
#include "scheduler/plugins/legacy/service_affinity.h"
#include "scheduler/plugins/network_traffic.h"
#include "scheduler/plugins/node_affinity.h"
#include "scheduler/plugins/node_declared_features.h"
#include "scheduler/plugins/node_name.h"
#include "scheduler/plugins/node_name_length.h"
#include "scheduler/plugins/node_ports.h"
#include "scheduler/plugins/node_resources_balanced_allocation.h"
#include "scheduler/plugins/node_resources_fit.h"
#include "scheduler/plugins/node_unschedulable.h"
#include "scheduler/plugins/pod_name_length.h"
#include "scheduler/plugins/pod_topology_spread.h"
#include "scheduler/plugins/priority_sort.h"
#include "scheduler/plugins/qos_sort.h"
#include "scheduler/plugins/random.h"
#include "scheduler/plugins/scheduling_gates.h"
#include "scheduler/plugins/taint_toleration.h"
#include "scheduler/plugins/volumes/node_volume_limits.h"
#include "scheduler/plugins/volumes/volume_binding.h"
#include "scheduler/plugins/volumes/volume_restrictions.h"
#include "scheduler/plugins/volumes/volume_zone.h"

namespace berth::scheduler {

Registry MakeRegistry() {
  return Registry({
      SchedulingGates::Descriptor(),
      PrioritySort::Descriptor(),
      NodeName::Descriptor(),
      NodeUnschedulable::Descriptor(),
      TaintToleration::Descriptor(),
      NodeAffinity::Descriptor(),
      NodePorts::Descriptor(),
      NodeResourcesFit::Descriptor(),
      VolumeRestrictions::Descriptor(),
      NodeVolumeLimits::Descriptor(),
      VolumeBinding::Descriptor(),
      VolumeZone::Descriptor(),
      PodTopologySpread::Descriptor(),
      InterPodAffinity::Descriptor(),
      DynamicResources::Descriptor(),
      DefaultPreemption::Descriptor(),
      NodeResourcesBalancedAllocation::Descriptor(),
      ImageLocality::Descriptor(),
      DefaultBinder::Descriptor(),
      NodeDeclaredFeatures::Descriptor(),
      GangScheduling::Descriptor(),
      // Berth's own plugins; only profiles that enable them run them.
      Random::Descriptor(),
      QOSSort::Descriptor(),
      PodNameLength::Descriptor(),
      NodeNameLength::Descriptor(),
      Expressions::Descriptor(),
      NetworkTraffic::Descriptor(),
      Coscheduling::Descriptor(),
      // Plugins of the Policy API, which kube-scheduler has removed.
      SelectorSpread::Descriptor(),
      NodeLabel::Descriptor(),
      ServiceAffinity::Descriptor(),
      NodePreferAvoidPods::Descriptor(),
  });
}

}  // namespace berth::scheduler
