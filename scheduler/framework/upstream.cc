// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/registry.h"

namespace berth::scheduler {
namespace {

using enum ExtensionPoint;

constexpr std::string_view kTopologyGates = "GenericWorkload and TopologyAwareWorkloadScheduling";

constexpr UpstreamPlugin kUpstream[] = {
    {"SchedulingGates", {kPreEnqueue}, 0},
    {"PrioritySort", {kQueueSort}, 0},
    {"NodeName", {kPreFilter, kFilter}, 0},
    {"NodeUnschedulable", {kPreFilter, kFilter}, 0},
    {"TaintToleration", {kPreFilter, kFilter, kPreScore, kScore}, 3},
    {"NodeAffinity", {kPreFilter, kFilter, kPreScore, kScore}, 2},
    {"NodePorts", {kPreFilter, kFilter}, 0},
    {"NodeResourcesFit", {kPreFilter, kFilter, kPreScore, kScore, kPlacementScore}, 1},
    {"VolumeRestrictions", {kPreFilter, kFilter}, 0},
    {"NodeVolumeLimits", {kPreFilter, kFilter}, 0},
    {"VolumeBinding", {kPreFilter, kFilter, kPreScore, kScore, kReserve, kPreBind}, 0},
    {"VolumeZone", {kPreFilter, kFilter}, 0},
    {"PodTopologySpread", {kPreFilter, kFilter, kPreScore, kScore}, 2},
    {"InterPodAffinity", {kPreFilter, kFilter, kPreScore, kScore}, 2},
    {"DynamicResources",
     {kPreEnqueue, kPreFilter, kFilter, kPostFilter, kScore, kReserve, kPreBind,
      kPodGroupPostFilter},
     2},
    {"DefaultPreemption", {kPreEnqueue, kPostFilter, kPodGroupPostFilter}, 0},
    {"NodeResourcesBalancedAllocation", {kPreScore, kScore}, 1},
    {"ImageLocality", {kScore}, 1},
    {"DefaultBinder", {kBind}, 0},
    {"NodeDeclaredFeatures", {kPreFilter, kFilter}, 0},
    {"DeferredPodScheduling",
     {kPreFilter, kFilter, kPermit},
     0,
     "InPlacePodVerticalScalingSchedulerPreemption"},
    {"GangScheduling", {kPreEnqueue, kPermit}, 0, "GenericWorkload", true},
    {"TopologyPlacementGenerator", {kPlacementGenerate}, 0, kTopologyGates},
    {"PodGroupPodsCount", {kPlacementScore}, 1, kTopologyGates},
};

}  // namespace

std::span<const UpstreamPlugin> UpstreamPlugins() { return kUpstream; }

}  // namespace berth::scheduler
