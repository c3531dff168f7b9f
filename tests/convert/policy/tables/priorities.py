# SPDX-License-Identifier: Apache-2.0
"""Single priorities."""

from tables.objects import (
    HOSTNAME,
    PREFERRED,
    REQUIRED,
    ZONE,
    avoid,
    case,
    container,
    expression,
    likes,
    needs,
    node,
    pod,
    pods,
    policy,
    controller,
    service,
    spread,
    taint,
    term,
    weighted,
)

WEB = {"app": "web"}
ZONED = [node("a", zone="1"), node("b", zone="1"), node("c", zone="2"), node("d", zone="3")]


def _only(name: str, weight: int = 1, **more) -> dict:
    return policy([], {name: weight}, **more)


def _custom(argument: str, *entries: tuple, weight: int = 1) -> dict:
    """(name, key of the argument)."""
    return policy(
        [],
        [
            {"name": name, "weight": weight, "argument": {argument: holds}}
            for name, holds in entries
        ],
    )


def _resources() -> list:
    objects = {
        "nodes": [node("a"), node("b", cpu="8", memory="16Gi"), node("c", cpu="16", memory="8Gi")],
        "pods": [
            pod("x", on="a", cpu="1", memory="2Gi"),
            pod("y", on="b", cpu="6", memory="1Gi"),
            pod("z", on="c"),
        ],
    }
    full = {
        "nodes": [node("a", cpu="1"), node("b")],
        "pods": [*pods("a", 9, cpu="100m"), pod("x", on="b", cpu="3900m")],
    }
    init = pod(cpu="100m", initContainers=[container("3", "3Gi", image="init")])
    made = []
    for name in ("LeastRequestedPriority", "MostRequestedPriority"):
        made += [
            case(f"{name}: cpu and memory", _only(name), objects, pod(cpu="500m", memory="1Gi")),
            case(f"{name}: a pod that asks for nothing", _only(name), objects, pod()),
            case(
                f"{name}: two containers, one with requests",
                _only(name),
                objects,
                pod(containers=[container("2", "1Gi"), container(image="b")]),
            ),
            case(f"{name}: an init container", _only(name), objects, init),
            case(
                f"{name}: more than allocatable",
                _only(name),
                full,
                pod(containers=[container(), container(image="b")]),
            ),
        ]
    made.append(
        case(
            "BalancedResourceAllocation: weight 3",
            _only("BalancedResourceAllocation", 3),
            objects,
            pod(cpu="500m", memory="1Gi"),
            named="the formula changed",
            differs="choice",
        ),
    )
    uneven = {"nodes": [node("a"), node("b")], "pods": [pod("x", on="a", cpu="3")]}
    made.append(
        case(
            "BalancedResourceAllocation: the pod improves the balance",
            _only("BalancedResourceAllocation"),
            uneven,
            pod(cpu="100m", memory="2Gi"),
            named="the formula changed",
            differs="choice",
        ),
    )
    return made


def _ratio() -> list:
    def ratio(*points: tuple, resources: list | None = None) -> dict:
        shape = [{"utilization": utilization, "score": score} for utilization, score in points]
        holds: dict = {"shape": shape}
        if resources is not None:
            holds["resources"] = resources
        return _custom("requestedToCapacityRatioArguments", ("Packing", holds))

    objects = {
        "nodes": [node("a"), node("b", cpu="8", memory="16Gi"), node("c", cpu="3", memory="7Gi")],
        "pods": [pod("x", on="a", cpu="1", memory="2Gi"), pod("y", on="b", cpu="6", memory="1Gi")],
    }
    gpu = "example.com/gpu"
    gpus = {
        "nodes": [node("a", more={gpu: "4"}), node("b", more={gpu: "8"}), node("c", cpu="2")],
        "pods": [pod("x", on="a", containers=[container(**{gpu: "1"})])],
    }
    weights = [{"name": "cpu", "weight": 3}, {"name": "memory", "weight": 0}]
    by_gpu = [{"name": gpu, "weight": 5}, {"name": "cpu", "weight": 1}]
    return [
        case(
            "RequestedToCapacityRatio: packs",
            ratio((0, 0), (100, 10)),
            objects,
            pod(cpu="500m", memory="1Gi"),
        ),
        case(
            "RequestedToCapacityRatio: spreads",
            ratio((0, 10), (100, 0)),
            objects,
            pod(cpu="500m", memory="1Gi"),
        ),
        case(
            "RequestedToCapacityRatio: a broken line",
            ratio((0, 0), (50, 8), (90, 10)),
            objects,
            pod(cpu="700m"),
        ),
        case(
            "RequestedToCapacityRatio: best half full",
            ratio((10, 0), (50, 10), (90, 1)),
            objects,
            pod(cpu="1300m"),
        ),
        case(
            "RequestedToCapacityRatio: weights, 0 is 1",
            ratio((0, 0), (100, 10), resources=weights),
            objects,
            pod(cpu="500m", memory="1Gi"),
        ),
        case(
            "RequestedToCapacityRatio: an extended resource",
            ratio((0, 0), (100, 10), resources=by_gpu),
            gpus,
            pod(containers=[container("1", **{gpu: "2"})]),
        ),
        case(
            "RequestedToCapacityRatio: an extended resource without a request",
            ratio((0, 0), (100, 10), resources=by_gpu),
            gpus,
            pod(cpu="1"),
        ),
    ]


