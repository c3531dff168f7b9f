# SPDX-License-Identifier: Apache-2.0
"""Writes an image of one layer to one file: an OCI image layout that `docker load` also reads.

Source: github.com/opencontainers/image-spec v1.0: image-layout.md, manifest.md, config.md, annotations.md. The index
names the image as `docker buildx build --output type=oci` does, so `ctr images import` gives it that name.
"""

import gzip
import hashlib
import io
import json
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oci.reference import Reference
from oci.times import timestamp
from oci.tree import Tree

_MEDIA = "application/vnd.oci.image."


@dataclass
class RunConfig:
    """The run options of a container and the labels of the image."""

    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    environment: list[str] = field(default_factory=list)
    user: str = ""
    labels: dict[str, str] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        fields = {
            "User": self.user,
            "Env": self.environment,
            "Entrypoint": self.entrypoint,
            "Cmd": self.command,
            "Labels": self.labels,
        }
        return {name: value for name, value in fields.items() if value} | {"WorkingDir": "/"}


def digest_of(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def write_archive(out: Path, name: Reference, tree: Tree, run: RunConfig, epoch: int) -> str:
    """Writes the image and returns the digest of its manifest. The same arguments give the same bytes."""
    layer = tree.tar(epoch)
    packed = gzip.compress(layer, compresslevel=6, mtime=0)
    config = _json(
        tree.platform.fields()
        | {
            "created": timestamp(epoch),
            "config": run.fields(),
            "rootfs": {"type": "layers", "diff_ids": [digest_of(layer)]},
            "history": [{"created": timestamp(epoch), "created_by": "scripts/image"}],
        }
    )
    manifest = _json(
        {
            "schemaVersion": 2,
            "mediaType": _MEDIA + "manifest.v1+json",
            "config": _descriptor("config.v1+json", config),
            "layers": [_descriptor("layer.v1.tar+gzip", packed)],
        }
    )
    annotations = {"io.containerd.image.name": str(name), "org.opencontainers.image.ref.name": name.tag}
    described = _descriptor("manifest.v1+json", manifest) | {
        "annotations": annotations,
        "platform": tree.platform.fields(),
    }
    index = _json({"schemaVersion": 2, "mediaType": _MEDIA + "index.v1+json", "manifests": [described]})
    for_docker = _json([{"Config": _blob(config), "RepoTags": [str(name)], "Layers": [_blob(packed)]}])
    members = {_blob(data): data for data in (manifest, config, packed)}
    members |= {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}', "index.json": index, "manifest.json": for_docker}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(_tar(members, epoch))
    return digest_of(manifest)


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _descriptor(kind: str, data: bytes) -> dict[str, Any]:
    return {"mediaType": _MEDIA + kind, "digest": digest_of(data), "size": len(data)}


def _blob(data: bytes) -> str:
    return "blobs/" + digest_of(data).replace(":", "/")


def _tar(members: dict[str, bytes], epoch: int) -> bytes:
    archive_bytes = io.BytesIO()
    with tarfile.open(fileobj=archive_bytes, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for folder in ("blobs", "blobs/sha256"):
            member = tarfile.TarInfo(folder)
            member.type, member.mode, member.mtime = tarfile.DIRTYPE, 0o755, epoch
            archive.addfile(member)
        for name, data in sorted(members.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(data), 0o644, epoch
            archive.addfile(member, io.BytesIO(data))
    return archive_bytes.getvalue()
