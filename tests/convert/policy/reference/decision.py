# SPDX-License-Identifier: Apache-2.0
"""The decision of a scheduler with a Policy about a pod."""

from reference.cluster import Cluster
from reference.policy import Policy, read
from reference.predicates import fits
from reference.priorities import scores
from reference.quantities import requests

# The maximum score since 1.17, and before.
HUNDREDTHS, TENTHS = 100, 10


def _asked(policy: Policy, pod: dict, answers: dict) -> list:
    """(extender, its responses) for the extenders of this pod; ignorable ones last."""
    wanted = requests(pod)
    hearing = [
        extender
        for extender in policy.extenders
        if not extender.get("managedResources")
        or any(each["name"] in wanted for each in extender["managedResources"])
    ]
    return [
        (extender, answers[extender["urlPrefix"]])
        for extender in sorted(hearing, key=lambda extender: extender.get("ignorable", False))
    ]


def decide(case: dict, top: int = HUNDREDTHS) -> dict:
    """feasible, total by node, and best: any of the best may be selected."""
    policy, pod, cluster = read(case["policy"]), case["pod"], Cluster(case["objects"])
    extenders = _asked(policy, pod, case.get("extenders", {}))
    nodes = [
        node
        for node in cluster.nodes
        if all(fits(name, pod, node, cluster, policy) for name in policy.predicates)
    ]
    for extender, answer in extenders:
        if extender.get("filterVerb"):
            nodes = [node for node in nodes if node.name in answer["passes"]]
    total = {node.name: 0 for node in nodes}
    if nodes:
        for name, weight in policy.priorities.items():
            given = scores(name, pod, nodes, cluster, policy, top)
            total = {node: sum + weight * given[node] for node, sum in total.items()}
    for extender, answer in extenders:
        if extender.get("prioritizeVerb"):
            unit = extender["weight"] * (top // 10)
            given = answer["scores"]
            total = {node: sum + unit * given.get(node, 0) for node, sum in total.items()}
    highest = max(total.values(), default=0)
    return {
        "feasible": sorted(total),
        "total": total,
        "best": sorted(name for name, score in total.items() if score == highest),
    }
