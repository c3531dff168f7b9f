# SPDX-License-Identifier: Apache-2.0
"""Random clusters, pods and Policies.

They leave out what a report names as different: two strategies for resources,
BalancedResourceAllocation, sums of EvenPodsSpreadPriority, spreading beside a node selector, images
of init containers, nodes that promise more than they have.
"""

from random import Random

from reference.cluster import Cluster
from tables.objects import (
    HOSTNAME,
    PREFERRED,
    REQUIRED,
    ZONE,
    case,
    container,
    expression,
    likes,
    needs,
    node,
    pod,
    policy,
    port,
    controller,
    service,
    spread,
    taint,
    term,
    weighted,
)

_APPS = ("web", "db", "batch")
_IMAGES = {"app:v1": 300, "tool:latest": 60, "big:v2": 900}
_KEYS = (ZONE, HOSTNAME, "rack")
_PREDICATES = (
    "GeneralPredicates",
    "PodFitsResources",
    "PodFitsHostPorts",
    "MatchNodeSelector",
    "NoDiskConflict",
    "MatchInterPodAffinity",
    "EvenPodsSpread",
)
_PRIORITIES = (
    "SelectorSpreadPriority",
    "InterPodAffinityPriority",
    "NodePreferAvoidPodsPriority",
    "NodeAffinityPriority",
    "TaintTolerationPriority",
    "ImageLocalityPriority",
)
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "PreferNoSchedule", "NoExecute")


def _some(random: Random, things, chance: float = 0.4) -> list:
    return [thing for thing in things if random.random() < chance]


def _node(random: Random, name: str) -> dict:
    labels = {key: random.choice("12") for key in _some(random, ("rack", "disk", "gen"), 0.6)}
    return node(
        name,
        cpu=random.choice(("2", "3500m", "8")),
        memory=random.choice(("4Gi", "7777Mi", "16Gi")),
        pods=random.choice((4, 110, 110)),
        labels=labels,
        zone=random.choice(("1", "2", "3", None)),
        taints=[
            taint(key, random.choice(_EFFECTS), random.choice(("", "yes")))
            for key in _some(random, ("x", "y"), 0.25)
        ],
        images={image: _IMAGES[image] for image in _some(random, _IMAGES)},
        more={"example.com/gpu": "2"} if random.random() < 0.3 else {},
        unschedulable=random.random() < 0.1,
    )


def _near(random: Random) -> dict:
    """Pod affinity terms."""
    affinity = {}
    for kind in _some(random, ("podAffinity", "podAntiAffinity"), 0.3):
        app = {"app": random.choice(_APPS)}
        if random.random() < 0.3:
            affinity[kind] = {REQUIRED: [term(random.choice(_KEYS), app)]}
        else:
            affinity[kind] = {
                PREFERRED: [weighted(random.randint(1, 100), random.choice(_KEYS), app)],
            }
    return affinity


def _wishes(random: Random) -> dict:
    """Node affinity terms."""
    gen = expression("gen", random.choice(("In", "NotIn")), "1")
    disk = expression("disk", random.choice(("Exists", "DoesNotExist")))
    if random.random() < 0.3:
        return needs([gen], [disk])
    return likes((random.randint(1, 100), gen), (random.randint(1, 100), disk))


def _pod(random: Random, name: str, on: str | None = None) -> dict:
    images = random.sample(sorted(_IMAGES), random.randint(1, 2))
    gpu = {"example.com/gpu": "1"} if random.random() < 0.1 else {}
    spec: dict = {
        "containers": [
            container(
                random.choice((None, "100m", "700m", "1")),
                random.choice((None, "64Mi", "1Gi")),
                image=image,
                ports=[port(random.choice((80, 81)))] if random.random() < 0.15 else None,
                **gpu,
            )
            for image in images
        ]
    }
    affinity = _near(random)
    app = random.choice(_APPS)
    if on is None:
        spec["tolerations"] = [
            {"key": key, "operator": "Exists", **random.choice(({}, {"effect": "NoSchedule"}))}
            for key in _some(random, ("x", "y"))
        ]
        if random.random() < 0.3:
            action = random.choice(("DoNotSchedule", "ScheduleAnyway"))
            constraint = spread(random.choice(_KEYS), random.randint(1, 2), action, {"app": app})
            spec["topologySpreadConstraints"] = [constraint]
        elif random.random() < 0.5:
            affinity.update(_wishes(random))
    if affinity:
        spec["affinity"] = affinity
    if random.random() < 0.2:
        spec["volumes"] = [{"name": "v", "gcePersistentDisk": {"pdName": random.choice("12")}}]
    return pod(
        name,
        on=on,
        labels={"app": app},
        namespace=random.choice(("default", "default", "other")),
        owner=random.choice((None, ("apps/v1", "ReplicaSet", f"rs-{app}"))),
        is_ending=on is not None and random.random() < 0.1,
        **spec,
    )


