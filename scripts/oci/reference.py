# SPDX-License-Identifier: Apache-2.0
"""Names of images, as registries and container engines read them."""

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
    """A whole name: registry, repository and tag."""

    repository: str
    tag: str

    def __str__(self) -> str:
        return f"{self.repository}:{self.tag}"


def parse_reference(text: str) -> Reference:
    """The whole name of what `text` means to a kubelet: berth:1 is docker.io/library/berth:1.

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
