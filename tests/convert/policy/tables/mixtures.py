# SPDX-License-Identifier: Apache-2.0
"""Several predicates and priorities together, default lists, and other Policy fields."""

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
    node,
    pod,
    pods,
    policy,
    port,
    service,
    spread,
    taint,
    term,
    weighted,
)

WEB = {"app": "web"}
NODES = [
    node("a", zone="1", labels={"disk": "ssd"}, images={"app:v1": 600}),
    node("b", zone="1", taints=[taint("soft", "PreferNoSchedule")]),
    node("c", zone="2", cpu="8", memory="16Gi"),
    node("d", zone="2", cpu="2", taints=[taint("hard")]),
    node("e", zone="3", unschedulable=True),
]
CLUSTER = {
    "nodes": NODES,
    "pods": [
        *pods("a", 2, labels=WEB, cpu="500m", memory="1Gi"),
        *pods("c", 1, labels=WEB, cpu="3", memory="2Gi"),
        pod("db", on="b", labels={"app": "db"}, cpu="1", memory="1Gi", ports=[port(80)]),
    ],
    "services": [service("web", WEB)],
}
BALANCED = {"named": "the formula changed", "differs": "scores"}


def _weights() -> list:
    web = pod(
        labels=WEB,
        cpu="500m",
        memory="512Mi",
        affinity=likes((5, expression("disk", "In", "ssd"))),
        containers=[container("500m", "512Mi", image="app:v1")],
    )
    resources = ["PodFitsResources", "MatchNodeSelector"]
    return [
        case(
            "weights: spreading versus packing",
            policy(resources, {"MostRequestedPriority": 1, "SelectorSpreadPriority": 2}),
            CLUSTER,
            web,
        ),
        case(
            "weights: packing versus spreading",
            policy(resources, {"MostRequestedPriority": 5, "SelectorSpreadPriority": 1}),
            CLUSTER,
            web,
        ),
        case(
            "weights: taint versus free resources",
            policy(resources, {"TaintTolerationPriority": 3, "LeastRequestedPriority": 1}),
            CLUSTER,
            web,
        ),
        case(
            "weights: image versus disk",
            policy(resources, {"ImageLocalityPriority": 2, "NodeAffinityPriority": 1}),
            CLUSTER,
            web,
        ),
        case(
            "weights: many priorities",
            policy(
                ["GeneralPredicates"],
                {
                    "LeastRequestedPriority": 2,
                    "NodeAffinityPriority": 3,
                    "TaintTolerationPriority": 4,
                    "ImageLocalityPriority": 5,
                    "SelectorSpreadPriority": 6,
                    "InterPodAffinityPriority": 7,
                },
            ),
            CLUSTER,
            web,
        ),
        case(
            "weights: last of equal names wins",
            policy(
                [],
                [
                    {"name": "LeastRequestedPriority", "weight": 50},
                    {"name": "SelectorSpreadPriority", "weight": 1},
                    {"name": "LeastRequestedPriority", "weight": 1},
                ],
            ),
            CLUSTER,
            web,
        ),
        case(
            "weights: last of two aliases wins",
            policy(
                [],
                [
                    {"name": "ServiceSpreadingPriority", "weight": 1},
                    {"name": "SelectorSpreadPriority", "weight": 30},
                    {"name": "MostRequestedPriority", "weight": 10},
                    {"name": "ServiceSpreadingPriority", "weight": 3},
                ],
            ),
            CLUSTER,
            web,
        ),
        case(
            "weights: alias first",
            policy(
                [],
                [
                    {"name": "ServiceSpreadingPriority", "weight": 30},
                    {"name": "MostRequestedPriority", "weight": 10},
                    {"name": "SelectorSpreadPriority", "weight": 2},
                ],
            ),
            CLUSTER,
            web,
        ),
        case(
            "weights: avoidance overrides all",
            policy([], {"NodePreferAvoidPodsPriority": 10000, "LeastRequestedPriority": 1}),
            CLUSTER,
            web,
        ),
        case(
            "weights: labels and racks",
            policy(
                [],
                [
                    {
                        "name": "Ssd",
                        "weight": 2,
                        "argument": {"labelPreference": {"label": "disk", "presence": True}},
                    },
                    {
                        "name": "Zones",
                        "weight": 3,
                        "argument": {"serviceAntiAffinity": {"label": ZONE}},
                    },
                    {"name": "LeastRequestedPriority", "weight": 1},
                ],
            ),
            CLUSTER,
            web,
        ),
    ]