def _has_room(there: dict, added: dict) -> bool:
    (one,) = Cluster({"nodes": [there], "pods": added["pods"]}).nodes
    used, most = one.requested(), one.allocatable
    return len(one.pods) <= most["pods"] and all(used[name] <= most.get(name, 0) for name in used)


def _objects(random: Random) -> dict:
    nodes = [_node(random, name) for name in "abcdefg"[: random.randint(2, 7)]]
    placed: list = []
    for i in range(random.randint(0, 14)):
        there = random.choice(nodes)
        name = there["metadata"]["name"]
        new = _pod(random, f"x{i}", on=name)
        here = [each for each in placed if each["spec"]["nodeName"] == name]
        if _has_room(there, {"pods": [*here, new]}):
            placed.append(new)
    return {
        "nodes": nodes,
        "pods": placed,
        "services": [service(app, {"app": app}) for app in _some(random, _APPS, 0.6)],
        "replicaSets": [controller(f"rs-{app}", {"matchLabels": {"app": app}}) for app in _APPS],
    }


def _custom_predicates(random: Random) -> list:
    presence = {"labels": ["disk"], "presence": random.random() < 0.5}
    entries = (
        {"name": "Disk", "argument": {"labelsPresence": presence}},
        {"name": "Rack", "argument": {"serviceAffinity": {"labels": ["rack"]}}},
    )
    return _some(random, entries, 0.15)


def _ratio(random: Random) -> dict:
    low, high = random.randint(0, 10), random.randint(0, 10)
    shape = [
        {"utilization": 0, "score": low},
        {"utilization": random.randint(40, 99), "score": high},
    ]
    holds: dict = {"shape": shape}
    if random.random() < 0.5:
        names = ("cpu", "memory", "example.com/gpu")
        holds["resources"] = [{"name": name, "weight": random.randint(0, 5)} for name in names]
    return {
        "name": "Ratio",
        "weight": random.randint(1, 9),
        "argument": {"requestedToCapacityRatioArguments": holds},
    }


def _priorities(random: Random) -> list:
    made = [{"name": name, "weight": random.randint(1, 9)} for name in _some(random, _PRIORITIES)]
    strategy = random.choice(("LeastRequestedPriority", "MostRequestedPriority", "ratio", None))
    if strategy == "ratio":
        made.append(_ratio(random))
    elif strategy:
        made.append({"name": strategy, "weight": random.randint(1, 9)})
    weight = random.randint(1, 9)
    for label in _some(random, ("disk", "gen", "rack"), 0.2):
        argument = {"labelPreference": {"label": label, "presence": random.random() < 0.5}}
        made.append({"name": f"Label-{label}", "weight": weight, "argument": argument})
    for label in _some(random, (ZONE, "rack"), 0.2):
        argument = {"serviceAntiAffinity": {"label": label}}
        made.append({"name": f"Apart-{label}", "weight": weight, "argument": argument})
    random.shuffle(made)
    return made


def _policy(random: Random) -> dict:
    asked = _some(random, _PREDICATES, 0.6) + _custom_predicates(random)
    more = {}
    if random.random() < 0.5:
        more["hardPodAffinitySymmetricWeight"] = random.randint(0, 100)
    return policy(random.choice((asked, asked, None)), _priorities(random), **more)


def random_cases(seed: int, count: int) -> list:
    random = Random(seed)
    return [
        case(f"random {seed}/{i}", _policy(random), _objects(random), _pod(random, "p"))
        for i in range(count)
    ]
