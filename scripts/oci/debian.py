# SPDX-License-Identifier: Apache-2.0
"""The Debian packages that files come from, and the notices that their licences ask to be handed on."""

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from oci.errors import ImageError
from oci.tree import Tree

_COMMON_LICENSES = Path("/usr/share/common-licenses")


@dataclass(frozen=True, order=True)
class Package:
    """A binary package, and the source package that it was built from."""

    name: str
    architecture: str
    version: str
    source: str
    source_version: str
    homepage: str

    @property
    def purl(self) -> str:
        """Source: github.com/package-url/purl-spec, types/deb."""
        return f"pkg:deb/debian/{quote(self.name)}@{quote(self.version, safe='')}?arch={self.architecture}"

    @property
    def notice(self) -> Path:
        return Path("/usr/share/doc") / self.name / "copyright"


Owners = dict[PurePosixPath, Package]


def owners_of(tree: Tree) -> Owners:
    """The package of each file in the image that a package brought to this machine."""
    sources = {path: entry.source for path, entry in tree.files() if entry.source}
    packages = packages_of(sources.values())
    return {path: packages[source] for path, source in sources.items() if source in packages}


def packages_of(files: Iterable[Path]) -> dict[Path, Package]:
    """The package that brought each of the files; those that none brought are left out."""
    aliases = {alias: file for file in files for alias in _aliases(file)}
    if not aliases:
        return {}
    # Fails where a path is unknown, which each file's other aliases are.
    said = _run("dpkg-query", "--search", *map(str, sorted(aliases)), may_fail=True)
    found = re.findall(r"^(?!diversion by )([^\s,]+)(?:, [^:]+)?: (/.*)$", said, re.MULTILINE)
    names = {aliases[Path(path)]: name for name, path in found if Path(path) in aliases}
    described = _describe(sorted(set(names.values())))
    return {file: described[name] for file, name in names.items()}


def add_notices(tree: Tree, packages: Iterable[Package]) -> Owners:
    """Adds the copyright file of each package, and the licences that these refer to as Debian's common ones."""
    added: Owners = {}
    mentioned: set[str] = set()
    for package in sorted(set(packages)):
        tree.add_file(package.notice, str(package.notice), 0o644)
        added[PurePosixPath(package.notice)] = package
        mentioned |= set(re.findall(rf"{_COMMON_LICENSES}/([\w.-]*\w)", package.notice.read_text(errors="replace")))
    licenses = [_COMMON_LICENSES / name for name in sorted(mentioned) if (_COMMON_LICENSES / name).is_file()]
    if licenses:
        # Some are symbolic links to the newest version, which dpkg knows by their own name.
        base = packages_of(licenses)[licenses[0]]
        for path in licenses:
            tree.add_file(path, str(path), 0o644)
            added[PurePosixPath(path)] = base
        if base not in packages:
            added |= add_notices(tree, [base])
    return added


def _aliases(file: Path) -> set[Path]:
    """The names under which dpkg may know a file: /lib is a link to /usr/lib, and older packages name the former."""
    names = {file, file.resolve()}
    return names | {Path("/") / name.relative_to("/usr") for name in names if name.is_relative_to("/usr")}


def _describe(names: list[str]) -> dict[str, Package]:
    fields = ("Package", "Architecture", "Version", "source:Package", "source:Version", "Homepage")
    form = "\t".join(f"${{{field}}}" for field in fields) + "\n"
    lines = _run("dpkg-query", "--show", f"--showformat={form}", *names).splitlines() if names else []
    packages = [Package(*line.split("\t")) for line in lines]
    return {known_as: package for package in packages for known_as in (package.name, f"{package.name}:{package.architecture}")}


def _run(*command: str, may_fail: bool = False) -> str:
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise ImageError(f"{command[0]} is missing: what is inside an image can be named on Debian only") from error
    if said.returncode != 0 and not may_fail:
        raise ImageError(f"{' '.join(command[:2])}: {said.stderr.strip()}")
    return said.stdout
