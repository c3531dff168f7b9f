# SPDX-License-Identifier: Apache-2.0
"""Parses image names as registries and container engines do."""

import re
from dataclasses import dataclass

from oci.errors import ImageError

_HOST = r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?::[0-9]+)?"
_COMPONENT = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_REFERENCE = re.compile(
    rf"(?:(?P<host>{_HOST})/)?(?P<path>{_COMPONENT}(?:/{_COMPONENT})*):(?P<tag>\w[\w.-]{{0,127}})"
)


@dataclass(frozen=True)
class Reference:
    """A full image name: repository, with its registry, and tag."""

    repository: str
    tag: str

    def __str__(self) -> str:
        return f"{self.repository}:{self.tag}"


def parse_reference(text: str) -> Reference:
    """Returns the full name that a kubelet uses for `text`: docker.io/library/berth:1 for berth:1.

    Source: github.com/distribution/reference, regexp.go (grammar), normalize.go (splitDockerDomain).
    """
    match = _REFERENCE.fullmatch(text)
    if not match:
        raise ImageError(
            f"name {text!r}: want [HOST[:PORT]/]PATH:TAG, PATH in lower case, for example registry.example/berth:1.0"
        )
    host, path = match["host"], match["path"]
    if host and not _is_registry(host):
        host, path = None, f"{host}/{path}"
    if not host:
        host, path = "docker.io", path if "/" in path else f"library/{path}"
    return Reference(f"{host}/{path}", match["tag"])


def _is_registry(host: str) -> bool:
    return host == "localhost" or any(mark in host for mark in ".:") or host != host.lower()
