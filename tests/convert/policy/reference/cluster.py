# SPDX-License-Identifier: Apache-2.0
"""Nodes with their pods, and the other objects of a case."""

from dataclasses import dataclass, field

from reference.quantities import amounts, requests
from reference.selectors import has_all, matches

# The older label of each pair takes precedence.
_ZONE_LABELS = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")
_REGION_LABELS = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")


def labels_of(thing: dict) -> dict:
    return thing["metadata"].get("labels", {})


def namespace_of(thing: dict) -> str:
    return thing["metadata"].get("namespace", "default")


def is_ending(pod: dict) -> bool:
    return "deletionTimestamp" in pod["metadata"]


def controller_of(pod: dict) -> dict | None:
    owners = pod["metadata"].get("ownerReferences", [])
    return next((owner for owner in owners if owner.get("controller")), None)


def _total(pods: list, counted: bool) -> dict:
    total: dict = {}
    for pod in pods:
        for name, asked in requests(pod, counted).items():
            total[name] = total.get(name, 0) + asked
    return total


@dataclass
class Node:
    spec: dict
    pods: list = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.spec["metadata"]["name"]

    @property
    def labels(self) -> dict:
        return labels_of(self.spec)

    @property
    def taints(self) -> list:
        return self.spec.get("spec", {}).get("taints", [])

    @property
    def allocatable(self) -> dict:
        return amounts(self.spec.get("status", {}).get("allocatable", {}))

    @property
    def images(self) -> list:
        return self.spec.get("status", {}).get("images", [])

    def requested(self, counted: bool = False) -> dict:
        return _total(self.pods, counted)

    @property
    def zone(self) -> tuple[str, str] | None:
        """Region and zone; None without either. Source: component-helpers, GetZoneKey."""

        def first(names: tuple) -> str:
            return next((self.labels[name] for name in names if name in self.labels), "")

        key = (first(_REGION_LABELS), first(_ZONE_LABELS))
        return None if key == ("", "") else key


def _by_zones(nodes: list) -> list:
    """One node of each zone in turn. Source: pkg/scheduler/internal/cache/node_tree.go."""
    zones: dict = {}
    for node in nodes:
        zones.setdefault(node.zone, []).append(node)
    rows = max((len(members) for members in zones.values()), default=0)
    return [members[i] for i in range(rows) for members in zones.values() if i < len(members)]


class Cluster:
    def __init__(self, objects: dict) -> None:
        self.objects = objects
        by_name = {spec["metadata"]["name"]: Node(spec) for spec in objects.get("nodes", [])}
        for pod in objects.get("pods", []):
            by_name[pod["spec"]["nodeName"]].pods.append(pod)
        self.nodes: list[Node] = _by_zones(list(by_name.values()))

    def find(self, kind: str, name: str, namespace: str | None = None) -> dict | None:
        for thing in self.objects.get(kind, []):
            if thing["metadata"]["name"] != name:
                continue
            if namespace is None or namespace_of(thing) == namespace:
                return thing
        return None

    def services_of(self, pod: dict) -> list:
        """The Services that select the pod; one without a selector selects none."""
        return [
            service
            for service in self.objects.get("services", [])
            if namespace_of(service) == namespace_of(pod)
            and service["spec"].get("selector") is not None
            and has_all(labels_of(pod), service["spec"]["selector"])
        ]

    def companions_of(self, pod: dict) -> list | None:
        """Selectors that pods of the same owner as this pod all match; None: there is no owner.

        Source: pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector.
        """
        wanted: dict = {}
        for service in self.services_of(pod):
            wanted.update(service["spec"]["selector"])
        others: list = []
        owner = controller_of(pod)
        kinds = {
            ("v1", "ReplicationController"): "replicationControllers",
            ("apps/v1", "ReplicaSet"): "replicaSets",
            ("apps/v1", "StatefulSet"): "statefulSets",
        }
        kind = kinds.get((owner["apiVersion"], owner["kind"])) if owner else None
        found = self.find(kind, owner["name"], namespace_of(pod)) if kind else None
        if found is not None and kind == "replicationControllers":
            wanted.update(found["spec"].get("selector", {}))
        elif found is not None:
            others.append(found["spec"]["selector"])
        selectors = [{"matchLabels": wanted}] * bool(wanted) + others
        return selectors or None


def count_matching(pods: list, namespace: str, selectors: list) -> int:
    """Pods of the namespace that match all selectors, without terminating pods."""
    return sum(
        namespace_of(pod) == namespace
        and not is_ending(pod)
        and all(matches(selector, labels_of(pod)) for selector in selectors)
        for pod in pods
    )
