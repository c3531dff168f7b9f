# SPDX-License-Identifier: Apache-2.0
"""EvenPodsSpread, without default constraints.

Source: pkg/scheduler/framework/plugins/podtopologyspread at v1.22.
"""

import math

from reference.cluster import Cluster, Node, count_matching, labels_of, namespace_of
from reference.selectors import admits_pod, matches

_HOSTNAME = "kubernetes.io/hostname"


def _constraints(pod: dict, action: str) -> list:
    constraints = pod["spec"].get("topologySpreadConstraints", [])
    return [each for each in constraints if each["whenUnsatisfiable"] == action]


def _count(pod: dict, node: Node, constraint: dict) -> int:
    return count_matching(node.pods, namespace_of(pod), [constraint.get("labelSelector")])


def _has_keys(node: Node, constraints: list) -> bool:
    return all(each["topologyKey"] in node.labels for each in constraints)


def even_pods_spread_predicate(pod: dict, node: Node, cluster: Cluster) -> bool:
    constraints = _constraints(pod, "DoNotSchedule")
    if not _has_keys(node, constraints):
        return False
    members = [
        each
        for each in cluster.nodes
        if admits_pod(pod, each.name, each.labels) and _has_keys(each, constraints)
    ]
    for constraint in constraints:
        key = constraint["topologyKey"]
        counts = {each.labels[key]: 0 for each in members}
        # All pods of a counted domain, including those on nodes not eligible for the pod.
        for each in cluster.nodes:
            if each.labels.get(key) in counts:
                counts[each.labels[key]] += _count(pod, each, constraint)
        itself = matches(constraint.get("labelSelector"), labels_of(pod))
        least = min(counts.values(), default=2**31 - 1)
        if counts.get(node.labels[key], 0) + itself - least > constraint["maxSkew"]:
            return False
    return True


def even_pods_spread(pod: dict, nodes: list, cluster: Cluster, top: int) -> dict:
    constraints = _constraints(pod, "ScheduleAnyway")
    counted = [node for node in nodes if _has_keys(node, constraints)]
    members = [
        node
        for node in cluster.nodes
        if admits_pod(pod, node.name, node.labels) and _has_keys(node, constraints)
    ]

    def raw(node: Node) -> int:
        score = 0.0
        for constraint in constraints:
            key, value = constraint["topologyKey"], node.labels[constraint["topologyKey"]]
            if key == _HOSTNAME:
                size, near = len(counted), [node]
            else:
                size = len({each.labels[key] for each in counted})
                near = [each for each in members if each.labels[key] == value]
            pods = sum(_count(pod, each, constraint) for each in near)
            score += pods * math.log(size + 2) + (constraint["maxSkew"] - 1)
        return int(score)

    scores = {node.name: raw(node) for node in counted}
    most, least = max(scores.values(), default=0), min(scores.values(), default=0)

    def normal(name: str) -> int:
        if name not in scores:
            return 0
        return top if most == 0 else top * (most + least - scores[name]) // most

    return {node.name: normal(node.name) for node in nodes}
