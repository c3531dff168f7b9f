# SPDX-License-Identifier: Apache-2.0
"""Predicates on nodes and their pods."""

from tables.objects import (
    REQUIRED,
    ZONE,
    case,
    container,
    expression,
    needs,
    node,
    pod,
    policy,
    port,
    pods,
    service,
    spread,
    taint,
    term,
)


def _only(*predicates) -> dict:
    return policy(list(predicates), [])


THREE = [node("a"), node("b"), node("c")]
NAMED_FULL = "on a node that is overcommitted in it"


def _resources() -> list:
    full = {"nodes": THREE, "pods": [pod("x", on="a", cpu="3"), pod("y", on="b", memory="7Gi")]}
    gpu = {
        "nodes": [
            node("a", more={"example.com/gpu": "2"}),
            node("b", more={"example.com/gpu": "1"}),
            node("c"),
        ],
        "pods": [pod("x", on="a", containers=[container(**{"example.com/gpu": "1"})])],
    }
    small = {
        "nodes": [node("a", pods=1), node("b", pods=2)],
        "pods": [pod("x", on="a"), pod("y", on="b")],
    }
    shrunk = {"nodes": [node("a", cpu="1"), node("b")], "pods": [pod("x", on="a", cpu="2")]}
    init = pod(cpu="1", initContainers=[container("2500m", image="init")])
    return [
        case("PodFitsResources: too little cpu", _only("PodFitsResources"), full, pod(cpu="2")),
        case(
            "PodFitsResources: too little memory",
            _only("PodFitsResources"),
            full,
            pod(memory="2Gi"),
        ),
        case(
            "PodFitsResources: exactly enough",
            _only("PodFitsResources"),
            full,
            pod(cpu="1", memory="1Gi"),
        ),
        case("PodFitsResources: nothing asked for", _only("PodFitsResources"), full, pod()),
        case("PodFitsResources: too many pods", _only("PodFitsResources"), small, pod()),
        case(
            "PodFitsResources: extended resource",
            _only("PodFitsResources"),
            gpu,
            pod(containers=[container(**{"example.com/gpu": "1"})]),
        ),
        case(
            "PodFitsResources: two units of an extended resource",
            _only("PodFitsResources"),
            gpu,
            pod(containers=[container(**{"example.com/gpu": "2"})]),
        ),
        case(
            "PodFitsResources: largest request is of the init container",
            _only("PodFitsResources"),
            full,
            init,
        ),
        case(
            "PodFitsResources: containers add up",
            _only("PodFitsResources"),
            full,
            pod(containers=[container("600m"), container("600m", image="b")]),
        ),
        case("PodFitsResources: not asked, nothing read", _only("HostName"), full, pod(cpu="5")),
        case(
            "PodFitsResources: overcommitted node, pod requests that resource",
            _only("PodFitsResources"),
            shrunk,
            pod(cpu="1"),
        ),
        case(
            "PodFitsResources: overcommitted node, pod requests another resource",
            _only("PodFitsResources"),
            shrunk,
            pod(memory="1Gi"),
            named=NAMED_FULL,
            differs="choice",
        ),
        case(
            "GeneralPredicates: overcommitted node, pod requests another resource",
            _only("GeneralPredicates"),
            shrunk,
            pod(memory="1Gi"),
            named=NAMED_FULL,
            differs="choice",
        ),
    ]


def _ports() -> list:
    objects = {
        "nodes": [*THREE, node("d")],
        "pods": [
            pod("x", on="a", ports=[port(80)]),
            pod("y", on="b", ports=[port(80, "UDP")]),
            pod("z", on="c", ports=[port(80, ip="10.0.0.1")]),
        ],
    }
    return [
        case(
            "PodFitsHostPorts: port in use",
            _only("PodFitsHostPorts"),
            objects,
            pod(ports=[port(80)]),
        ),
        case(
            "PodFitsHostPorts: another protocol",
            _only("PodFitsHostPorts"),
            objects,
            pod(ports=[port(80, "UDP")]),
        ),
        case(
            "PodFitsHostPorts: another address",
            _only("PodFitsHostPorts"),
            objects,
            pod(ports=[port(80, ip="10.0.0.2")]),
        ),
        case("PodFitsPorts: the other name", _only("PodFitsPorts"), objects, pod(ports=[port(80)])),
        case(
            "PodFitsHostPorts: another port",
            _only("PodFitsHostPorts"),
            objects,
            pod(ports=[port(81)]),
        ),
    ]


