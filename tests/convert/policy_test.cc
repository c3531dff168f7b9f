// SPDX-License-Identifier: Apache-2.0
#include "convert/policy.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "convert/policy_tables.h"
#include "crds/plugin_lists.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

// Every Policy enables these at multiPoint.
constexpr const char* kBase =
    "multiPoint: PrioritySort, DefaultPreemption, DefaultBinder, SchedulingGates, "
    "DynamicResources, NodeDeclaredFeatures, -*";

// Returns the lists without the plugins of every Policy.
std::string OwnLists(const crds::SchedulerProfileSpec& spec) {
  std::string lists = ListsOf(spec);
  const std::string base = std::string("; ") + kBase;
  EXPECT_TRUE(lists.ends_with(base)) << lists;
  return lists.substr(0, lists.size() - std::min(base.size(), lists.size()));
}

struct PredicateCase {
  std::string predicate;  // an entry of the list
  std::string lists;      // "filter: ..." and the other points
  std::string finding;    // a line of the report
  std::string args = "";
};

// Filters are in the order of the old schedulers. NodeUnschedulable and TaintToleration are in
// every Policy.
const PredicateCase kPredicates[] = {
    {"{name: PodFitsHostPorts}",
     "preFilter: NodeUnschedulable, NodePorts, TaintToleration; filter: NodeUnschedulable, "
     "NodePorts, TaintToleration",
     "exact        predicates[name=PodFitsHostPorts] -> NodePorts at preFilter, filter"},
    {"{name: PodFitsPorts}",
     "preFilter: NodeUnschedulable, NodePorts, TaintToleration; filter: NodeUnschedulable, "
     "NodePorts, TaintToleration",
     "exact        predicates[name=PodFitsPorts] -> NodePorts at preFilter, filter: an alias of "
     "PodFitsHostPorts"},
    {"{name: PodFitsResources}",
     "preFilter: NodeUnschedulable, NodeResourcesFit, TaintToleration; filter: "
     "NodeUnschedulable, NodeResourcesFit, TaintToleration",
     "approximate  predicates[name=PodFitsResources] -> NodeResourcesFit at preFilter, filter"},
    {"{name: HostName}",
     "preFilter: NodeUnschedulable, NodeName, TaintToleration; filter: NodeUnschedulable, "
     "NodeName, TaintToleration",
     "exact        predicates[name=HostName] -> NodeName at preFilter, filter"},
    {"{name: MatchNodeSelector}",
     "preFilter: NodeUnschedulable, NodeAffinity, TaintToleration; filter: NodeUnschedulable, "
     "NodeAffinity, TaintToleration",
     "exact        predicates[name=MatchNodeSelector] -> NodeAffinity at preFilter, filter"},
    {"{name: GeneralPredicates}",
     "preFilter: NodeUnschedulable, NodeResourcesFit, NodeName, NodePorts, NodeAffinity, "
     "TaintToleration; filter: NodeUnschedulable, NodeResourcesFit, NodeName, NodePorts, "
     "NodeAffinity, TaintToleration",
     "approximate  predicates[name=GeneralPredicates] -> NodeResourcesFit at preFilter, filter; "
     "NodeName at preFilter, filter; NodePorts at preFilter, filter; NodeAffinity at preFilter, "
     "filter"},
    {"{name: NoDiskConflict}",
     "preFilter: NodeUnschedulable, VolumeRestrictions, TaintToleration; filter: "
     "NodeUnschedulable, VolumeRestrictions, TaintToleration",
     "exact        predicates[name=NoDiskConflict] -> VolumeRestrictions at preFilter, filter: it "
     "also enforces ReadWriteOncePod, which did not exist then"},
    {"{name: PodToleratesNodeTaints}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration",
     "exact        predicates[name=PodToleratesNodeTaints] -> TaintToleration at preFilter, "
     "filter"},
    {"{name: CheckNodeUnschedulable}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration",
     "exact        predicates[name=CheckNodeUnschedulable] -> NodeUnschedulable at preFilter, "
     "filter"},
    {"{name: CheckVolumeBinding}",
     "preFilter: NodeUnschedulable, TaintToleration, VolumeBinding; filter: NodeUnschedulable, "
     "TaintToleration, VolumeBinding; reserve: VolumeBinding; preBind: VolumeBinding",
     "exact        predicates[name=CheckVolumeBinding] -> VolumeBinding at preFilter, filter, "
     "reserve, preBind"},
    {"{name: NoVolumeZoneConflict}",
     "preFilter: NodeUnschedulable, TaintToleration, VolumeZone; filter: NodeUnschedulable, "
     "TaintToleration, VolumeZone",
     "approximate  predicates[name=NoVolumeZoneConflict] -> VolumeZone at preFilter, filter"},
    {"{name: MaxCSIVolumeCountPred}",
     "preFilter: NodeUnschedulable, TaintToleration, NodeVolumeLimits; filter: "
     "NodeUnschedulable, TaintToleration, NodeVolumeLimits",
     "approximate  predicates[name=MaxCSIVolumeCountPred] -> NodeVolumeLimits at preFilter, "
     "filter"},
    {"{name: MaxEBSVolumeCount}",
     "preFilter: NodeUnschedulable, TaintToleration, NodeVolumeLimits; filter: "
     "NodeUnschedulable, TaintToleration, NodeVolumeLimits",
     "approximate  predicates[name=MaxEBSVolumeCount] -> NodeVolumeLimits at preFilter, filter: "
     "in-tree volumes count as volumes of their CSI driver, with the limit in the CSINode; "
     "KUBE_MAX_PD_VOLS is ignored"},
    {"{name: MaxGCEPDVolumeCount}",
     "preFilter: NodeUnschedulable, TaintToleration, NodeVolumeLimits; filter: "
     "NodeUnschedulable, TaintToleration, NodeVolumeLimits",
     "approximate  predicates[name=MaxGCEPDVolumeCount] -> NodeVolumeLimits at preFilter, "
     "filter: "},
    {"{name: MaxAzureDiskVolumeCount}",
     "preFilter: NodeUnschedulable, TaintToleration, NodeVolumeLimits; filter: "
     "NodeUnschedulable, TaintToleration, NodeVolumeLimits",
     "approximate  predicates[name=MaxAzureDiskVolumeCount] -> NodeVolumeLimits at preFilter, "
     "filter: "},
    {"{name: MaxCinderVolumeCount}",
     "preFilter: NodeUnschedulable, TaintToleration, NodeVolumeLimits; filter: "
     "NodeUnschedulable, TaintToleration, NodeVolumeLimits",
     "approximate  predicates[name=MaxCinderVolumeCount] -> NodeVolumeLimits at preFilter, "
     "filter: "},
    {"{name: EvenPodsSpread}",
     "preFilter: NodeUnschedulable, TaintToleration, PodTopologySpread; filter: "
     "NodeUnschedulable, TaintToleration, PodTopologySpread",
     "approximate  predicates[name=EvenPodsSpread] -> PodTopologySpread at preFilter, filter"},
    {"{name: MatchInterPodAffinity}",
     "preFilter: NodeUnschedulable, TaintToleration, InterPodAffinity; filter: "
     "NodeUnschedulable, TaintToleration, InterPodAffinity",
     "exact        predicates[name=MatchInterPodAffinity] -> InterPodAffinity at preFilter, "
     "filter"},
    {"{name: CheckNodeCondition}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration",
     "dropped      predicates[name=CheckNodeCondition]: node conditions are taints now"},
    {"{name: CheckNodeMemoryPressure}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration",
     "dropped      predicates[name=CheckNodeMemoryPressure]: node conditions are taints now"},
    {"{name: CheckNodeDiskPressure}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration",
     "dropped      predicates[name=CheckNodeDiskPressure]: node conditions are taints now"},
    {"{name: CheckNodePIDPressure}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration",
     "dropped      predicates[name=CheckNodePIDPressure]: node conditions are taints now"},
    {"{name: CheckNodeLabelPresence}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration, "
     "NodeLabel",
     "exact        predicates[name=CheckNodeLabelPresence] -> NodeLabel at filter"},
    {"{name: Mine, argument: {labelsPresence: {labels: [ssd, gpu], presence: true}}}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration, "
     "NodeLabel",
     "exact        predicates[name=Mine] -> NodeLabel at filter, presentLabels ssd, gpu",
     R"(NodeLabel {"presentLabels":["ssd","gpu"]})"},
    {"{name: Mine, argument: {labelsPresence: {labels: [retiring]}}}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration, "
     "NodeLabel",
     "exact        predicates[name=Mine] -> NodeLabel at filter, absentLabels retiring",
     R"(NodeLabel {"absentLabels":["retiring"]})"},
    {"{name: A, argument: {labelsPresence: {labels: [a], presence: true}}}, {name: B, argument: "
     "{labelsPresence: {labels: [b], presence: false}}}, {name: C, argument: {labelsPresence: "
     "{labels: [c], presence: true}}}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration, "
     "NodeLabel",
     "exact        predicates[name=C] -> NodeLabel at filter, presentLabels c",
     R"(NodeLabel {"absentLabels":["b"],"presentLabels":["a","c"]})"},
    {"{name: PodFitsResources, argument: {labelsPresence: {labels: [a], presence: true}}}",
     "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration, "
     "NodeLabel",
     "approximate  predicates[name=PodFitsResources] -> NodeLabel at filter, presentLabels a: "
     "kube-schedulers since 1.18 used the name and ignored the argument",
     R"(NodeLabel {"presentLabels":["a"]})"},
    {"{name: Rack, argument: {serviceAffinity: {labels: [rack, row]}}}",
     "preFilter: NodeUnschedulable, TaintToleration, ServiceAffinity; filter: NodeUnschedulable, "
     "TaintToleration, ServiceAffinity",
     "exact        predicates[name=Rack] -> ServiceAffinity at preFilter, filter, affinityLabels "
     "rack, row",
     R"(ServiceAffinity {"affinityLabels":["rack","row"]})"},
    {"{name: A, argument: {serviceAffinity: {labels: [rack]}}}, {name: B, argument: "
     "{serviceAffinity: {labels: [row]}}}",
     "preFilter: NodeUnschedulable, TaintToleration, ServiceAffinity; filter: NodeUnschedulable, "
     "TaintToleration, ServiceAffinity",
     "exact        predicates[name=B] -> ServiceAffinity at preFilter, filter, affinityLabels row",
     R"(ServiceAffinity {"affinityLabels":["rack","row"]})"},
    {"{name: CheckServiceAffinity}",
     "preFilter: NodeUnschedulable, TaintToleration, ServiceAffinity; filter: NodeUnschedulable, "
     "TaintToleration, ServiceAffinity",
     "exact        predicates[name=CheckServiceAffinity] -> ServiceAffinity at preFilter, filter"},
    // The order is that of the old schedulers, not of the Policy. Each plugin runs once.
    {"{name: MatchInterPodAffinity}, {name: NoDiskConflict}, {name: PodFitsResources}, {name: "
     "HostName}, {name: GeneralPredicates}",
     "preFilter: NodeUnschedulable, NodeResourcesFit, NodeName, NodePorts, NodeAffinity, "
     "VolumeRestrictions, TaintToleration, InterPodAffinity; filter: NodeUnschedulable, "
     "NodeResourcesFit, NodeName, NodePorts, NodeAffinity, VolumeRestrictions, TaintToleration, "
     "InterPodAffinity",
     "exact        predicates[name=HostName] -> NodeName at preFilter, filter"},
    {"{name: PodFitsResources}, {name: MatchNodeSelector}, {name: PodFitsHostPorts}, {name: "
     "HostName}",
     "preFilter: NodeUnschedulable, NodeName, NodePorts, NodeAffinity, NodeResourcesFit, "
     "TaintToleration; filter: NodeUnschedulable, NodeName, NodePorts, NodeAffinity, "
     "NodeResourcesFit, TaintToleration",
     "exact        predicates (mandatory)[name=PodToleratesNodeTaints] -> TaintToleration at "
     "preFilter, filter"},
    {"{name: MaxEBSVolumeCount}, {name: MaxCSIVolumeCountPred}, {name: MaxCinderVolumeCount}",
     "preFilter: NodeUnschedulable, TaintToleration, NodeVolumeLimits; filter: "
     "NodeUnschedulable, TaintToleration, NodeVolumeLimits",
     "exact        predicates (mandatory)[name=CheckNodeUnschedulable] -> NodeUnschedulable at "
     "preFilter, filter"},
};

