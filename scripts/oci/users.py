# SPDX-License-Identifier: Apache-2.0
"""The user that a container runs as."""

import re
from dataclasses import dataclass

from oci.errors import ImageError
from oci.tree import Tree


@dataclass(frozen=True)
class User:
    """A user by number: with runAsNonRoot a kubelet cannot check a user name."""

    uid: int
    gid: int

    def __str__(self) -> str:
        return f"{self.uid}:{self.gid}"

    @classmethod
    def parse(cls, text: str) -> "User":
        match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
        if not match:
            raise ImageError(f"user {text!r}: want UID[:GID], as numbers")
        return cls(int(match[1]), int(match[2] or match[1]))


def add_user(tree: Tree, user: User) -> None:
    """Adds /etc/passwd and /etc/group, for programs that look up the user."""
    people, groups = {user.uid: "nonroot", 0: "root"}, {user.gid: "nonroot", 0: "root"}
    group_of = {user.uid: user.gid, 0: 0}
    passwd = [f"{people[uid]}:x:{uid}:{group_of[uid]}:{people[uid]}:/:/nonexistent\n" for uid in sorted(people)]
    group = [f"{groups[gid]}:x:{gid}:\n" for gid in sorted(groups)]
    tree.add_data("/etc/passwd", "".join(passwd).encode())
    tree.add_data("/etc/group", "".join(group).encode())