def _choice_of_nodes() -> list:
    nodes = [
        node("a", labels={"disk": "ssd", "gen": "7"}),
        node("b", labels={"disk": "hdd", "gen": "9"}),
        node("c", labels={"gen": "8"}),
    ]
    objects = {"nodes": nodes}
    either = needs([expression("disk", "In", "ssd")], [expression("gen", "Gt", "8")])
    return [
        case(
            "HostName: node name of the pod",
            _only("HostName"),
            objects,
            pod(nodeName="b"),
        ),
        case("HostName: no node of that name", _only("HostName"), objects, pod(nodeName="z")),
        case(
            "MatchNodeSelector: nodeSelector",
            _only("MatchNodeSelector"),
            objects,
            pod(nodeSelector={"disk": "ssd"}),
        ),
        case(
            "MatchNodeSelector: nothing matches",
            _only("MatchNodeSelector"),
            objects,
            pod(nodeSelector={"disk": "tape"}),
        ),
        case(
            "MatchNodeSelector: terms are alternatives",
            _only("MatchNodeSelector"),
            objects,
            pod(affinity=either),
        ),
        case(
            "MatchNodeSelector: empty term",
            _only("MatchNodeSelector"),
            objects,
            pod(affinity=needs([], [expression("disk", "In", "hdd")])),
        ),
        case(
            "MatchNodeSelector: NotIn and DoesNotExist",
            _only("MatchNodeSelector"),
            objects,
            pod(
                affinity=needs(
                    [expression("disk", "NotIn", "hdd"), expression("missing", "DoesNotExist")],
                ),
            ),
        ),
        case(
            "MatchNodeSelector: nodeSelector and affinity",
            _only("MatchNodeSelector"),
            objects,
            pod(nodeSelector={"gen": "9"}, affinity=either),
        ),
        case(
            "MatchNodeSelector: disabled, so ignored",
            _only("PodFitsResources"),
            objects,
            pod(nodeSelector={"disk": "tape"}),
        ),
    ]


def _general() -> list:
    objects = {
        "nodes": [*[node(name, labels={"ok": "yes"}) for name in "abc"], node("d")],
        "pods": [pod("x", on="a", cpu="4"), pod("y", on="b", ports=[port(80)])],
    }
    asking = pod(cpu="1", ports=[port(80)], nodeSelector={"ok": "yes"})
    return [
        case(
            "GeneralPredicates: resources, ports and selector",
            _only("GeneralPredicates"),
            objects,
            asking,
        ),
        case(
            "GeneralPredicates: with HostName",
            _only("GeneralPredicates"),
            objects,
            pod(nodeName="b", cpu="1"),
        ),
        case(
            "GeneralPredicates: with its parts",
            _only("GeneralPredicates", "HostName", "PodFitsResources"),
            objects,
            asking,
        ),
    ]


