# SPDX-License-Identifier: Apache-2.0
"""The predicates as functions of one node. Source: pkg/scheduler/framework/plugins at v1.22,
where predicates had become filters."""

from reference import volumes
from reference.cluster import Cluster, Node, labels_of, namespace_of
from reference.interpod import match_inter_pod_affinity
from reference.policy import Policy
from reference.quantities import requests
from reference.selectors import admits_pod, has_all, tolerates
from reference.spreading import even_pods_spread_predicate


def _pod_fits_resources(pod: dict, node: Node, policy: Policy) -> bool:
    allocatable = node.allocatable
    if len(node.pods) + 1 > allocatable.get("pods", 0):
        return False
    wanted = requests(pod)
    basic = ("cpu", "memory", "ephemeral-storage")
    scalar = [name for name in wanted if name not in basic]
    if not any(wanted.get(name) for name in basic) and not scalar:
        return True
    used = node.requested()
    # The basic resources are checked even if the pod requests none of them.
    return all(
        wanted.get(name, 0) <= allocatable.get(name, 0) - used.get(name, 0)
        for name in (*basic, *scalar)
        if name not in policy.ignored_resources
    )


def _host_ports(pod: dict) -> list:
    ports = [port for container in pod["spec"]["containers"] for port in container.get("ports", [])]
    return [
        (port.get("hostIP") or "0.0.0.0", port.get("protocol") or "TCP", port["hostPort"])
        for port in ports
        if port.get("hostPort", 0) > 0
    ]


def _pod_fits_host_ports(pod: dict, node: Node) -> bool:
    used = [port for other in node.pods for port in _host_ports(other)]

    def do_clash(a: tuple, b: tuple) -> bool:
        return a[1:] == b[1:] and (a[0] == b[0] or "0.0.0.0" in (a[0], b[0]))

    return not any(do_clash(mine, other) for mine in _host_ports(pod) for other in used)


def _host_name(pod: dict, node: Node) -> bool:
    return pod["spec"].get("nodeName", "") in ("", node.name)


def _check_node_unschedulable(pod: dict, node: Node) -> bool:
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    is_closed = node.spec.get("spec", {}).get("unschedulable", False)
    return not is_closed or tolerates(pod["spec"].get("tolerations", []), taint)


def _pod_tolerates_node_taints(pod: dict, node: Node) -> bool:
    tolerations = pod["spec"].get("tolerations", [])
    return all(
        taint["effect"] == "PreferNoSchedule" or tolerates(tolerations, taint)
        for taint in node.taints
    )


def _check_node_label_presence(node: Node, policy: Policy) -> bool:
    return all(label in node.labels for label in policy.present_labels) and not any(
        label in node.labels for label in policy.absent_labels
    )


def _check_service_affinity(pod: dict, node: Node, cluster: Cluster, policy: Policy) -> bool:
    """The node must match the labels of the first similar pod's node, unless the pod sets them."""
    chosen = pod["spec"].get("nodeSelector", {})
    wanted = {label: chosen[label] for label in policy.affinity_labels if label in chosen}
    if len(wanted) < len(policy.affinity_labels) and cluster.services_of(pod):
        for there in cluster.nodes:
            if any(
                namespace_of(other) == namespace_of(pod)
                and has_all(labels_of(other), labels_of(pod))
                for other in there.pods
            ):
                for label in policy.affinity_labels:
                    if label in there.labels:
                        wanted.setdefault(label, there.labels[label])
                break
    return has_all(node.labels, wanted)


def fits(name: str, pod: dict, node: Node, cluster: Cluster, policy: Policy) -> bool:
    def admits() -> bool:
        return admits_pod(pod, node.name, node.labels)

    match name:
        case "GeneralPredicates":
            return (
                _pod_fits_resources(pod, node, policy)
                and _host_name(pod, node)
                and _pod_fits_host_ports(pod, node)
                and admits()
            )
        case "PodFitsResources":
            return _pod_fits_resources(pod, node, policy)
        case "PodFitsHostPorts":
            return _pod_fits_host_ports(pod, node)
        case "HostName":
            return _host_name(pod, node)
        case "MatchNodeSelector":
            return admits()
        case "CheckNodeUnschedulable":
            return _check_node_unschedulable(pod, node)
        case "PodToleratesNodeTaints":
            return _pod_tolerates_node_taints(pod, node)
        case "CheckNodeLabelPresence":
            return _check_node_label_presence(node, policy)
        case "CheckServiceAffinity":
            return _check_service_affinity(pod, node, cluster, policy)
        case "EvenPodsSpread":
            return even_pods_spread_predicate(pod, node, cluster)
        case "MatchInterPodAffinity":
            return match_inter_pod_affinity(pod, node, cluster)
        case "NoDiskConflict":
            return volumes.no_disk_conflict(pod, node, cluster)
        case "NoVolumeZoneConflict":
            return volumes.no_volume_zone_conflict(pod, node, cluster)
        case "MaxCSIVolumeCountPred":
            return volumes.max_csi_volume_count(pod, node, cluster)
        case "CheckVolumeBinding":
            return volumes.check_volume_binding(pod, node, cluster)
        case (
            "CheckNodeCondition"
            | "CheckNodeDiskPressure"
            | "CheckNodeMemoryPressure"
            | "CheckNodePIDPressure"
        ):
            return True  # replaced by condition taints
    return volumes.max_in_tree_volume_count(name)(pod, node, cluster)
