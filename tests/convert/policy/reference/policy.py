# SPDX-License-Identifier: Apache-2.0
"""The predicates and priorities of a Policy. Source: pkg/scheduler/factory.go, createFromPolicy, and
pkg/scheduler/framework/plugins/legacy_registry.go at v1.22."""

from dataclasses import dataclass, field

_MANDATORY = ("PodToleratesNodeTaints", "CheckNodeUnschedulable")

_DEFAULT_PREDICATES = (
    "NoVolumeZoneConflict",
    "MaxEBSVolumeCount",
    "MaxGCEPDVolumeCount",
    "MaxAzureDiskVolumeCount",
    "MaxCSIVolumeCountPred",
    "MatchInterPodAffinity",
    "NoDiskConflict",
    "GeneralPredicates",
    "CheckVolumeBinding",
    "EvenPodsSpread",
)

_DEFAULT_PRIORITIES = {
    "SelectorSpreadPriority": 1,
    "InterPodAffinityPriority": 1,
    "LeastRequestedPriority": 1,
    "BalancedResourceAllocation": 1,
    "NodePreferAvoidPodsPriority": 10000,
    "NodeAffinityPriority": 1,
    "TaintTolerationPriority": 1,
    "ImageLocalityPriority": 1,
    "EvenPodsSpreadPriority": 2,
}

_OTHER_PREDICATES = (
    "HostName",
    "PodFitsHostPorts",
    "PodFitsPorts",
    "MatchNodeSelector",
    "PodFitsResources",
    "CheckNodeLabelPresence",
    "CheckServiceAffinity",
    "MaxCinderVolumeCount",
    # Predicates up to 1.17; later versions use condition taints instead.
    "CheckNodeCondition",
    "CheckNodeDiskPressure",
    "CheckNodeMemoryPressure",
    "CheckNodePIDPressure",
)

_OTHER_PRIORITIES = (
    "MostRequestedPriority",
    "ServiceSpreadingPriority",
)

_OTHER_NAMES = {
    "PodFitsPorts": "PodFitsHostPorts",
    "ServiceSpreadingPriority": "SelectorSpreadPriority",
}


@dataclass
class Policy:
    predicates: set
    priorities: dict  # name: weight
    extenders: list
    present_labels: list = field(default_factory=list)
    absent_labels: list = field(default_factory=list)
    affinity_labels: list = field(default_factory=list)
    liked_present: list = field(default_factory=list)
    liked_absent: list = field(default_factory=list)
    spread_labels: list = field(default_factory=list)
    ratio: dict | None = None
    hard_weight: int = 1

    @property
    def ignored_resources(self) -> set:
        return {
            resource["name"]
            for extender in self.extenders
            for resource in extender.get("managedResources", [])
            if resource.get("ignoredByScheduler")
        }


def _predicate(policy: Policy, predicate: dict) -> str:
    name = _OTHER_NAMES.get(predicate["name"], predicate["name"])
    if name in {*_DEFAULT_PREDICATES, *_MANDATORY, *_OTHER_PREDICATES}:
        return name  # the argument is ignored
    argument = predicate["argument"]
    if "serviceAffinity" in argument:
        policy.affinity_labels += argument["serviceAffinity"]["labels"]
        return "CheckServiceAffinity"
    presence = argument["labelsPresence"]
    labels = policy.present_labels if presence.get("presence") else policy.absent_labels
    labels += presence["labels"]
    return "CheckNodeLabelPresence"


def _priority(policy: Policy, priority: dict) -> str:
    name = _OTHER_NAMES.get(priority["name"], priority["name"])
    if name in {*_DEFAULT_PRIORITIES, *_OTHER_PRIORITIES}:
        return name
    argument = priority["argument"]
    if "serviceAntiAffinity" in argument:
        policy.spread_labels.append(argument["serviceAntiAffinity"]["label"])
        return "ServiceAffinity"
    if "labelPreference" in argument:
        preference = argument["labelPreference"]
        labels = policy.liked_present if preference.get("presence") else policy.liked_absent
        labels.append(preference["label"])
        return "NodeLabel"
    policy.ratio = argument["requestedToCapacityRatioArguments"]
    return "RequestedToCapacityRatio"


def read(document: dict) -> Policy:
    """Null means the default list, an empty list means none. The last of equal names wins."""
    policy = Policy(set(), {}, document.get("extenders", []))
    if document.get("predicates") is None:
        policy.predicates.update(_DEFAULT_PREDICATES)
    else:
        policy.predicates.update(_predicate(policy, each) for each in document["predicates"])
    policy.predicates.update(_MANDATORY)
    if document.get("priorities") is None:
        policy.priorities.update(_DEFAULT_PRIORITIES)
    else:
        for priority in document["priorities"]:
            if priority["name"] != "EqualPriority":
                policy.priorities[_priority(policy, priority)] = priority["weight"]
    # One plugin scores all labels with the sum of their weights.
    for name, labels in (
        ("NodeLabel", policy.liked_present + policy.liked_absent),
        ("ServiceAffinity", policy.spread_labels),
    ):
        if name in policy.priorities:
            policy.priorities[name] *= len(labels)
    policy.hard_weight = document.get("hardPodAffinitySymmetricWeight") or 1
    return policy
