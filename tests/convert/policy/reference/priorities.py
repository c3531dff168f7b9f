# SPDX-License-Identifier: Apache-2.0
"""The priorities: scores of all feasible nodes, from 0 to `top`.

Source: pkg/scheduler/framework/plugins at v1.22, where priorities had become scores and `top` 100.
Up to 1.16 it was 10.
"""

import json
import math

from reference.cluster import Cluster, Node, controller_of, count_matching, namespace_of
from reference.interpod import inter_pod_affinity
from reference.policy import Policy
from reference.quantities import requests
from reference.selectors import matches_term, tolerates
from reference.spreading import even_pods_spread

_MIB = 1024 * 1024


def _by_highest(raw: dict, top: int, reverse: bool = False) -> dict:
    most = max(raw.values())
    if most == 0:
        return {name: top if reverse else 0 for name in raw}
    scores = {name: top * count // most for name, count in raw.items()}
    return {name: top - score for name, score in scores.items()} if reverse else scores


def _resources(pod: dict, node: Node, weights: dict, score_of, is_shape: bool = False) -> int:
    """The weighted mean over resources, from (requested including the pod, allocatable)."""
    wanted = requests(pod, counted=True)
    allocatable = node.allocatable
    total = weight_sum = 0
    for name, weight in weights.items():
        is_basic = name in ("cpu", "memory")
        if wanted.get(name, 0) == 0 and "/" in name:
            continue
        if not allocatable.get(name):
            continue
        used = node.requested(counted=is_basic).get(name, 0) + wanted.get(name, 0)
        score = score_of(used, allocatable[name])
        if is_shape and score <= 0:
            continue
        total += score * weight
        weight_sum += weight
    if weight_sum == 0:
        return 0
    return math.floor(total / weight_sum + 0.5) if is_shape else total // weight_sum


_CPU_AND_MEMORY = {"cpu": 1, "memory": 1}


def _least_requested(pod: dict, node: Node, top: int) -> int:
    def score(used: int, capacity: int) -> int:
        return 0 if used > capacity else (capacity - used) * top // capacity

    return _resources(pod, node, _CPU_AND_MEMORY, score)


def _most_requested(pod: dict, node: Node, top: int) -> int:
    return _resources(
        pod, node, _CPU_AND_MEMORY, lambda used, capacity: min(used, capacity) * top // capacity
    )


def _divided(a: int, b: int) -> int:
    """Division towards zero, like Go."""
    return abs(a) // b if a >= 0 else -(-a // b)


def _requested_to_capacity_ratio(pod: dict, node: Node, ratio: dict, top: int) -> int:
    points = [(point["utilization"], point["score"] * (top // 10)) for point in ratio["shape"]]

    def on_the_line(utilization: int) -> int:
        for i, (x, y) in enumerate(points):
            if utilization <= x:
                if i == 0:
                    return y
                x0, y0 = points[i - 1]
                return y0 + _divided((y - y0) * (utilization - x0), x - x0)
        return points[-1][1]

    def score(used: int, capacity: int) -> int:
        return on_the_line(100 if used > capacity else used * 100 // capacity)

    weights = {each["name"]: each.get("weight") or 1 for each in ratio.get("resources", [])}
    return _resources(pod, node, weights or _CPU_AND_MEMORY, score, is_shape=True)


def _balanced(pod: dict, node: Node, top: int) -> int:
    """How balanced CPU and memory usage is with the pod on the node."""
    wanted, used, allocatable = requests(pod), node.requested(), node.allocatable
    fractions = [
        min(1.0, (used.get(name, 0) + wanted.get(name, 0)) / allocatable[name])
        for name in _CPU_AND_MEMORY
        if allocatable.get(name)
    ]
    deviation = abs(fractions[0] - fractions[1]) / 2 if len(fractions) == 2 else 0.0
    return int((1 - deviation) * top)


def _selector_spread(pod: dict, nodes: list, cluster: Cluster, top: int) -> dict:
    if pod["spec"].get("topologySpreadConstraints"):
        return {node.name: 0 for node in nodes}
    selectors = cluster.companions_of(pod)
    counts = {
        node.name: count_matching(node.pods, namespace_of(pod), selectors) if selectors else 0
        for node in nodes
    }
    zones: dict = {}
    for node in nodes:
        if node.zone:
            zones[node.zone] = zones.get(node.zone, 0) + counts[node.name]

    def rest(count: int, most: int) -> float:
        return float(top) * ((most - count) / most) if most > 0 else float(top)

    two_thirds = 2.0 / 3.0

    def score(node: Node) -> int:
        share = rest(counts[node.name], max(counts.values()))
        if node.zone:
            of_zone = rest(zones[node.zone], max(zones.values()))
            share = (share * (1.0 - two_thirds)) + (two_thirds * of_zone)
        return int(share)

    return {node.name: score(node) for node in nodes}


def _node_affinity(pod: dict, node: Node) -> int:
    affinity = pod["spec"].get("affinity", {}).get("nodeAffinity", {})
    return sum(
        each["weight"]
        for each in affinity.get("preferredDuringSchedulingIgnoredDuringExecution", [])
        if matches_term(each["preference"], node.name, node.labels)
    )


def _intolerable(pod: dict, node: Node) -> int:
    return sum(
        taint["effect"] == "PreferNoSchedule"
        and not tolerates(pod["spec"].get("tolerations", []), taint)
        for taint in node.taints
    )


def _image_locality(pod: dict, node: Node, cluster: Cluster, top: int) -> int:
    def full_name(image: str) -> str:
        return image if image.rfind(":") > image.rfind("/") else image + ":latest"

    def size_on(there: Node, image: str) -> int | None:
        return next((each["sizeBytes"] for each in there.images if image in each["names"]), None)

    containers = pod["spec"]["containers"]
    total = 0
    for container in containers:
        image = full_name(container["image"])
        size = size_on(node, image)
        if size is not None:
            having = sum(size_on(there, image) is not None for there in cluster.nodes)
            total += int(float(size) * (having / len(cluster.nodes)))
    least, most = 23 * _MIB, 1000 * _MIB * len(containers)
    return top * (min(max(total, least), most) - least) // (most - least)


def _node_prefer_avoid_pods(pod: dict, node: Node, top: int) -> int:
    owner = controller_of(pod)
    text = node.spec["metadata"].get("annotations", {}).get(
        "scheduler.alpha.kubernetes.io/preferAvoidPods"
    )
    if owner is None or owner["kind"] not in ("ReplicationController", "ReplicaSet") or not text:
        return top
    try:
        entries = json.loads(text).get("preferAvoidPods", [])
    except json.JSONDecodeError:
        return top
    avoided = [entry["podSignature"]["podController"] for entry in entries]
    return 0 if any(
        (each["kind"], each["uid"]) == (owner["kind"], owner["uid"]) for each in avoided
    ) else top


def _node_label(node: Node, policy: Policy, top: int) -> int:
    present = sum(label in node.labels for label in policy.liked_present)
    absent = sum(label not in node.labels for label in policy.liked_absent)
    return top * (present + absent) // (len(policy.liked_present) + len(policy.liked_absent))


def _service_anti_affinity(
    pod: dict, nodes: list, cluster: Cluster, policy: Policy, top: int
) -> dict:
    services = cluster.services_of(pod)
    selector = services[0]["spec"]["selector"] if services else {}
    counts = {
        node.name: (
            count_matching(node.pods, namespace_of(pod), [{"matchLabels": selector}])
            if selector
            else 0
        )
        for node in nodes
    }
    total = sum(counts.values())
    shares = {node.name: 0.0 for node in nodes}
    for label in policy.spread_labels:
        sums: dict = {}
        for node in nodes:
            if label in node.labels:
                value = node.labels[label]
                sums[value] = sums.get(value, 0) + counts[node.name]
        for node in nodes:
            if label in node.labels:
                share = float(top)
                if total > 0:
                    share = float(top) * ((total - sums[node.labels[label]]) / total)
                shares[node.name] += share / len(policy.spread_labels)
    return {name: int(share) for name, share in shares.items()}


def scores(name: str, pod: dict, nodes: list, cluster: Cluster, policy: Policy, top: int) -> dict:
    def each(score_of) -> dict:
        return {node.name: score_of(node) for node in nodes}

    match name:
        case "LeastRequestedPriority":
            return each(lambda node: _least_requested(pod, node, top))
        case "MostRequestedPriority":
            return each(lambda node: _most_requested(pod, node, top))
        case "RequestedToCapacityRatio":
            return each(lambda node: _requested_to_capacity_ratio(pod, node, policy.ratio, top))
        case "BalancedResourceAllocation":
            return each(lambda node: _balanced(pod, node, top))
        case "SelectorSpreadPriority":
            return _selector_spread(pod, nodes, cluster, top)
        case "EvenPodsSpreadPriority":
            return even_pods_spread(pod, nodes, cluster, top)
        case "InterPodAffinityPriority":
            return inter_pod_affinity(pod, nodes, cluster, policy.hard_weight, top)
        case "NodeAffinityPriority":
            return _by_highest(each(lambda node: _node_affinity(pod, node)), top)
        case "TaintTolerationPriority":
            return _by_highest(each(lambda node: _intolerable(pod, node)), top, reverse=True)
        case "ImageLocalityPriority":
            return each(lambda node: _image_locality(pod, node, cluster, top))
        case "NodePreferAvoidPodsPriority":
            return each(lambda node: _node_prefer_avoid_pods(pod, node, top))
        case "NodeLabel":
            return each(lambda node: _node_label(node, policy, top))
        case "ServiceAffinity":
            return _service_anti_affinity(pod, nodes, cluster, policy, top)
    raise ValueError(f"priority {name!r}")
