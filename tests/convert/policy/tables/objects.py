# SPDX-License-Identifier: Apache-2.0
"""Helpers that build the objects of cases."""

import json

ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
HOSTNAME = "kubernetes.io/hostname"
MIB = 1024 * 1024


def case(name: str, policy: dict, objects: dict, pod: dict, **more) -> dict:
    """`named`: expected text in the report. `differs`: in the "choice", or only in the "scores".
    `extenders`: by urlPrefix, the nodes that pass and their scores."""
    return {"name": name, "policy": policy, "objects": objects, "pod": pod, **more}


def policy(predicates: list | None = None, priorities=None, **more) -> dict:
    """A name is an entry without arguments; priorities may be a dict of weights."""
    document: dict = {"kind": "Policy", "apiVersion": "v1", **more}
    if predicates is not None:
        document["predicates"] = [
            {"name": each} if isinstance(each, str) else each for each in predicates
        ]
    if isinstance(priorities, dict):
        priorities = [{"name": name, "weight": weight} for name, weight in priorities.items()]
    if priorities is not None:
        document["priorities"] = priorities
    return document


def _labelled(labels: dict, zone: str | None) -> dict:
    return {**labels, **({ZONE: zone, REGION: "r"} if zone else {})}


def node(
    name: str,
    cpu="4",
    memory="8Gi",
    pods=110,
    labels: dict | None = None,
    zone: str | None = None,
    taints: list | None = None,
    images: dict | None = None,
    more: dict | None = None,
    annotations: dict | None = None,
    unschedulable: bool = False,
) -> dict:
    metadata: dict = {
        "name": name,
        "uid": f"node-{name}",
        "labels": {HOSTNAME: name, **_labelled(labels or {}, zone)},
    }
    if annotations:
        metadata["annotations"] = annotations
    made: dict = {"metadata": metadata}
    if taints:
        made["spec"] = {"taints": taints}
    if unschedulable:
        made.setdefault("spec", {})["unschedulable"] = True
    allocatable = {"cpu": cpu, "memory": memory, "pods": str(pods), **(more or {})}
    made["status"] = {"allocatable": allocatable}
    if images:
        made["status"]["images"] = [
            {"names": [image], "sizeBytes": mib * MIB} for image, mib in images.items()
        ]
    return made


def avoid(kind: str, name: str) -> dict:
    """Annotations of a node that avoids pods of this controller."""
    controller_of_them = {"apiVersion": "v1", "kind": kind, "name": name, "uid": f"uid-{name}"}
    entry = {"podSignature": {"podController": controller_of_them}}
    text = json.dumps({"preferAvoidPods": [entry]})
    return {"scheduler.alpha.kubernetes.io/preferAvoidPods": text}


def taint(key: str, effect: str = "NoSchedule", value: str = "") -> dict:
    return {"key": key, "effect": effect, **({"value": value} if value else {})}


def container(cpu=None, memory=None, image: str = "app", ports: list | None = None, **more) -> dict:
    wanted = {"cpu": cpu, "memory": memory, **more}
    made: dict = {"name": image.replace("/", "-").replace(":", "-"), "image": image}
    requests = {name: value for name, value in wanted.items() if value is not None}
    if requests:
        made["resources"] = {"requests": requests}
    if ports:
        made["ports"] = ports
    return made


def port(number: int, protocol: str | None = None, ip: str | None = None) -> dict:
    made: dict = {"containerPort": 80, "hostPort": number}
    if protocol:
        made["protocol"] = protocol
    if ip:
        made["hostIP"] = ip
    return made


def pod(
    name: str = "p",
    on: str | None = None,
    cpu=None,
    memory=None,
    labels: dict | None = None,
    namespace: str | None = None,
    owner: tuple | None = None,
    containers: list | None = None,
    ports: list | None = None,
    is_ending: bool = False,
    **spec,
) -> dict:
    metadata: dict = {"name": name, "uid": name, "namespace": namespace or "default"}
    if labels:
        metadata["labels"] = labels
    if owner:
        api_version, kind, owner_name = owner
        metadata["ownerReferences"] = [
            {
                "apiVersion": api_version,
                "kind": kind,
                "name": owner_name,
                "uid": f"uid-{owner_name}",
                "controller": True,
            }
        ]
    if is_ending:
        metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    made: dict = {"metadata": metadata, "spec": dict(spec)}
    made["spec"]["containers"] = containers or [container(cpu, memory, ports=ports)]
    if on:
        made["spec"]["nodeName"] = on
    return made


def pods(on: str, count: int, prefix: str | None = None, **more) -> list:
    return [pod(f"{prefix or on}-{i}", on=on, **more) for i in range(count)]


def service(name: str, selector: dict | None, namespace: str = "default") -> dict:
    spec = {} if selector is None else {"selector": selector}
    return {"metadata": {"name": name, "namespace": namespace, "uid": f"s-{name}"}, "spec": spec}


def controller(name: str, selector: dict) -> dict:
    """A ReplicaSet or StatefulSet; a ReplicationController if the selector is a map."""
    metadata = {"name": name, "namespace": "default", "uid": f"uid-{name}"}
    return {"metadata": metadata, "spec": {"selector": selector}}


def term(key: str, labels: dict, **more) -> dict:
    return {"topologyKey": key, "labelSelector": {"matchLabels": labels}, **more}


def weighted(weight: int, key: str, labels: dict) -> dict:
    return {"weight": weight, "podAffinityTerm": term(key, labels)}


def spread(key: str, skew: int, action: str, labels: dict) -> dict:
    return {
        "topologyKey": key,
        "maxSkew": skew,
        "whenUnsatisfiable": action,
        "labelSelector": {"matchLabels": labels},
    }


def expression(key: str, operator: str, *values: str) -> dict:
    made: dict = {"key": key, "operator": operator}
    if values:
        made["values"] = list(values)
    return made


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def likes(*terms: tuple) -> dict:
    """Preferred node affinity: (weight, expression...)."""
    return {
        "nodeAffinity": {
            PREFERRED: [
                {"weight": weight, "preference": {"matchExpressions": list(expressions)}}
                for weight, *expressions in terms
            ]
        }
    }


def needs(*terms: list) -> dict:
    """Required node affinity: lists of expressions; one list must match."""
    chosen = [{"matchExpressions": expressions} for expressions in terms]
    return {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": chosen}}}
