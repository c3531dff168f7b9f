# SPDX-License-Identifier: Apache-2.0
"""Writes the archive and returns a summary line."""

from pathlib import Path

from oci.archive import RunConfig, write_archive
from oci.bill import Bill
from oci.reference import Reference
from oci.tree import Tree


def write_image(out: Path, name: Reference, tree: Tree, run: RunConfig, epoch: int, bill: Bill | None) -> str:
    """Writes the archive and, beside it, the bill; returns the summary line."""
    digest = write_archive(out, name, tree, run, epoch)
    parts = [str(out), str(tree.platform), f"{out.stat().st_size / 2**20:.1f} MiB", f"digest {digest}"]
    parts.append(f"{sum(1 for _ in tree.files())} files")
    if bill:
        out.with_suffix(".spdx.json").write_bytes(bill.document)
        parts.append(f"{bill.packages} packages")
    return "image: " + ", ".join(parts)
