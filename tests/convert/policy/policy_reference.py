#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the decisions of old kube-schedulers with a Policy from their formulas.

    policy_reference.py write          writes cases/*.jsonl from tables/, with expected values
    policy_reference.py check          fails if stored and computed values differ
    policy_reference.py random SEED N  prints N random cases, one per line
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

from reference.decision import TENTHS, decide  # noqa: E402
from tables import mixtures, predicates, priorities, volumes  # noqa: E402
from tables.random_cases import random_cases  # noqa: E402

_CASES = Path(__file__).parent / "cases"
_TABLES = (mixtures, predicates, priorities, volumes)


def _answered(case: dict) -> dict:
    expect = decide(case)
    tenths = decide(case, TENTHS)["best"]
    # Schedulers up to 1.16 scored from 0 to 10, so some of the best nodes may lose there.
    if not set(expect["best"]) <= set(tenths):
        expect["bestByTenths"] = tenths
    return {**case, "expect": expect}


def _lines(cases: list) -> str:
    lines = [json.dumps(_answered(case), sort_keys=True, separators=(",", ":")) for case in cases]
    return "".join(line + "\n" for line in lines)


def _tables() -> dict:
    """Returns the text of each file. Case names are unique."""
    tables = {table.__name__.split(".")[-1]: table.cases() for table in _TABLES}
    names = [case["name"] for cases in tables.values() for case in cases]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"two cases of one name: {twice}")
    return {_CASES / f"{name}.jsonl": _lines(cases) for name, cases in tables.items()}


def _check() -> int:
    status = 0
    wanted = _tables()
    for path in sorted({*wanted, *_CASES.glob("*")}):
        stored = path.read_text() if path.exists() else ""
        for ours, theirs in _differing(wanted.get(path, "").splitlines(), stored.splitlines()):
            print(f"{path.name}:\n  computed {ours}\n  stored   {theirs}", file=sys.stderr)
            status = 1
    return status


def _differing(ours: list, theirs: list) -> list:
    length = max(len(ours), len(theirs))
    padded = [lines + ["nothing"] * (length - len(lines)) for lines in (ours, theirs)]
    return [pair for pair in zip(*padded, strict=True) if pair[0] != pair[1]]


def main(arguments: list) -> int:
    match arguments:
        case ["write"]:
            for path, text in _tables().items():
                path.write_text(text)
            return 0
        case ["check"]:
            return _check()
        case ["random", seed, count]:
            sys.stdout.write(_lines(random_cases(int(seed), int(count))))
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
