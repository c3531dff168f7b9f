# SPDX-License-Identifier: Apache-2.0
"""The closing line."""

from pathlib import Path

from oci.tree import Tree


def summary(out: Path, tree: Tree, digest: str) -> str:
    mebibytes = out.stat().st_size / 2**20
    files = sum(1 for _ in tree.files())
    return f"{out}, {tree.platform}, {mebibytes:.1f} MiB, digest {digest}, {files} files"
