# SPDX-License-Identifier: Apache-2.0
"""Finds the platform of an ELF file and the shared libraries that the loader finds for it."""

import re
import struct
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from oci.commands import run
from oci.errors import ImageError


@dataclass(frozen=True)
class Platform:
    """A platform with the architecture names of Go's GOARCH, which images use."""

    architecture: str
    variant: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, ("linux", self.architecture, self.variant)))

    def fields(self) -> dict[str, str]:
        """Returns the platform's fields for an image configuration or an index."""
        fields = {"architecture": self.architecture, "os": "linux"}
        return fields | {"variant": self.variant} if self.variant else fields


# By e_machine of the ELF header: the ports of Debian 12. Its 32-bit arm is ARMv7.
_PLATFORMS = {
    3: Platform("386"),
    21: Platform("ppc64le"),
    22: Platform("s390x"),
    40: Platform("arm", "v7"),
    62: Platform("amd64"),
    183: Platform("arm64", "v8"),
    243: Platform("riscv64"),
}


@dataclass(frozen=True)
class Library:
    """A shared library: the file that the loader uses here, and its path in the image."""

    source: Path
    target: PurePosixPath


def platform_of(path: Path) -> Platform:
    """Returns the platform that the ELF file is built for."""
    with open(path, "rb") as file:
        header = file.read(20)
    if len(header) < 20 or not header.startswith(b"\x7fELF"):
        raise ImageError(f"{path}: is not an ELF file")
    big_endian = header[5] == 2
    (machine,) = struct.unpack_from(">H" if big_endian else "<H", header, 18)
    if machine not in _PLATFORMS:
        raise ImageError(f"{path}: is built for an unknown machine (e_machine {machine})")
    return _PLATFORMS[machine]


def this_platform() -> Platform:
    """Returns the platform of this machine's programs, taken from the Python interpreter."""
    return platform_of(Path(sys.executable))


def libraries_of(path: Path) -> list[Library]:
    """Returns the loader and all libraries that it finds for `path`; an empty list for a static program.

    In the image all libraries are in the folder of libc: the loader searches it without a cache.
    """
    said = run("ldd", path, without="LD_")  # LD_LIBRARY_PATH and LD_PRELOAD must not change the image
    if "not a dynamic executable" in said.stdout + said.stderr or "statically linked" in said.stdout:
        return []
    if missing := re.findall(r"^\s*(.+) => not found$", said.stdout, re.MULTILINE):
        raise ImageError(f"{path}: the loader cannot find {', '.join(missing)}")
    if said.returncode != 0:
        raise ImageError(f"{path}: ldd: {said.stderr.strip() or said.stdout.strip()}")
    lines = re.findall(r"^\s*(?:(.+) => )?(/.+) \(0x", said.stdout, re.MULTILINE)
    found = {name or place: place for name, place in lines}
    folder = PurePosixPath(found.get("libc.so.6", "/lib/libc.so.6")).parent
    # A name with a slash, such as the loader's, is an absolute path; folder / name does not change it.
    return [Library(Path(source), folder / name) for name, source in found.items()]