def _defaults() -> list:
    tolerating = {"tolerations": [{"key": "hard", "operator": "Exists"}]}
    near_db = {"podAffinity": {PREFERRED: [weighted(100, ZONE, {"app": "db"})]}}
    apart = {"podAntiAffinity": {REQUIRED: [term(ZONE, WEB)]}}
    limits = {"named": "predicates (default)[name=MaxEBSVolumeCount]"}
    plain = {"LeastRequestedPriority": 1}
    return [
        case("default predicates: absent", policy(None, plain), CLUSTER, pod(cpu="1"), **limits),
        case(
            "default predicates: null",
            {**policy(None, plain), "predicates": None},
            CLUSTER,
            pod(cpu="3"),
            **limits,
        ),
        case(
            "default predicates: a toleration",
            policy(None, plain),
            CLUSTER,
            pod(cpu="1", **tolerating),
            **limits,
        ),
        case(
            "default predicates: a port",
            policy(None, plain),
            CLUSTER,
            pod(ports=[port(80)]),
            **limits,
        ),
        case(
            "default predicates: a selector",
            policy(None, plain),
            CLUSTER,
            pod(nodeSelector={"disk": "ssd"}),
            **limits,
        ),
        case(
            "default predicates: apart",
            policy(None, plain),
            CLUSTER,
            pod(labels=WEB, affinity=apart, **tolerating),
            **limits,
        ),
        case(
            "default predicates: spreading",
            policy(None, plain),
            CLUSTER,
            pod(labels=WEB, topologySpreadConstraints=[spread(ZONE, 1, "DoNotSchedule", WEB)]),
            **limits,
        ),
        case("default predicates: none fits", policy(None, plain), CLUSTER, pod(cpu="9"), **limits),
        case(
            "empty predicates: only the mandatory ones",
            policy([], plain),
            CLUSTER,
            pod(cpu="9", ports=[port(80)]),
        ),
        case(
            "default priorities: absent",
            policy([]),
            CLUSTER,
            pod(labels=WEB, cpu="500m", memory="512Mi"),
            **BALANCED,
        ),
        case(
            "default priorities: null",
            {**policy([]), "priorities": None},
            CLUSTER,
            pod(labels=WEB, cpu="100m", memory="100Mi", affinity=near_db),
            **BALANCED,
        ),
        case(
            "both lists are the default ones",
            policy(),
            CLUSTER,
            pod(labels=WEB, cpu="1", memory="1Gi"),
            **BALANCED,
        ),
        case(
            "both lists are the default ones, and an image",
            policy(),
            CLUSTER,
            pod(containers=[container("1", "1Gi", image="app:v1")]),
            **{**BALANCED, "differs": "choice"},
        ),
    ]


def _default_weights() -> list:
    """Two equal nodes, except that the preferred one is avoided or has pods."""
    preferring = likes((1, expression("disk", "In", "ssd")))
    avoiding = {
        "nodes": [
            node("a", labels={"disk": "ssd"}, annotations=avoid("ReplicaSet", "rs")),
            node("b"),
        ]
    }
    spread_out = {
        "nodes": [node("a", labels={"disk": "ssd"}), node("b")],
        "pods": [pod("x", on="a", labels=WEB), pod("y", on="b")],
    }
    owner = ("apps/v1", "ReplicaSet", "rs")
    constraint = spread(HOSTNAME, 1, "ScheduleAnyway", WEB)
    changed = {"named": "the formula changed"}
    return [
        case(
            "default priorities: avoidance weighs 10000",
            policy([]),
            avoiding,
            pod(owner=owner, affinity=preferring),
            **changed,
        ),
        case(
            "default priorities: spreading weighs 2",
            policy([]),
            spread_out,
            pod(labels=WEB, affinity=preferring, topologySpreadConstraints=[constraint]),
            **changed,
        ),
    ]


