# SPDX-License-Identifier: Apache-2.0
"""Finds the Debian packages of files, and the copyright notices that an image must contain."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from platform import freedesktop_os_release
from urllib.parse import quote

from oci.commands import output_of, run
from oci.tree import Tree

_COMMON_LICENSES = Path("/usr/share/common-licenses")


@dataclass(frozen=True, order=True)
class Package:
    """A binary package and its source package."""

    name: str
    architecture: str
    version: str
    source: str
    source_version: str
    homepage: str

    @property
    def purl(self) -> str:
        """The package URL with the Debian release, by which scanners select advisories.

        Source: github.com/package-url/purl-spec, deb.
        """
        release = freedesktop_os_release()
        distribution = f"{release['ID']}-{release.get('VERSION_ID', 'unstable')}"
        name = f"{release['ID']}/{quote(self.name)}@{quote(self.version, safe='')}"
        return f"pkg:deb/{name}?arch={self.architecture}&distro={distribution}"

    @property
    def notice(self) -> Path:
        return Path("/usr/share/doc") / self.name / "copyright"


Owners = dict[PurePosixPath, Package]


def owners_of(tree: Tree) -> Owners:
    """Returns the package of each file in the image that comes from a package of this machine."""
    sources = {path: entry.source for path, entry in tree.files() if entry.source}
    packages = packages_of(sources.values())
    return {path: packages[source] for path, source in sources.items() if source in packages}


def packages_of(files: Iterable[Path]) -> dict[Path, Package]:
    """Returns the package of each file. Files without a package are left out."""
    names_of = {file: _names_of(file) for file in files}
    patterns = {re.sub(r"([*?\[\\])", r"\\\1", name) for names in names_of.values() for name in names}
    # dpkg-query fails if it does not know a name; most files have a known and an unknown name.
    said = run("dpkg-query", "--search", *sorted(patterns)).stdout if patterns else ""
    found = re.findall(r"^(?!diversion by )([^\s,]+)(?:, [^:]+)?: (/.*)$", said, re.MULTILINE)
    owner_of = {path: package for package, path in found}
    described = _describe(sorted(set(owner_of.values())))
    owners = {file: [owner_of[name] for name in names if name in owner_of] for file, names in names_of.items()}
    return {file: described[of_file[0]] for file, of_file in owners.items() if of_file}


def add_notices(tree: Tree, packages: Iterable[Package]) -> Owners:
    """Adds the copyright file of each package, and the common licences of Debian that these files refer to."""
    added: Owners = {}
    mentioned: set[str] = set()
    for package in sorted(set(packages)):
        tree.add_file(package.notice, str(package.notice), 0o644)
        added[PurePosixPath(package.notice)] = package
        mentioned |= set(
            re.findall(rf"{_COMMON_LICENSES}/([\w.-]*\w)", package.notice.read_text(errors="replace"))
        )
    licenses = [_COMMON_LICENSES / name for name in sorted(mentioned) if (_COMMON_LICENSES / name).is_file()]
    if licenses:
        # Some are symbolic links to the newest version; dpkg knows the name of the link.
        base = packages_of(licenses)[licenses[0]]
        for path in licenses:
            tree.add_file(path, str(path), 0o644)
            added[PurePosixPath(path)] = base
        if base not in packages:
            added |= add_notices(tree, [base])
    return added


def _names_of(file: Path) -> list[str]:
    """Returns the names that dpkg may know a file by: /lib is a link to /usr/lib, and older packages use /lib."""
    names = [str(file.absolute()), str(file.resolve())]
    return names + [name.removeprefix("/usr") for name in names if name.startswith("/usr/")]


def _describe(names: list[str]) -> dict[str, Package]:
    fields = ("Package", "Architecture", "Version", "source:Package", "source:Version", "Homepage")
    form = "\t".join(f"${{{field}}}" for field in fields) + "\n"
    lines = output_of("dpkg-query", "--show", f"--showformat={form}", *names).splitlines() if names else []
    packages = [Package(*line.split("\t")) for line in lines]
    return {
        name: package for package in packages for name in (package.name, f"{package.name}:{package.architecture}")
    }