def _selector_spread() -> list:
    selects = {"services": [service("web", WEB)]}
    spread_out = [
        *pods("a", 2, labels=WEB),
        *pods("c", 1, labels=WEB),
        pod("other", on="b", labels={"app": "db"}),
    ]
    zoned = {"nodes": ZONED, "pods": spread_out, **selects}
    flat = {
        "nodes": [node(name) for name in "abc"],
        "pods": [*pods("a", 3, labels=WEB), *pods("b", 1, labels=WEB)],
        **selects,
    }
    half = {"nodes": [*ZONED[:1], ZONED[2], node("e")], "pods": spread_out[:3], **selects}
    owner = ("apps/v1", "ReplicaSet", "rs")
    owned = {
        "nodes": ZONED,
        "pods": spread_out,
        "replicaSets": [controller("rs", {"matchLabels": WEB})],
    }
    expressions = {"matchExpressions": [expression("app", "In", "web", "db")]}
    stateful = {"nodes": ZONED, "pods": spread_out, "statefulSets": [controller("s", expressions)]}
    replicated = {
        "nodes": ZONED,
        "pods": spread_out,
        "replicationControllers": [controller("rc", WEB)],
    }
    ending = {
        "nodes": ZONED,
        "pods": [*pods("a", 2, labels=WEB, is_ending=True), *pods("c", 1, labels=WEB)],
        **selects,
    }
    elsewhere = {"nodes": ZONED, "pods": pods("a", 2, labels=WEB, namespace="other"), **selects}
    two = {
        "nodes": ZONED,
        "pods": [*pods("a", 1, labels={**WEB, "tier": "1"}), *pods("b", 1, labels=WEB)],
        "services": [service("web", WEB), service("tier", {"tier": "1"})],
    }
    name = "SelectorSpreadPriority"
    return [
        case(f"{name}: nodes and zones", _only(name), zoned, pod(labels=WEB), named="up to 1.19"),
        case(f"{name}: nodes without zones", _only(name), flat, pod(labels=WEB)),
        case(f"{name}: a node without a zone among others", _only(name), half, pod(labels=WEB)),
        case(f"{name}: of a ReplicaSet", _only(name), owned, pod(labels=WEB, owner=owner)),
        case(
            f"{name}: of a StatefulSet, by an expression",
            _only(name),
            stateful,
            pod(labels=WEB, owner=("apps/v1", "StatefulSet", "s")),
        ),
        case(
            f"{name}: of a ReplicationController",
            _only(name),
            replicated,
            pod(labels=WEB, owner=("v1", "ReplicationController", "rc")),
        ),
        case(f"{name}: pods that are ending", _only(name), ending, pod(labels=WEB)),
        case(f"{name}: pods of another namespace", _only(name), elsewhere, pod(labels=WEB)),
        case(f"{name}: two Services", _only(name), two, pod(labels={**WEB, "tier": "1"})),
        case(
            f"{name}: no matching pods",
            _only(name),
            zoned,
            pod(labels={"app": "other"}),
        ),
        case(
            f"{name}: pod with own constraints",
            _only(name),
            zoned,
            pod(labels=WEB, topologySpreadConstraints=[spread(ZONE, 1, "ScheduleAnyway", WEB)]),
        ),
        case(
            "ServiceSpreadingPriority: alias",
            _only("ServiceSpreadingPriority", 2),
            zoned,
            pod(labels=WEB),
        ),
        case(
            "ServiceSpreadingPriority: Service without a selector",
            _only("ServiceSpreadingPriority"),
            {**zoned, "services": [service("web", None)]},
            pod(labels=WEB),
        ),
    ]