def _mandatory() -> list:
    objects = {
        "nodes": [
            node("a", taints=[taint("gpu", value="yes")]),
            node("b", taints=[taint("soft", "PreferNoSchedule")]),
            node("c", unschedulable=True),
            node("d", taints=[taint("broken", "NoExecute")]),
            node("e", taints=[taint("node.kubernetes.io/memory-pressure")]),
        ]
    }

    def tolerating(**toleration) -> dict:
        return pod(tolerations=[toleration])

    closed = "node.kubernetes.io/unschedulable"
    return [
        case("mandatory: with an empty list", _only(), objects, pod()),
        case(
            "mandatory: a toleration by value",
            _only(),
            objects,
            tolerating(key="gpu", value="yes"),
        ),
        case(
            "mandatory: a toleration with another value",
            _only(),
            objects,
            tolerating(key="gpu", value="no"),
        ),
        case("mandatory: a toleration of all", _only(), objects, tolerating(operator="Exists")),
        case(
            "mandatory: a toleration with another effect",
            _only(),
            objects,
            tolerating(key="gpu", operator="Exists", effect="NoExecute"),
        ),
        case(
            "CheckNodeUnschedulable: tolerated as a taint",
            _only("CheckNodeUnschedulable"),
            objects,
            tolerating(key=closed, operator="Exists"),
        ),
        case(
            "CheckNodeUnschedulable: not tolerated",
            _only("CheckNodeUnschedulable"),
            objects,
            pod(),
        ),
        case(
            "PodToleratesNodeTaints: one of two taints",
            _only("PodToleratesNodeTaints"),
            {"nodes": [node("a", taints=[taint("x"), taint("y")]), node("b", taints=[taint("x")])]},
            tolerating(key="x", operator="Exists"),
        ),
        case(
            "PodToleratesNodeTaints: no node left",
            _only("PodToleratesNodeTaints"),
            {"nodes": [node("a", taints=[taint("x")])]},
            pod(),
        ),
        *[
            case(
                f"{name}: the condition is a taint, {how}",
                _only(name),
                objects,
                asking,
                named=f"predicates[name={name}]: node conditions are taints now",
            )
            for name in (
                "CheckNodeCondition",
                "CheckNodeMemoryPressure",
                "CheckNodeDiskPressure",
                "CheckNodePIDPressure",
            )
            for how, asking in (
                ("which is not tolerated", pod()),
                (
                    "which is tolerated",
                    tolerating(key="node.kubernetes.io/memory-pressure", operator="Exists"),
                ),
            )
        ],
    ]


def _labels() -> list:
    def presence(name: str, labels: list, presence: bool) -> dict:
        return {
            "name": name,
            "argument": {"labelsPresence": {"labels": labels, "presence": presence}},
        }

    objects = {
        "nodes": [
            node("a", labels={"rack": "1", "retiring": "soon"}),
            node("b", labels={"rack": "2"}),
            node("c", labels={"row": "1", "rack": ""}),
            node("d"),
        ]
    }
    named = "since 1.18 used the name"
    return [
        case("labelsPresence: present", _only(presence("Racked", ["rack"], True)), objects, pod()),
        case(
            "labelsPresence: all of several",
            _only(presence("Racked", ["rack", "row"], True)),
            objects,
            pod(),
        ),
        case(
            "labelsPresence: absent",
            _only(presence("Staying", ["retiring"], False)),
            objects,
            pod(),
        ),
        case(
            "labelsPresence: present and absent",
            _only(
                presence("Racked", ["rack"], True),
                presence("Staying", ["retiring", "row"], False),
            ),
            objects,
            pod(),
        ),
        case(
            "CheckNodeLabelPresence: without labels",
            _only("CheckNodeLabelPresence"),
            objects,
            pod(),
        ),
        case(
            "CheckNodeLabelPresence: name with an argument",
            _only(presence("CheckNodeLabelPresence", ["rack"], True)),
            objects,
            pod(),
            named=named,
            differs="choice",
        ),
        case(
            "PodFitsResources: name with an argument",
            _only(presence("PodFitsResources", ["rack"], True)),
            objects,
            pod(cpu="5"),
            named=named,
            differs="choice",
        ),
    ]


