# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of an image: an SPDX 2.3 document in JSON.

The document describes one subject: the program of the image. The subject contains the files without a package,
depends on the packages in the image, and links statically to the packages that are compiled in.
Source: spdx.github.io/spdx-spec/v2.3: package-information, file-information, relationships-between-SPDX-elements.
"""

import hashlib
import json
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from oci.debian import Owners, Package
from oci.licenses import NOASSERTION, declared_license
from oci.times import timestamp
from oci.tree import Tree

_SUBJECT_ID = "SPDXRef-Subject"


@dataclass(frozen=True)
class Subject:
    """The program of the image."""

    name: str
    version: str
    license: str = NOASSERTION
    # The commit that it was built from.
    revision: str = ""


def document(subject: Subject, tree: Tree, owners: Owners, compiled_in: Iterable[Package], epoch: int) -> bytes:
    """Returns the document for the files of `tree`, without itself. The same arguments give the same bytes."""
    files = [_file(path, entry.data) for path, entry in tree.files()]
    files_of: dict[Package | None, list[dict]] = {None: []}
    for (path, _), file in zip(tree.files(), files, strict=True):
        files_of.setdefault(owners.get(path), []).append(file)
    packages = sorted(package for package in files_of if package)
    compiled_in = set(compiled_in)

    relationships = [_relationship("SPDXRef-DOCUMENT", "DESCRIBES", _SUBJECT_ID)]
    for package in packages:
        how = "STATIC_LINK" if package in compiled_in else "DEPENDS_ON"
        relationships.append(_relationship(_SUBJECT_ID, how, _package_id(package)))
    for package, of_package in files_of.items():
        owner = _package_id(package) if package else _SUBJECT_ID
        relationships += [_relationship(owner, "CONTAINS", file["SPDXID"]) for file in of_package]

    content = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{subject.name}-{subject.version}",
        "creationInfo": {"created": timestamp(epoch), "creators": ["Tool: berth-scripts-image"]},
        "packages": [_subject(subject, tree, files_of[None])]
        + [_debian_package(package, tree, files_of[package]) for package in packages],
        "files": files,
        "relationships": relationships,
    }
    # SPDX requires only that different documents have different namespaces.
    unique = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    content["documentNamespace"] = f"https://spdx.org/spdxdocs/{content['name']}-{unique}"
    return json.dumps(content, indent=1).encode() + b"\n"


def _subject(subject: Subject, tree: Tree, files: list[dict]) -> dict[str, Any]:
    built = {"sourceInfo": f"built from commit {subject.revision}"} if subject.revision else {}
    return (
        _package(_SUBJECT_ID, subject.name, subject.version, subject.license, files)
        | {"primaryPackagePurpose": "APPLICATION", "comment": f"for {tree.platform}"}
        | built
    )


def _debian_package(package: Package, tree: Tree, files: list[dict]) -> dict[str, Any]:
    notice = tree.data_of(PurePosixPath(package.notice)).decode(errors="replace")
    purl = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": package.purl}
    return (
        _package(_package_id(package), package.name, package.version, declared_license(notice), files)
        | {
            "supplier": "Organization: Debian",
            "sourceInfo": f"built from Debian's source package {package.source} {package.source_version}",
            "licenseComments": f"All licences and copyrights are in {package.notice}, which is in the image.",
            "externalRefs": [purl],
        }
        | ({"homepage": package.homepage} if package.homepage else {})
    )


def _package(spdx_id: str, name: str, version: str, license_declared: str, files: list[dict]) -> dict[str, Any]:
    """Returns a package element with the checksums of its files in the image."""
    sums = sorted(_checksum(file, "SHA1") for file in files)
    return {
        "SPDXID": spdx_id,
        "name": name,
        "versionInfo": version,
        "downloadLocation": NOASSERTION,
        "filesAnalyzed": True,
        "packageVerificationCode": {
            "packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()
        },
        "licenseConcluded": NOASSERTION,
        "licenseInfoFromFiles": [NOASSERTION],
        "licenseDeclared": license_declared,
        "copyrightText": NOASSERTION,
    }


def _file(path: PurePosixPath, data: bytes) -> dict[str, Any]:
    sums = {"SHA1": hashlib.sha1(data), "SHA256": hashlib.sha256(data)}
    return {
        "SPDXID": "SPDXRef-File-" + hashlib.sha1(str(path).encode()).hexdigest(),
        "fileName": f".{path}",
        "checksums": [{"algorithm": name, "checksumValue": value.hexdigest()} for name, value in sums.items()],
        "licenseConcluded": NOASSERTION,
        "licenseInfoInFiles": [NOASSERTION],
        "copyrightText": NOASSERTION,
    }


def _checksum(file: dict[str, Any], algorithm: str) -> str:
    return next(sum_["checksumValue"] for sum_ in file["checksums"] if sum_["algorithm"] == algorithm)


def _package_id(package: Package) -> str:
    return "SPDXRef-Debian-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{package.name}-{package.architecture}")


def _relationship(one: str, how: str, other: str) -> dict[str, str]:
    return {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other}