def _even_spread() -> list:
    name = "EvenPodsSpreadPriority"

    def spreading(*constraints: dict, **more) -> dict:
        return pod(labels=WEB, topologySpreadConstraints=list(constraints), **more)

    objects = {"nodes": ZONED, "pods": [*pods("a", 4, labels=WEB), *pods("c", 2, labels=WEB)]}
    by_zone = spread(ZONE, 1, "ScheduleAnyway", WEB)
    hidden = {"nodes": [*ZONED, node("e")], "pods": pods("a", 4, labels=WEB)}
    # With ln 6 for four nodes and ln 4 for two zones, a has 3.18 and b 2.77.
    near = {
        "nodes": [node("a", zone="1"), *[node(each, zone="2") for each in "bcd"]],
        "pods": [*pods("a", 1, labels=WEB), *pods("c", 2, labels=WEB)],
    }
    empty_selector = {
        "topologyKey": HOSTNAME,
        "maxSkew": 1,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {},
    }
    return [
        case(f"{name}: no pods yet", _only(name), {"nodes": ZONED}, spreading(by_zone)),
        case(
            f"{name}: pods in one zone",
            _only(name),
            {**objects, "pods": pods("a", 1, labels=WEB)},
            spreading(by_zone),
        ),
        case(f"{name}: a node without the label", _only(name), hidden, spreading(by_zone)),
        case(f"{name}: a pod without constraints", _only(name), objects, pod(labels=WEB)),
        case(
            f"{name}: required terms do not score",
            _only(name),
            objects,
            spreading(spread(ZONE, 9, "DoNotSchedule", WEB)),
        ),
        case(
            f"{name}: truncated or rounded sums",
            _only(name),
            near,
            spreading(spread(HOSTNAME, 1, "ScheduleAnyway", WEB), by_zone),
            named="are rounded instead of truncated",
            differs="choice",
        ),
        case(
            f"{name}: an empty selector",
            _only(name),
            near,
            spreading(empty_selector),
            named="an empty labelSelector counts no pods",
            differs="choice",
        ),
    ]


def _inter_pod() -> list:
    name = "InterPodAffinityPriority"
    db = {"app": "db"}
    objects = {
        "nodes": [*ZONED, node("e")],
        "pods": [*pods("a", 2, labels=db), pod("y", on="c", labels=WEB)],
    }
    near_db = {"podAffinity": {PREFERRED: [weighted(10, ZONE, db)]}}
    far = {"podAntiAffinity": {PREFERRED: [weighted(10, ZONE, db), weighted(5, ZONE, WEB)]}}
    needing = {"podAffinity": {REQUIRED: [term(ZONE, WEB)]}}
    hard = {
        "nodes": ZONED,
        "pods": [
            pod("x", on="a", labels=db, affinity=needing),
            pod(
                "y",
                on="c",
                labels=db,
                affinity={"podAffinity": {PREFERRED: [weighted(5, ZONE, WEB)]}},
            ),
        ],
    }
    wishing = {
        "nodes": ZONED,
        "pods": [
            pod("x", on="a", affinity={"podAffinity": {PREFERRED: [weighted(3, ZONE, WEB)]}}),
            pod("y", on="c", affinity={"podAntiAffinity": {PREFERRED: [weighted(8, ZONE, WEB)]}}),
        ],
    }
    return [
        case(f"{name}: near", _only(name), objects, pod(affinity=near_db)),
        case(f"{name}: apart", _only(name), objects, pod(affinity=far)),
        case(
            f"{name}: affinity and anti-affinity",
            _only(name),
            objects,
            pod(affinity={**near_db, **far}),
        ),
        case(f"{name}: preferences of other pods", _only(name), wishing, pod(labels=WEB)),
        case(f"{name}: no preferences", _only(name), objects, pod(labels=WEB)),
        case("hardPodAffinitySymmetricWeight: absent is 1", _only(name), hard, pod(labels=WEB)),
        case(
            "hardPodAffinitySymmetricWeight: 0 is 1",
            _only(name, hardPodAffinitySymmetricWeight=0),
            hard,
            pod(labels=WEB),
        ),
        case(
            "hardPodAffinitySymmetricWeight: 10",
            _only(name, hardPodAffinitySymmetricWeight=10),
            hard,
            pod(labels=WEB),
        ),
        case(
            "hardPodAffinitySymmetricWeight: 100, weight 2",
            _only(name, 2, hardPodAffinitySymmetricWeight=100),
            hard,
            pod(labels=WEB),
        ),
        case(
            "hardPodAffinitySymmetricWeight: without InterPodAffinityPriority",
            policy([], {"ImageLocalityPriority": 1}, hardPodAffinitySymmetricWeight=50),
            hard,
            pod(labels=WEB),
            named="only InterPodAffinityPriority used it",
        ),
    ]