def _service_affinity() -> list:
    def by(name: str, *labels: str) -> dict:
        return {"name": name, "argument": {"serviceAffinity": {"labels": list(labels)}}}

    nodes = [
        node("a", labels={"rack": "1", "row": "1"}),
        node("b", labels={"rack": "1", "row": "2"}),
        node("c", labels={"rack": "2", "row": "1"}),
        node("d"),
    ]
    web = {"app": "web"}
    objects = {
        "nodes": nodes,
        "services": [service("web", web)],
        "pods": [pod("x", on="a", labels=web)],
    }
    elsewhere = {**objects, "pods": [pod("x", on="c", labels=web, namespace="other")]}
    unlabelled = {**objects, "pods": [pod("x", on="d", labels=web)]}
    two = {**objects, "pods": [pod("x", on="c", labels=web), pod("y", on="a", labels=web)]}
    ending = {**objects, "pods": [pod("x", on="c", labels=web, is_ending=True)]}
    lost = {
        **objects,
        "nodes": [nodes[3], *nodes[:3]],
        "pods": [pod("x", on="d", labels=web), pod("y", on="c", labels=web)],
    }
    rack = by("Rack", "rack")
    return [
        case("serviceAffinity: where the others are", _only(rack), objects, pod(labels=web)),
        case(
            "serviceAffinity: two labels",
            _only(by("Rack", "rack", "row")),
            objects,
            pod(labels=web),
        ),
        case(
            "serviceAffinity: two predicates",
            _only(rack, by("Row", "row")),
            objects,
            pod(labels=web),
        ),
        case(
            "serviceAffinity: first pod",
            _only(rack),
            {**objects, "pods": []},
            pod(labels=web),
        ),
        case(
            "serviceAffinity: without a Service",
            _only(rack),
            {**objects, "services": []},
            pod(labels=web),
        ),
        case(
            "serviceAffinity: nodeSelector of the pod has all labels",
            _only(rack),
            objects,
            pod(labels=web, nodeSelector={"rack": "2"}),
        ),
        case(
            "serviceAffinity: nodeSelector of the pod has one label",
            _only(by("Rack", "rack", "row")),
            objects,
            pod(labels=web, nodeSelector={"row": "2"}),
        ),
        case("serviceAffinity: pods of another namespace", _only(rack), elsewhere, pod(labels=web)),
        case("serviceAffinity: a node without the label", _only(rack), unlabelled, pod(labels=web)),
        case("serviceAffinity: the first of two that disagree", _only(rack), two, pod(labels=web)),
        case("serviceAffinity: a pod that is ending", _only(rack), ending, pod(labels=web)),
        case(
            "serviceAffinity: the first of two is on a node without the label",
            _only(rack),
            lost,
            pod(labels=web),
        ),
        case(
            "CheckServiceAffinity: without labels",
            _only("CheckServiceAffinity"),
            objects,
            pod(labels=web),
        ),
        case(
            "CheckServiceAffinity: name with an argument",
            _only(by("CheckServiceAffinity", "rack")),
            objects,
            pod(labels=web),
            named="since 1.18 used the name",
            differs="choice",
        ),
    ]


def _inter_pod() -> list:
    web, db = {"app": "web"}, {"app": "db"}
    nodes = [node("a", zone="1"), node("b", zone="1"), node("c", zone="2"), node("d")]

    def affinity(kind: str, *terms: dict) -> dict:
        return {kind: {REQUIRED: list(terms)}}

    keeping_out = pod("x", on="a", labels=db, affinity=affinity("podAntiAffinity", term(ZONE, web)))
    with_db = {"nodes": nodes, "pods": [pod("x", on="a", labels=db)]}
    with_both = {
        "nodes": nodes,
        "pods": [pod("x", on="a", labels=db), pod("y", on="c", labels={**db, **web})],
    }
    near_db = affinity("podAffinity", term(ZONE, db))
    both = _only("MatchInterPodAffinity")
    return [
        case("MatchInterPodAffinity: near", both, with_db, pod(affinity=near_db)),
        case(
            "MatchInterPodAffinity: first matching pod",
            both,
            {"nodes": nodes},
            pod(labels=db, affinity=near_db),
        ),
        case(
            "MatchInterPodAffinity: not the first matching pod",
            both,
            with_db,
            pod(labels=db, affinity=near_db),
        ),
        case("MatchInterPodAffinity: no such pod", both, {"nodes": nodes}, pod(affinity=near_db)),
        case(
            "MatchInterPodAffinity: pod that matches all terms",
            both,
            with_both,
            pod(affinity=affinity("podAffinity", term(ZONE, db), term(ZONE, web))),
        ),
        case(
            "MatchInterPodAffinity: anti-affinity",
            both,
            with_db,
            pod(affinity=affinity("podAntiAffinity", term(ZONE, db))),
        ),
        case(
            "MatchInterPodAffinity: anti-affinity of an existing pod",
            both,
            {"nodes": nodes, "pods": [keeping_out]},
            pod(labels=web),
        ),
        case(
            "MatchInterPodAffinity: anti-affinity of an existing pod, other namespace",
            both,
            {"nodes": nodes, "pods": [keeping_out]},
            pod(labels=web, namespace="other"),
        ),
        case(
            "MatchInterPodAffinity: named namespace",
            both,
            with_db,
            pod(
                namespace="other",
                affinity=affinity("podAffinity", term(ZONE, db, namespaces=["default"])),
            ),
        ),
        case(
            "MatchInterPodAffinity: disabled, so ignored",
            _only("HostName"),
            with_db,
            pod(affinity=affinity("podAntiAffinity", term(ZONE, db))),
        ),
    ]


