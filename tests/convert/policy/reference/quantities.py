# SPDX-License-Identifier: Apache-2.0
"""Quantities and the requests of pods."""

import math
from fractions import Fraction

_SUFFIXES = {
    "m": Fraction(1, 1000),
    "": Fraction(1),
    **{s: Fraction(1000**i) for i, s in enumerate(("k", "M", "G", "T", "P"), 1)},
    **{s: Fraction(1024**i) for i, s in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi"), 1)},
}

# Requests assumed in scores for a container without requests.
# Source: pkg/scheduler/util/non_zero.go.
_COUNTED_AS = {"cpu": 100, "memory": 200 * 1024 * 1024}


def amount(resource: str, quantity: str | int) -> int:
    """Thousandths of a CPU, whole units of other resources; rounded up."""
    text = str(quantity)
    number = text.rstrip("kMGTPim")
    value = Fraction(number) * _SUFFIXES[text[len(number) :]]
    return math.ceil(value * 1000 if resource == "cpu" else value)


def amounts(quantities: dict) -> dict:
    return {name: amount(name, quantity) for name, quantity in quantities.items()}


def _of_container(container: dict, counted: bool) -> dict:
    named = amounts(container.get("resources", {}).get("requests", {}))
    return {**_COUNTED_AS, **named} if counted else named


def _add(a: dict, b: dict) -> dict:
    return {name: a.get(name, 0) + b.get(name, 0) for name in {*a, *b}}


def requests(pod: dict, counted: bool = False) -> dict:
    """The maximum of all containers together and each init container, plus overhead.

    With `counted`, as scores count it: no container asks for nothing.
    Source: pkg/scheduler/framework/plugins/noderesources/fit.go, computePodResourceRequest.
    """
    spec = pod["spec"]
    total: dict = {}
    for container in spec.get("containers", []):
        total = _add(total, _of_container(container, counted))
    for container in spec.get("initContainers", []):
        for name, asked in _of_container(container, counted).items():
            total[name] = max(total.get(name, 0), asked)
    return _add(total, amounts(spec.get("overhead", {})))