def _node_properties() -> list:
    nodes = [
        node("a", labels={"disk": "ssd", "gen": "7"}),
        node("b", labels={"disk": "hdd", "gen": "9"}),
        node("c", labels={"disk": "ssd", "gen": "9"}),
        node("d"),
    ]
    objects = {"nodes": nodes}
    two = likes((3, expression("disk", "In", "ssd")), (5, expression("gen", "Gt", "8")))
    soft = [
        node("a", taints=[taint("x", "PreferNoSchedule")]),
        node(
            "b",
            taints=[
                taint("x", "PreferNoSchedule"),
                taint("y", "PreferNoSchedule"),
                taint("z", "PreferNoSchedule"),
            ],
        ),
        node("c"),
    ]
    tolerating = {"tolerations": [{"key": "x", "operator": "Exists"}]}
    images = {
        "nodes": [
            node("a", images={"app:v1": 300, "tool:latest": 40}),
            node("b", images={"app:v1": 300}),
            node("c", images={"huge:v1": 2000, "tool:latest": 40}),
            node("d"),
        ]
    }
    pulling = pod(containers=[container(image="app:v1"), container(image="tool")])
    prepared = pod(
        containers=[container(image="app:v1")],
        initContainers=[container(image="huge:v1")],
    )
    return [
        case(
            "NodeAffinityPriority: two preferences",
            _only("NodeAffinityPriority"),
            objects,
            pod(affinity=two),
        ),
        case(
            "NodeAffinityPriority: no preference matches",
            _only("NodeAffinityPriority"),
            objects,
            pod(affinity=likes((1, expression("disk", "In", "tape")))),
        ),
        case(
            "NodeAffinityPriority: pod without preferences",
            _only("NodeAffinityPriority", 4),
            objects,
            pod(),
        ),
        case(
            "NodeAffinityPriority: required terms do not score",
            _only("NodeAffinityPriority"),
            objects,
            pod(affinity=needs([expression("disk", "In", "ssd")])),
        ),
        case(
            "TaintTolerationPriority: number of taints",
            _only("TaintTolerationPriority"),
            {"nodes": soft},
            pod(),
        ),
        case(
            "TaintTolerationPriority: one tolerated taint",
            _only("TaintTolerationPriority"),
            {"nodes": soft},
            pod(**tolerating),
        ),
        case(
            "TaintTolerationPriority: toleration with another effect",
            _only("TaintTolerationPriority"),
            {"nodes": soft},
            pod(tolerations=[{"key": "x", "operator": "Exists", "effect": "NoSchedule"}]),
        ),
        case(
            "TaintTolerationPriority: all taints tolerated",
            _only("TaintTolerationPriority"),
            {"nodes": soft},
            pod(tolerations=[{"operator": "Exists"}]),
        ),
        case(
            "ImageLocalityPriority: on half of the nodes",
            _only("ImageLocalityPriority"),
            images,
            pulling,
        ),
        case(
            "ImageLocalityPriority: large image",
            _only("ImageLocalityPriority"),
            images,
            pod(containers=[container(image="huge:v1")]),
        ),
        case(
            "ImageLocalityPriority: on no node",
            _only("ImageLocalityPriority"),
            images,
            pod(containers=[container(image="new")]),
        ),
        case(
            "ImageLocalityPriority: small image",
            _only("ImageLocalityPriority"),
            images,
            pod(containers=[container(image="tool")]),
        ),
        case(
            "ImageLocalityPriority: the image of an init container",
            _only("ImageLocalityPriority"),
            images,
            prepared,
            named="images of init containers also count",
            differs="choice",
        ),
    ]


def _avoid_pods() -> list:
    objects = {
        "nodes": [
            node("a", annotations=avoid("ReplicaSet", "rs")),
            node("b", annotations=avoid("ReplicationController", "rs")),
            node("c", annotations={"scheduler.alpha.kubernetes.io/preferAvoidPods": "{broken"}),
        ]
    }
    name = "NodePreferAvoidPodsPriority"
    return [
        case(
            f"{name}: a ReplicaSet",
            _only(name, 10000),
            objects,
            pod(owner=("apps/v1", "ReplicaSet", "rs")),
        ),
        case(
            f"{name}: a ReplicationController",
            _only(name),
            objects,
            pod(owner=("v1", "ReplicationController", "rs")),
        ),
        case(
            f"{name}: another",
            _only(name),
            objects,
            pod(owner=("apps/v1", "ReplicaSet", "other")),
        ),
        case(
            f"{name}: a StatefulSet",
            _only(name),
            objects,
            pod(owner=("apps/v1", "StatefulSet", "rs")),
        ),
        case(f"{name}: a pod without a controller", _only(name), objects, pod()),
    ]