def _spreading() -> list:
    web = {"app": "web"}
    nodes = [node("a", zone="1"), node("b", zone="1"), node("c", zone="2"), node("d")]

    def spreading(skew: int, **more) -> dict:
        return pod(
            labels=web,
            topologySpreadConstraints=[spread(ZONE, skew, "DoNotSchedule", web)],
            **more,
        )

    objects = {"nodes": nodes, "pods": [*pods("a", 2, labels=web), *pods("c", 1, labels=web)]}
    ending = {
        "nodes": nodes,
        "pods": [*pods("a", 2, labels=web, is_ending=True), *pods("c", 1, labels=web)],
    }
    zones = [
        node("a", zone="1", labels={"ok": "yes"}),
        node("b", zone="1"),
        node("c", zone="2", labels={"ok": "yes"}),
    ]
    both = _only("EvenPodsSpread")
    return [
        case("EvenPodsSpread: the fuller zone is full", both, objects, spreading(1)),
        case("EvenPodsSpread: a greater skew", both, objects, spreading(2)),
        case("EvenPodsSpread: pods that are ending", both, ending, spreading(1)),
        case(
            "EvenPodsSpread: preferred only",
            both,
            objects,
            pod(labels=web, topologySpreadConstraints=[spread(ZONE, 1, "ScheduleAnyway", web)]),
        ),
        case(
            "EvenPodsSpread: two constraints",
            both,
            objects,
            pod(
                labels=web,
                topologySpreadConstraints=[
                    spread(ZONE, 2, "DoNotSchedule", web),
                    spread("kubernetes.io/hostname", 1, "DoNotSchedule", web),
                ],
            ),
        ),
        case(
            "EvenPodsSpread: zones excluded by the selector",
            _only("EvenPodsSpread", "MatchNodeSelector"),
            {
                "nodes": [*zones[:1], zones[2], node("d", zone="3")],
                "pods": pods("a", 1, labels=web),
            },
            spreading(1, nodeSelector={"ok": "yes"}),
        ),
        case(
            "EvenPodsSpread: pods on nodes excluded by the selector",
            _only("EvenPodsSpread", "MatchNodeSelector"),
            {"nodes": zones, "pods": pods("b", 2, labels=web)},
            spreading(1, nodeSelector={"ok": "yes"}),
            named="no longer count",
            differs="choice",
        ),
        case(
            "EvenPodsSpread: an empty selector",
            both,
            objects,
            pod(
                labels=web,
                topologySpreadConstraints=[
                    {**spread(ZONE, 1, "DoNotSchedule", {}), "labelSelector": {}},
                ],
            ),
            named="an empty labelSelector counts no pods",
            differs="choice",
        ),
    ]


def cases() -> list:
    return [
        *_resources(),
        *_ports(),
        *_choice_of_nodes(),
        *_general(),
        *_mandatory(),
        *_labels(),
        *_service_affinity(),
        *_inter_pod(),
        *_spreading(),
    ]
