# SPDX-License-Identifier: Apache-2.0
"""Label selectors, node selector terms, tolerations."""


def _matches_requirement(requirement: dict, labels: dict) -> bool:
    key, values = requirement["key"], requirement.get("values", [])
    match requirement["operator"]:
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return key not in labels or labels[key] not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case "Gt":
            return key in labels and int(labels[key]) > int(values[0])
        case "Lt":
            return key in labels and int(labels[key]) < int(values[0])
    raise ValueError(f"operator {requirement['operator']!r}")


def has_all(labels: dict, wanted: dict) -> bool:
    return all(labels.get(key) == value for key, value in wanted.items())


def matches(selector: dict | None, labels: dict) -> bool:
    """A label selector. None matches nothing, an empty one everything."""
    if selector is None:
        return False
    return has_all(labels, selector.get("matchLabels", {})) and all(
        _matches_requirement(requirement, labels)
        for requirement in selector.get("matchExpressions", [])
    )


def matches_term(term: dict, name: str, labels: dict) -> bool:
    """A term of a node selector; an empty term matches nothing."""
    expressions, fields = term.get("matchExpressions", []), term.get("matchFields", [])
    if not expressions and not fields:
        return False
    return all(_matches_requirement(each, labels) for each in expressions) and all(
        _matches_requirement(each, {"metadata.name": name}) for each in fields
    )


def admits_pod(pod: dict, name: str, labels: dict) -> bool:
    """spec.nodeSelector and the required node affinity; the terms are alternatives.

    Source: k8s.io/component-helpers/scheduling/corev1/nodeaffinity, GetRequiredNodeAffinity.
    """
    spec = pod["spec"]
    if not has_all(labels, spec.get("nodeSelector", {})):
        return False
    affinity = spec.get("affinity", {}).get("nodeAffinity", {})
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return True
    return any(matches_term(term, name, labels) for term in required["nodeSelectorTerms"])


def tolerates(tolerations: list, taint: dict) -> bool:
    def does(toleration: dict) -> bool:
        if toleration.get("effect") and toleration["effect"] != taint["effect"]:
            return False
        if toleration.get("key") and toleration["key"] != taint["key"]:
            return False
        if toleration.get("operator", "Equal") == "Exists":
            return True
        return bool(toleration.get("key")) and toleration.get("value", "") == taint.get("value", "")

    return any(does(toleration) for toleration in tolerations)
