# SPDX-License-Identifier: Apache-2.0
"""The volume predicates. Sources: pkg/scheduler/framework/plugins/volumerestrictions,
volumezone, nodevolumelimits and volumebinding at v1.22, with in-tree volumes not migrated."""

from reference.cluster import Cluster, Node, labels_of, namespace_of
from reference.quantities import amount
from reference.selectors import matches, matches_term

_ZONE_LABELS = (
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
)

# Predicate: the volume's source, its identity, the node's limit, and the default limit.
_IN_TREE = {
    "MaxEBSVolumeCount": ("awsElasticBlockStore", "volumeID", "attachable-volumes-aws-ebs", 39),
    "MaxGCEPDVolumeCount": ("gcePersistentDisk", "pdName", "attachable-volumes-gce-pd", 16),
    "MaxAzureDiskVolumeCount": ("azureDisk", "diskName", "attachable-volumes-azure-disk", 16),
    "MaxCinderVolumeCount": ("cinder", "volumeID", "attachable-volumes-cinder", 256),
}


def _volumes(pod: dict) -> list:
    return pod["spec"].get("volumes", [])


def _claims(pod: dict, cluster: Cluster) -> list:
    """The claims of a pod; None for a missing claim."""
    return [
        cluster.find("pvcs", volume["persistentVolumeClaim"]["claimName"], namespace_of(pod))
        for volume in _volumes(pod)
        if "persistentVolumeClaim" in volume
    ]


def _volume_of(claim: dict, cluster: Cluster) -> dict | None:
    name = claim["spec"].get("volumeName")
    return cluster.find("pvs", name) if name else None


def _class_of(claim: dict, cluster: Cluster) -> dict | None:
    name = claim["spec"].get("storageClassName")
    return cluster.find("storageClasses", name) if name else None


def _do_conflict(a: dict, b: dict) -> bool:
    def both(source: str) -> tuple | None:
        return (a[source], b[source]) if source in a and source in b else None

    def may_share(pair: tuple) -> bool:
        return all(each.get("readOnly", False) for each in pair)

    if pair := both("gcePersistentDisk"):
        if pair[0]["pdName"] == pair[1]["pdName"] and not may_share(pair):
            return True
    if pair := both("awsElasticBlockStore"):
        if pair[0]["volumeID"] == pair[1]["volumeID"]:
            return True
    if pair := both("iscsi"):
        if pair[0]["iqn"] == pair[1]["iqn"] and not may_share(pair):
            return True
    if pair := both("rbd"):
        same_image = all(
            pair[0].get(key, default) == pair[1].get(key, default)
            for key, default in (("pool", "rbd"), ("image", ""))
        )
        if set(pair[0]["monitors"]) & set(pair[1]["monitors"]) and same_image:
            return not may_share(pair)
    return False


def no_disk_conflict(pod: dict, node: Node, _: Cluster) -> bool:
    others = [volume for other in node.pods for volume in _volumes(other)]
    return not any(_do_conflict(mine, other) for mine in _volumes(pod) for other in others)


def no_volume_zone_conflict(pod: dict, node: Node, cluster: Cluster) -> bool:
    constraints = {key: node.labels[key] for key in _ZONE_LABELS if key in node.labels}
    if not constraints:
        return True
    for claim in _claims(pod, cluster):
        if claim is None:
            return False
        if not claim["spec"].get("volumeName"):
            storage_class = _class_of(claim, cluster)
            if storage_class and storage_class.get("volumeBindingMode") == "WaitForFirstConsumer":
                continue
            return False
        volume = _volume_of(claim, cluster)
        if volume is None:
            return False
        for key, values in labels_of(volume).items():
            zones = {value.strip() for value in values.split("__")}
            if key in _ZONE_LABELS and constraints.get(key, "") not in zones:
                return False
    return True


def _csi_volumes(pod: dict, cluster: Cluster) -> set:
    """(driver, identity of the volume)."""
    found = set()
    for claim in _claims(pod, cluster):
        if claim is None:
            continue
        volume = _volume_of(claim, cluster)
        storage_class = _class_of(claim, cluster)
        if volume is not None and "csi" in volume["spec"]:
            found.add((volume["spec"]["csi"]["driver"], volume["spec"]["csi"]["volumeHandle"]))
        elif volume is None and storage_class is not None:
            name = f"{namespace_of(claim)}/{claim['metadata']['name']}"
            found.add((storage_class["provisioner"], name))
    return found


