// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/registry.h"

namespace berth::scheduler {
namespace {

using enum ExtensionPoint;

constexpr UpstreamPlugin kUpstream[] = {
    {"SchedulingGates", {kPreEnqueue}, 0, true},
    {"PrioritySort", {kQueueSort}, 0, true},
    {"NodeUnschedulable", {kFilter}, 0, true},
    {"NodeName", {kFilter}, 0, true},
    {"TaintToleration", {kFilter, kPreScore, kScore}, 3, true},
    {"NodeAffinity", {kPreFilter, kFilter, kPreScore, kScore}, 2, true},
    {"NodePorts", {kPreFilter, kFilter}, 0, true},
    {"NodeResourcesFit", {kPreFilter, kFilter, kPreScore, kScore, kPlacementScore}, 1, true},
    {"VolumeRestrictions", {kPreFilter, kFilter}, 0, true},
    {"NodeVolumeLimits", {kPreFilter, kFilter}, 0, true},
    {"VolumeBinding", {kPreFilter, kFilter, kPreScore, kScore, kReserve, kPreBind}, 0, true},
    {"VolumeZone", {kPreFilter, kFilter}, 0, true},
    {"PodTopologySpread", {kPreFilter, kFilter, kPreScore, kScore}, 2, true},
    {"InterPodAffinity", {kPreFilter, kFilter, kPreScore, kScore}, 2, true},
    {"DynamicResources",
     {kPreEnqueue, kPreFilter, kFilter, kPostFilter, kScore, kReserve, kPreBind},
     2,
     true},
    {"DefaultPreemption", {kPreEnqueue, kPostFilter}, 0, true},
    {"NodeResourcesBalancedAllocation", {kPreScore, kScore}, 1, true},
    {"ImageLocality", {kScore}, 1, true},
    {"DefaultBinder", {kBind}, 0, true},
    {"NodeDeclaredFeatures", {kPreFilter, kFilter}, 0, true},
    {"GangScheduling", {kPreEnqueue, kPermit}, 0, false},
    {"TopologyPlacementGenerator", {kPlacementGenerate}, 0, false},
    {"PodGroupPodsCount", {kPlacementScore}, 1, false},
};

}  // namespace

std::span<const UpstreamPlugin> UpstreamPlugins() { return kUpstream; }

}  // namespace berth::scheduler