def _labels() -> list:
    nodes = [
        node("a", labels={"x": "1", "y": "1"}),
        node("b", labels={"x": "1"}),
        node("c", labels={"z": "1"}),
        node("d"),
    ]
    objects = {"nodes": nodes}

    def label(name: str, presence: bool) -> dict:
        return {"label": name, "presence": presence}

    one = ("X", label("x", True))
    return [
        case("labelPreference: present", _custom("labelPreference", one), objects, pod()),
        case(
            "labelPreference: absent",
            _custom("labelPreference", ("NoX", label("x", False))),
            objects,
            pod(),
        ),
        case(
            "labelPreference: two, weight 3",
            _custom("labelPreference", one, ("NoZ", label("z", False)), weight=3),
            objects,
            pod(),
        ),
        case(
            "labelPreference: three, truncated mean",
            _custom("labelPreference", one, ("Y", label("y", True)), ("NoZ", label("z", False))),
            objects,
            pod(),
        ),
        case(
            "labelPreference: named like a priority",
            _custom("labelPreference", ("ImageLocalityPriority", label("x", True))),
            objects,
            pod(),
            named="since 1.18 used the name",
            differs="choice",
        ),
    ]


def _service_anti_affinity() -> list:
    nodes = [
        node("a", labels={"rack": "1", "row": "1"}),
        node("b", labels={"rack": "1", "row": "2"}),
        node("c", labels={"rack": "2", "row": "1"}),
        node("d"),
    ]
    there = [
        *pods("a", 3, labels=WEB),
        *pods("b", 1, labels=WEB),
        *pods("c", 1, labels=WEB),
        *pods("d", 2, labels=WEB),
    ]
    objects = {"nodes": nodes, "pods": there, "services": [service("web", WEB)]}
    ending = {
        **objects,
        "pods": [*pods("a", 3, labels=WEB, is_ending=True), *pods("c", 1, labels=WEB)],
    }
    rack, row = ("Rack", {"label": "rack"}), ("Row", {"label": "row"})
    return [
        case(
            "serviceAntiAffinity: racks",
            _custom("serviceAntiAffinity", rack),
            objects,
            pod(labels=WEB),
        ),
        case(
            "serviceAntiAffinity: racks and rows, weight 2",
            _custom("serviceAntiAffinity", rack, row, weight=2),
            objects,
            pod(labels=WEB),
        ),
        case(
            "serviceAntiAffinity: first pod",
            _custom("serviceAntiAffinity", rack),
            {**objects, "pods": []},
            pod(labels=WEB),
        ),
        case(
            "serviceAntiAffinity: without a Service",
            _custom("serviceAntiAffinity", rack),
            {**objects, "services": []},
            pod(labels=WEB),
        ),
        case(
            "serviceAntiAffinity: terminating pods",
            _custom("serviceAntiAffinity", rack),
            ending,
            pod(labels=WEB),
        ),
        case(
            "serviceAntiAffinity: no node has the label",
            _custom("serviceAntiAffinity", ("Hall", {"label": "hall"})),
            objects,
            pod(labels=WEB),
        ),
    ]


def _nothing() -> list:
    objects = {
        "nodes": [node("a", labels={"x": "1"}), node("b")],
        "pods": [pod("x", on="a", cpu="3")],
    }
    named = "it gave all nodes the same score"
    return [
        case("EqualPriority: alone", _only("EqualPriority", 2), objects, pod(), named=named),
        case(
            "EqualPriority: with another priority",
            policy([], {"EqualPriority": 9, "LeastRequestedPriority": 1}),
            objects,
            pod(),
            named=named,
        ),
        case("priorities: an empty list", policy([], []), objects, pod()),
    ]


def cases() -> list:
    return [
        *_resources(),
        *_ratio(),
        *_selector_spread(),
        *_even_spread(),
        *_inter_pod(),
        *_node_properties(),
        *_avoid_pods(),
        *_labels(),
        *_service_anti_affinity(),
        *_nothing(),
    ]