def max_csi_volume_count(pod: dict, node: Node, cluster: Cluster) -> bool:
    csi_node = cluster.find("csiNodes", node.name)
    drivers = csi_node["spec"]["drivers"] if csi_node else []
    limits = {
        driver["name"]: driver["allocatable"]["count"]
        for driver in drivers
        if "count" in driver.get("allocatable", {})
    }
    attached = set().union(*(_csi_volumes(other, cluster) for other in node.pods))
    new = _csi_volumes(pod, cluster) - attached

    def count(volumes: set, driver: str) -> int:
        return sum(name == driver for name, _ in volumes)

    return all(
        count(attached, driver) + count(new, driver) <= limits[driver]
        for driver, _ in new
        if driver in limits
    )


def _in_tree_volumes(pod: dict, cluster: Cluster, source: str, key: str) -> set:
    bound = [_volume_of(claim, cluster) for claim in _claims(pod, cluster) if claim]
    sources = _volumes(pod) + [volume["spec"] for volume in bound if volume]
    return {each[source][key] for each in sources if source in each}


def max_in_tree_volume_count(predicate: str):
    source, key, limit_name, default = _IN_TREE[predicate]

    def fits(pod: dict, node: Node, cluster: Cluster) -> bool:
        attached = set().union(
            *(_in_tree_volumes(other, cluster, source, key) for other in node.pods)
        )
        new = _in_tree_volumes(pod, cluster, source, key) - attached
        return not new or len(attached) + len(new) <= node.allocatable.get(limit_name, default)

    return fits


def _is_bound(claim: dict) -> bool:
    completed = "pv.kubernetes.io/bind-completed"
    annotations = claim["metadata"].get("annotations", {})
    return bool(claim["spec"].get("volumeName")) and completed in annotations


def _can_reach(volume: dict, node: Node) -> bool:
    required = volume["spec"].get("nodeAffinity", {}).get("required")
    return required is None or any(
        matches_term(term, node.name, node.labels) for term in required["nodeSelectorTerms"]
    )


def _size(resources: dict) -> int:
    return amount("storage", resources["storage"])


def _volume_for(claim: dict, node: Node, cluster: Cluster, taken: set) -> str | None:
    """The smallest free volume that fits the claim on the node."""
    spec = claim["spec"]

    def does(volume: dict) -> bool:
        return (
            volume["metadata"]["name"] not in taken
            and "claimRef" not in volume["spec"]
            and volume.get("status", {}).get("phase") == "Available"
            and volume["spec"].get("storageClassName", "") == spec.get("storageClassName", "")
            and set(spec["accessModes"]) <= set(volume["spec"]["accessModes"])
            and _size(volume["spec"]["capacity"]) >= _size(spec["resources"]["requests"])
            and ("selector" not in spec or matches(spec["selector"], labels_of(volume)))
            and _can_reach(volume, node)
        )

    fitting = [volume for volume in cluster.objects.get("pvs", []) if does(volume)]
    if not fitting:
        return None
    return min(fitting, key=lambda volume: _size(volume["spec"]["capacity"]))["metadata"]["name"]


def _can_provision(claim: dict, node: Node, cluster: Cluster) -> bool:
    storage_class = _class_of(claim, cluster)
    if storage_class["provisioner"] in ("", "kubernetes.io/no-provisioner"):
        return False
    topologies = storage_class.get("allowedTopologies", [])
    return not topologies or any(
        all(
            node.labels.get(each["key"]) in each["values"]
            for each in term["matchLabelExpressions"]
        )
        for term in topologies
    )


def check_volume_binding(pod: dict, node: Node, cluster: Cluster) -> bool:
    waiting = []
    for claim in _claims(pod, cluster):
        if claim is None:
            return False
        if _is_bound(claim):
            volume = _volume_of(claim, cluster)
            if volume is None or not _can_reach(volume, node):
                return False
            continue
        storage_class = _class_of(claim, cluster)
        if storage_class is None:
            return False
        if storage_class.get("volumeBindingMode", "Immediate") != "WaitForFirstConsumer":
            return False
        waiting.append(claim)
    taken: set = set()
    for claim in sorted(waiting, key=lambda each: _size(each["spec"]["resources"]["requests"])):
        volume = _volume_for(claim, node, cluster, taken)
        if volume is not None:
            taken.add(volume)
        elif not _can_provision(claim, node, cluster):
            return False
    return True