TEST(Policy, TranslatesPredicates) {
  for (const PredicateCase& row : kPredicates) {
    SCOPED_TRACE(row.predicate);
    const Conversion conversion =
        ConversionOf(PolicyWith("predicates: [" + row.predicate + "], priorities: []"));
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(OwnLists(profile.spec), row.lists);
    EXPECT_EQ(ArgsIn(profile.spec), row.args);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

struct PriorityCase {
  std::string priorities;
  std::string lists;    // scoring lists
  std::string finding;  // a line of the report
  std::string args = "";
};

const PriorityCase kPriorities[] = {
    {"{name: LeastRequestedPriority, weight: 2}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=2",
     "exact        priorities[name=LeastRequestedPriority] -> NodeResourcesFit at preScore, score, "
     "weight 2, scoringStrategy LeastAllocated"},
    {"{name: MostRequestedPriority, weight: 1}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=1",
     "exact        priorities[name=MostRequestedPriority] -> NodeResourcesFit at preScore, score, "
     "weight 1, scoringStrategy MostAllocated",
     R"(NodeResourcesFit {"scoringStrategy":{"resources":[{"name":"cpu","weight":1},)"
     R"({"name":"memory","weight":1}],"type":"MostAllocated"}})"},
    {"{name: Fill, weight: 3, argument: {requestedToCapacityRatioArguments: {shape: [{utilization: "
     "0, score: 0}, {utilization: 100, score: 10}]}}}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=3",
     "exact        priorities[name=Fill] -> NodeResourcesFit at preScore, score, weight 3, "
     "scoringStrategy RequestedToCapacityRatio: its name has no meaning and is not kept",
     R"(NodeResourcesFit {"scoringStrategy":{"requestedToCapacityRatio":{"shape":[{"score":0,)"
     R"("utilization":0},{"score":10,"utilization":100}]},"resources":[{"name":"cpu","weight":1},)"
     R"({"name":"memory","weight":1}],"type":"RequestedToCapacityRatio"}})"},
    {"{name: RequestedToCapacityRatio, weight: 1, argument: {requestedToCapacityRatioArguments: "
     "{shape: [{utilization: 0, score: 10}], resources: [{name: cpu}, {name: example.com/gpu, "
     "weight: 5}]}}}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=1",
     "exact        priorities[name=RequestedToCapacityRatio] -> NodeResourcesFit at preScore, "
     "score, "
     "weight 1, scoringStrategy RequestedToCapacityRatio\n",
     R"(NodeResourcesFit {"scoringStrategy":{"requestedToCapacityRatio":{"shape":[{"score":10,)"
     R"("utilization":0}]},"resources":[{"name":"cpu","weight":1},{"name":"example.com/gpu",)"
     R"("weight":5}],"type":"RequestedToCapacityRatio"}})"},
    {"{name: BalancedResourceAllocation, weight: 1}",
     "preScore: NodeResourcesBalancedAllocation; score: NodeResourcesBalancedAllocation=1",
     "approximate  priorities[name=BalancedResourceAllocation] -> NodeResourcesBalancedAllocation "
     "at preScore, score, weight 1: the formula changed"},
    {"{name: SelectorSpreadPriority, weight: 4}",
     "preScore: SelectorSpread; score: SelectorSpread=4",
     "approximate  priorities[name=SelectorSpreadPriority] -> SelectorSpread at preScore, score, "
     "weight 4"},
    {"{name: ServiceSpreadingPriority, weight: 4}",
     "preScore: SelectorSpread; score: SelectorSpread=4",
     "approximate  priorities[name=ServiceSpreadingPriority] -> SelectorSpread at preScore, score, "
     "weight 4: kube-schedulers since 1.18 treated it as SelectorSpreadPriority"},
    {"{name: EvenPodsSpreadPriority, weight: 2}",
     "preScore: PodTopologySpread; score: PodTopologySpread=2",
     "approximate  priorities[name=EvenPodsSpreadPriority] -> PodTopologySpread at preScore, "
     "score, "
     "weight 2",
     R"(PodTopologySpread {"defaultingType":"List"})"},
    {"{name: InterPodAffinityPriority, weight: 1}",
     "preScore: InterPodAffinity; score: InterPodAffinity=1",
     "exact        priorities[name=InterPodAffinityPriority] -> InterPodAffinity at preScore, "
     "score, "
     "weight 1"},
    {"{name: NodeAffinityPriority, weight: 1}", "preScore: NodeAffinity; score: NodeAffinity=1",
     "exact        priorities[name=NodeAffinityPriority] -> NodeAffinity at preScore, score, "
     "weight "
     "1"},
    {"{name: TaintTolerationPriority, weight: 1}",
     "preScore: TaintToleration; score: TaintToleration=1",
     "exact        priorities[name=TaintTolerationPriority] -> TaintToleration at preScore, score, "
     "weight 1"},
    {"{name: ImageLocalityPriority, weight: 1}", "score: ImageLocality=1",
     "approximate  priorities[name=ImageLocalityPriority] -> ImageLocality at score, weight 1"},
    {"{name: NodePreferAvoidPodsPriority, weight: 10000}", "score: NodePreferAvoidPods=10000",
     "exact        priorities[name=NodePreferAvoidPodsPriority] -> NodePreferAvoidPods at score, "
     "weight 10000"},
    {"{name: EqualPriority, weight: 1}", "",
     "dropped      priorities[name=EqualPriority]: it gave all nodes the same score"},
    {"{name: ResourceLimitsPriority, weight: 1}", "",
     "dropped      priorities[name=ResourceLimitsPriority]: an alpha p"},
    {"{name: Ssd, weight: 2, argument: {labelPreference: {label: ssd, presence: true}}}",
     "score: NodeLabel=2", "exact        priorities[name=Ssd] -> NodeLabel at score, weight 2",
     R"(NodeLabel {"presentLabelsPreference":["ssd"]})"},
    {"{name: Old, weight: 2, argument: {labelPreference: {label: old}}}", "score: NodeLabel=2",
     "exact        priorities[name=Old] -> NodeLabel at score, weight 2",
     R"(NodeLabel {"absentLabelsPreference":["old"]})"},
    // All labels become one plugin, with the sum of their weights.
    {"{name: Ssd, weight: 2, argument: {labelPreference: {label: ssd, presence: true}}}, {name: "
     "Old, "
     "weight: 2, argument: {labelPreference: {label: old, presence: false}}}",
     "score: NodeLabel=4", "exact        priorities[name=Old] -> NodeLabel at score, weight 4",
     R"(NodeLabel {"absentLabelsPreference":["old"],"presentLabelsPreference":["ssd"]})"},
    {"{name: Rack, weight: 3, argument: {serviceAntiAffinity: {label: rack}}}",
     "score: ServiceAffinity=3",
     "exact        priorities[name=Rack] -> ServiceAffinity at score, weight 3",
     R"(ServiceAffinity {"antiAffinityLabelsPreference":["rack"]})"},
    {"{name: Rack, weight: 3, argument: {serviceAntiAffinity: {label: rack}}}, {name: Row, weight: "
     "3, argument: {serviceAntiAffinity: {label: row}}}",
     "score: ServiceAffinity=6",
     "exact        priorities[name=Row] -> ServiceAffinity at score, weight 6",
     R"(ServiceAffinity {"antiAffinityLabelsPreference":["rack","row"]})"},
    // For priorities of one name, or of an alias, the last one counts.
    {"{name: ServiceSpreadingPriority, weight: 7}, {name: SelectorSpreadPriority, weight: 2}",
     "preScore: SelectorSpread; score: SelectorSpread=2",
     "approximate  priorities[name=ServiceSpreadingPriority] -> SelectorSpread at preScore, score, "
     "weight 2: its plugin also results from priorities[name=SelectorSpreadPriority], and that "
     "weight is used"},
    {"{name: SelectorSpreadPriority, weight: 2}, {name: ServiceSpreadingPriority, weight: 7}",
     "preScore: SelectorSpread; score: SelectorSpread=7",
     "approximate  priorities[name=SelectorSpreadPriority] -> SelectorSpread at preScore, score, "
     "weight 7: its plugin also results from priorities[name=ServiceSpreadingPriority], and that "
     "weight is used"},
    {"{name: ImageLocalityPriority, weight: 7}, {name: ImageLocalityPriority, weight: 2}",
     "score: ImageLocality=2",
     "approximate  priorities[name=ImageLocalityPriority] -> ImageLocality at score, weight 2: of "
     "several entries with this name the last one counts, as before"},
    // An argument of a priority that needs none.
    {"{name: ImageLocalityPriority, weight: 2, argument: {labelPreference: {label: a}}}",
     "score: NodeLabel=2",
     "approximate  priorities[name=ImageLocalityPriority] -> NodeLabel at score, weight 2: "
     "kube-schedulers since 1.18 used the name and ignored the argument",
     R"(NodeLabel {"absentLabelsPreference":["a"]})"},
    // Only one scoring strategy is possible.
    {"{name: MostRequestedPriority, weight: 5}, {name: LeastRequestedPriority, weight: 1}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=4",
     "dropped      priorities[name=LeastRequestedPriority]: combined: a profile has only one "
     "scoring strategy of NodeResourcesFit, here that of priorities[name=MostRequestedPriority], "
     "with weight 4",
     R"(NodeResourcesFit {"scoringStrategy":{"resources":[{"name":"cpu","weight":1},)"
     R"({"name":"memory","weight":1}],"type":"MostAllocated"}})"},
    {"{name: MostRequestedPriority, weight: 5}, {name: LeastRequestedPriority, weight: 1}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=4",
     "approximate  priorities[name=MostRequestedPriority] -> NodeResourcesFit at preScore, score, "
     "weight 4, scoringStrategy MostAllocated: scored together with LeastRequestedPriority (weight "
     "1); their scores are opposite, so weight 4 remains\n",
     R"(NodeResourcesFit {"scoringStrategy":{"resources":[{"name":"cpu","weight":1},)"
     R"({"name":"memory","weight":1}],"type":"MostAllocated"}})"},
    {"{name: MostRequestedPriority, weight: 2}, {name: LeastRequestedPriority, weight: 3}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=1",
     "approximate  priorities[name=LeastRequestedPriority] -> NodeResourcesFit at preScore, score, "
     "weight 1, scoringStrategy LeastAllocated: "},
    {"{name: MostRequestedPriority, weight: 2}, {name: LeastRequestedPriority, weight: 2}", "",
     "approximate  priorities[name=MostRequestedPriority] -> no plugin at score: LeastAllocated "
     "and MostAllocated with equal weights have the same sum on each node"},
    {"{name: Fill, weight: 3, argument: {requestedToCapacityRatioArguments: {shape: [{utilization: "
     "0, score: 0}]}}}, {name: LeastRequestedPriority, weight: 1}",
     "preScore: NodeResourcesFit; score: NodeResourcesFit=3",
     "dropped      priorities[name=LeastRequestedPriority]: not expressible: a profile has only "
     "one "
     "scoring strategy of NodeResourcesFit, here that of priorities[name=Fill]\n",
     R"(NodeResourcesFit {"scoringStrategy":{"requestedToCapacityRatio":{"shape":[{"score":0,)"
     R"("utilization":0}]},"resources":[{"name":"cpu","weight":1},{"name":"memory","weight":1}],)"
     R"("type":"RequestedToCapacityRatio"}})"},
    // Plugins are sorted by priority name.
    {"{name: TaintTolerationPriority, weight: 1}, {name: BalancedResourceAllocation, weight: 1}, "
     "{name: NodeAffinityPriority, weight: 1}",
     "preScore: NodeResourcesBalancedAllocation, NodeAffinity, TaintToleration; score: "
     "NodeResourcesBalancedAllocation=1, NodeAffinity=1, TaintToleration=1",
     "exact        priorities[name=TaintTolerationPriority]"},
    {"{name: SelectorSpreadPriority, weight: 1}, {name: EvenPodsSpreadPriority, weight: 2}",
     "preScore: PodTopologySpread, SelectorSpread; score: PodTopologySpread=2, SelectorSpread=1",
     "approximate  priorities[name=SelectorSpreadPriority] -> SelectorSpread",
     R"(PodTopologySpread {"defaultingType":"List"})"},
    {"{name: ImageLocalityPriority, weight: 3000000000}", "score: ImageLocality=2147483647",
     "approximate  priorities[name=ImageLocalityPriority] -> ImageLocality at score, weight "
     "2147483647: this is the maximum weight"},
    {"{name: A, weight: 2000000000, argument: {labelPreference: {label: a}}}, {name: B, weight: "
     "2000000000, argument: {labelPreference: {label: b}}}",
     "score: NodeLabel=2147483647",
     "approximate  priorities[name=A] -> NodeLabel at score, weight 2147483647: this is the "
     "maximum",
     R"(NodeLabel {"absentLabelsPreference":["a","b"]})"},
};

TEST(Policy, TranslatesPriorities) {
  const std::string filters =
      "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration";
  for (const PriorityCase& row : kPriorities) {
    SCOPED_TRACE(row.priorities);
    const Conversion conversion =
        ConversionOf(PolicyWith("predicates: [], priorities: [" + row.priorities + "]"));
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(OwnLists(profile.spec), filters + (row.lists.empty() ? "" : "; " + row.lists));
    EXPECT_EQ(ArgsIn(profile.spec), row.args);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

struct WholeCase {
  std::string members;
  std::string lists;
  std::string finding;
  std::string args = "";
};

constexpr const char* kDefaultFilters =
    "preFilter: NodeUnschedulable, NodeResourcesFit, NodeName, NodePorts, NodeAffinity, "
    "VolumeRestrictions, TaintToleration, NodeVolumeLimits, VolumeBinding, VolumeZone, "
    "PodTopologySpread, InterPodAffinity; filter: NodeUnschedulable, NodeResourcesFit, NodeName, "
    "NodePorts, NodeAffinity, VolumeRestrictions, TaintToleration, NodeVolumeLimits, "
    "VolumeBinding, VolumeZone, PodTopologySpread, InterPodAffinity";
constexpr const char* kDefaultScores =
    "; score: NodeResourcesBalancedAllocation=1, PodTopologySpread=2, ImageLocality=1, "
    "InterPodAffinity=1, NodeResourcesFit=1, NodeAffinity=1, NodePreferAvoidPods=10000, "
    "SelectorSpread=1, TaintToleration=1";
constexpr const char* kDefaultPreScores =
    "; preScore: NodeResourcesBalancedAllocation, PodTopologySpread, InterPodAffinity, "
    "NodeResourcesFit, NodeAffinity, SelectorSpread, TaintToleration";
constexpr const char* kBindingPoints = "; reserve: VolumeBinding; preBind: VolumeBinding";

TEST(Policy, DistinguishesAbsentFromEmptyLists) {
  const std::string filters =
      "preFilter: NodeUnschedulable, TaintToleration; filter: NodeUnschedulable, TaintToleration";
  const std::string spread = R"(PodTopologySpread {"defaultingType":"List"})";
  const WholeCase rows[] = {
      {"predicates: [], priorities: []", filters,
       "exact        priorities -> no plugin at score: an empty list disables scoring"},
      {"priorities: []", std::string(kDefaultFilters) + kBindingPoints,
       "approximate  predicates (default)[name=NoVolumeZoneConflict] -> VolumeZone"},
      {"predicates: null, priorities: []", std::string(kDefaultFilters) + kBindingPoints,
       "approximate  predicates (default)[name=MaxEBSVolumeCount]"},
      {"predicates: []", filters + kDefaultPreScores + kDefaultScores,
       "approximate  priorities (default)[name=EvenPodsSpreadPriority] -> PodTopologySpread at "
       "preScore, score, weight 2",
       spread},
      {"predicates: [], priorities: null", filters + kDefaultPreScores + kDefaultScores,
       "exact        priorities (default)[name=NodePreferAvoidPodsPriority] -> NodePreferAvoidPods "
       "at score, weight 10000",
       spread},
      {"priorities: null",
       std::string(kDefaultFilters) + kDefaultPreScores + kDefaultScores + kBindingPoints,
       "approximate  predicates (default)[name=GeneralPredicates]", spread},
  };
  for (const WholeCase& row : rows) {
    SCOPED_TRACE(row.members);
    const Conversion conversion = ConversionOf(PolicyWith(row.members));
    const crds::SchedulerProfile& profile = conversion.profiles[0].profile;
    EXPECT_EQ(OwnLists(profile.spec), row.lists);
    EXPECT_EQ(ArgsIn(profile.spec), row.args);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(profile), "");
  }
}

TEST(Policy, ReportsMandatoryAndNewerPlugins) {
  const std::string report = ReportOf(ConversionOf(PolicyWith("predicates: []")));
  EXPECT_THAT(report, HasSubstr("exact        (every Policy) -> PrioritySort\n"));
  EXPECT_THAT(report, HasSubstr("exact        (every Policy) -> DefaultPreemption\n"));
  EXPECT_THAT(report, HasSubstr("exact        (every Policy) -> DefaultBinder\n"));
  EXPECT_THAT(report, HasSubstr("approximate  (no Policy) -> SchedulingGates, DynamicResources, "
                                "NodeDeclaredFeatures: "));
  EXPECT_THAT(report, HasSubstr("dropped      apiVersion: the Policy's \"v1\" becomes"));
}

TEST(Policy, TranslatesOtherFields) {
  const std::string none = "predicates: [], priorities: [], ";
  const std::string affinity =
      "predicates: [], priorities: [{name: InterPodAffinityPriority, weight: 1}], ";
  const WholeCase rows[] = {
      {affinity + "hardPodAffinitySymmetricWeight: 10", "",
       "exact        hardPodAffinitySymmetricWeight -> InterPodAffinity's hardPodAffinityWeight 10",
       R"(InterPodAffinity {"hardPodAffinityWeight":10})"},
      {affinity + "hardPodAffinitySymmetricWeight: 0", "", "exact        priorities"},
      {none + "hardPodAffinitySymmetricWeight: 10", "",
       "dropped      hardPodAffinitySymmetricWeight: only InterPodAffinityPriority used it"},
      {none + "alwaysCheckAllPredicates: true", "",
       "dropped      alwaysCheckAllPredicates: not expressible: filters stop at the first"},
      {none + "alwaysCheckAllPredicates: false", "", "exact        priorities -> no plugin"},
      {none + "color: red", "", "dropped      color: unknown field"},
      {none + "extenders: [{urlPrefix: 'http://a/', color: red}]", "",
       "dropped      extenders[0].color: unknown field"},
  };
  for (const WholeCase& row : rows) {
    SCOPED_TRACE(row.members);
    const Conversion conversion = ConversionOf(PolicyWith(row.members));
    EXPECT_EQ(ArgsIn(conversion.profiles[0].profile.spec), row.args);
    EXPECT_THAT(ReportOf(conversion), HasSubstr(row.finding));
    EXPECT_EQ(ErrorsIn(conversion.profiles[0].profile), "");
  }
  EXPECT_THAT(ReportOf(ConversionOf(PolicyWith(none + "alwaysCheckAllPredicates: false"))),
              Not(HasSubstr("alwaysCheckAllPredicates")));
}

TEST(Policy, NamesTheProfileAfterTheFileOrTheNameOption) {
  const std::string policy = PolicyWith("predicates: []");
  const auto name = [&](const Options& options) {
    return ConversionOf(policy, options).profiles[0].profile.metadata.name;
  };
  EXPECT_EQ(name({.source = "/etc/My_Policy.json"}), "my-policy");
  EXPECT_EQ(name({.source = "policy"}), "policy");
  EXPECT_EQ(name({.source = "operator.json"}), "converted");
  EXPECT_EQ(name({.source = "a.json", .name = "b"}), "b");
  EXPECT_EQ(ConversionOf(policy, {.source = "a", .ns = "x"}).profiles[0].profile.spec.namespace_,
            "x");
}

}  // namespace
}  // namespace berth::convert