def _others() -> list:
    web = pod(labels=WEB, cpu="500m", memory="1Gi")
    one_strategy = "not expressible: a profile has only one scoring strategy of NodeResourcesFit"
    always = "alwaysCheckAllPredicates: not expressible"
    uneven = {
        "nodes": [node("a", cpu="4"), node("b", cpu="4", memory="32Gi")],
        "pods": [pod("x", on="a", cpu="2", memory="1Gi")],
    }
    ratio = {
        "requestedToCapacityRatioArguments": {
            "shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}],
        },
    }
    return [
        case(
            "alwaysCheckAllPredicates: some fit",
            policy(None, {"LeastRequestedPriority": 1}, alwaysCheckAllPredicates=True),
            CLUSTER,
            web,
            named=always,
        ),
        case(
            "alwaysCheckAllPredicates: none fits",
            policy(
                ["GeneralPredicates"],
                {"LeastRequestedPriority": 1},
                alwaysCheckAllPredicates=True,
            ),
            CLUSTER,
            pod(cpu="9"),
            named=always,
        ),
        case(
            "combined strategies: least and most",
            policy([], {"LeastRequestedPriority": 1, "MostRequestedPriority": 3}),
            uneven,
            web,
            named="combined: a profile has only one scoring strategy of NodeResourcesFit",
            differs="scores",
        ),
        case(
            "combined strategies: least and a ratio",
            policy(
                [],
                [
                    {"name": "LeastRequestedPriority", "weight": 1},
                    {"name": "Ratio", "weight": 2, "argument": ratio},
                ],
            ),
            uneven,
            web,
            named=one_strategy,
            differs="scores",
        ),
    ]


def _extenders() -> list:
    gpu, url = "example.com/gpu", "http://gpu.example/"
    nodes = [node("a", more={gpu: "1"}), node("b", more={gpu: "4"}), node("c")]
    objects = {
        "nodes": nodes,
        "pods": [pod("x", on="a", cpu="1", containers=[container("1", **{gpu: "1"})])],
    }
    wanting = pod(cpu="1", containers=[container("1", **{gpu: "1"})])

    def asking(**more) -> dict:
        return policy(
            ["PodFitsResources"],
            {"LeastRequestedPriority": 1},
            extenders=[{"urlPrefix": url, **more}],
        )

    managed = [{"name": gpu, "ignoredByScheduler": True}]
    seen = [{"name": gpu}]
    passes = {url: {"passes": ["a", "c"], "scores": {"a": 3, "c": 10}}}
    rejecting = {url: {"passes": [], "scores": {}}}
    other = "http://other.example/"
    two = {
        url: {"passes": ["a", "b"], "scores": {"a": 10, "b": 2}},
        other: {"passes": ["b", "c"], "scores": {"b": 1}},
    }
    return [
        case(
            "extender: filters",
            asking(filterVerb="filter"),
            objects,
            pod(cpu="1"),
            extenders=passes,
        ),
        case(
            "extender: scores",
            asking(prioritizeVerb="score", weight=5),
            objects,
            pod(cpu="1"),
            extenders=passes,
        ),
        case(
            "extender: filters and scores",
            asking(filterVerb="filter", prioritizeVerb="score", weight=1),
            objects,
            pod(cpu="1"),
            extenders=passes,
        ),
        case(
            "extender: rejects all nodes",
            asking(filterVerb="filter"),
            objects,
            pod(cpu="1"),
            extenders=rejecting,
        ),
        case(
            "extender: managed resource ignored by the scheduler",
            asking(filterVerb="filter", managedResources=managed),
            objects,
            wanting,
            extenders=passes,
        ),
        case(
            "extender: managed resource checked by the scheduler",
            asking(filterVerb="filter", managedResources=seen),
            objects,
            wanting,
            extenders={url: {"passes": ["a", "b"], "scores": {}}},
        ),
        case(
            "extender: pod without the managed resource",
            asking(filterVerb="filter", managedResources=managed),
            objects,
            pod(cpu="1"),
            extenders=rejecting,
        ),
        case(
            "extender: two extenders",
            policy(
                [],
                {"LeastRequestedPriority": 1},
                extenders=[
                    {
                        "urlPrefix": url,
                        "filterVerb": "filter",
                        "prioritizeVerb": "score",
                        "weight": 1,
                        "ignorable": True,
                    },
                    {
                        "urlPrefix": other,
                        "filterVerb": "filter",
                        "prioritizeVerb": "score",
                        "weight": 4,
                    },
                ],
            ),
            objects,
            pod(cpu="1"),
            extenders=two,
        ),
        case(
            "extender: without priorities",
            policy(
                [],
                [],
                extenders=[
                    {
                        "urlPrefix": url,
                        "filterVerb": "filter",
                        "prioritizeVerb": "score",
                        "weight": 2,
                    },
                ],
            ),
            objects,
            pod(),
            extenders=passes,
        ),
    ]


def cases() -> list:
    return [*_weights(), *_defaults(), *_default_weights(), *_others(), *_extenders()]
