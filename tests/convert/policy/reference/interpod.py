# SPDX-License-Identifier: Apache-2.0
"""Affinity between pods. Source: pkg/scheduler/framework/plugins/interpodaffinity at v1.22."""

from reference.cluster import Cluster, Node, labels_of, namespace_of
from reference.selectors import matches

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def _terms(pod: dict, kind: str, strength: str) -> list:
    return pod["spec"].get("affinity", {}).get(kind, {}).get(strength, [])


def _selects(term: dict, owner: dict, other: dict) -> bool:
    """Whether the term of `owner` matches `other`."""
    namespaces = term.get("namespaces") or [namespace_of(owner)]
    selects = matches(term.get("labelSelector"), labels_of(other))
    return namespace_of(other) in namespaces and selects


def _has_affinity(pod: dict) -> bool:
    affinity = pod["spec"].get("affinity", {})
    return "podAffinity" in affinity or "podAntiAffinity" in affinity


def _domains(terms: list, owner: dict, cluster: Cluster) -> set:
    """(key, value) of the nodes with a pod that matches one of the terms."""
    return {
        (term["topologyKey"], node.labels[term["topologyKey"]])
        for term in terms
        for node in cluster.nodes
        for other in node.pods
        if term["topologyKey"] in node.labels and _selects(term, owner, other)
    }


def _satisfies_affinity(pod: dict, node: Node, cluster: Cluster) -> bool:
    terms = _terms(pod, "podAffinity", _REQUIRED)
    # A pod counts if all terms match it, and then once per term.
    found = {
        (term["topologyKey"], there.labels[term["topologyKey"]])
        for there in cluster.nodes
        for other in there.pods
        if all(_selects(each, pod, other) for each in terms)
        for term in terms
        if term["topologyKey"] in there.labels
    }
    keys = [term["topologyKey"] for term in terms]
    if not all(key in node.labels for key in keys):
        return False
    if all((key, node.labels[key]) in found for key in keys):
        return True
    # The first pod of a group with affinity to itself.
    return not found and all(_selects(term, pod, pod) for term in terms)


def _satisfies_anti_affinity(pod: dict, node: Node, cluster: Cluster) -> bool:
    terms = _terms(pod, "podAntiAffinity", _REQUIRED)
    return not _domains(terms, pod, cluster) & set(node.labels.items())


def _is_let_in(pod: dict, node: Node, cluster: Cluster) -> bool:
    """No existing pod has an anti-affinity term that matches this pod."""
    for there in cluster.nodes:
        for other in there.pods:
            for term in _terms(other, "podAntiAffinity", _REQUIRED):
                key = term["topologyKey"]
                is_near = key in there.labels and node.labels.get(key) == there.labels[key]
                if is_near and _selects(term, other, pod):
                    return False
    return True


def match_inter_pod_affinity(pod: dict, node: Node, cluster: Cluster) -> bool:
    return (
        _satisfies_affinity(pod, node, cluster)
        and _satisfies_anti_affinity(pod, node, cluster)
        and _is_let_in(pod, node, cluster)
    )


def inter_pod_affinity(
    pod: dict, nodes: list, cluster: Cluster, hard_weight: int, top: int
) -> dict:
    sums: dict = {}

    def add(term: dict, owner: dict, other: dict, there: Node, weight: int) -> None:
        key = term["topologyKey"]
        if key in there.labels and _selects(term, owner, other):
            place = (key, there.labels[key])
            sums[place] = sums.get(place, 0) + weight

    has_preferred = any(
        _terms(pod, kind, _PREFERRED) for kind in ("podAffinity", "podAntiAffinity")
    )
    for there in cluster.nodes:
        for other in there.pods:
            if not has_preferred and not _has_affinity(other):
                continue
            for kind, sign in (("podAffinity", 1), ("podAntiAffinity", -1)):
                for each in _terms(pod, kind, _PREFERRED):
                    add(each["podAffinityTerm"], pod, other, there, sign * each["weight"])
                for each in _terms(other, kind, _PREFERRED):
                    add(each["podAffinityTerm"], other, pod, there, sign * each["weight"])
            for term in _terms(other, "podAffinity", _REQUIRED):
                add(term, other, pod, there, hard_weight)
    if not sums:
        return {node.name: 0 for node in nodes}
    raw = {node.name: sum(sums.get(label, 0) for label in node.labels.items()) for node in nodes}
    least, most = min(raw.values()), max(raw.values())
    if most == least:
        return {name: 0 for name in raw}
    return {
        name: int(float(top) * ((score - least) / (most - least))) for name, score in raw.items()
    }
