# SPDX-License-Identifier: Apache-2.0
"""Adds the copyright notices and the bill of materials to an image."""

from collections.abc import Iterable
from dataclasses import dataclass

from oci.debian import Package, add_notices, owners_of
from oci.spdx import Subject, document
from oci.tree import Tree


@dataclass(frozen=True)
class Bill:
    """The document and its number of packages."""

    document: bytes
    packages: int


def add_bill(tree: Tree, target: str, subject: Subject, epoch: int, compiled_in: Iterable[Package] = ()) -> Bill:
    """Adds the bill of the current contents of the image as the file `target`."""
    owners = owners_of(tree)
    owners |= add_notices(tree, {*owners.values(), *compiled_in})
    text = document(subject, tree, owners, compiled_in, epoch)
    tree.add_data(target, text)
    return Bill(text, len(set(owners.values())))
