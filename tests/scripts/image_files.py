# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts that write images and reads their output, for the tests in this folder."""

import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))  # for `import oci`


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Archive:
    """An archive, read like ctr and docker read it."""

    def __init__(self, path: Path) -> None:
        with tarfile.open(path) as archive:
            self.members = {
                member.name: archive.extractfile(member).read() for member in archive if member.isfile()
            }
        (self.described,) = json.loads(self.members["index.json"])["manifests"]
        self.manifest = json.loads(self.blob(self.described))
        self.config = json.loads(self.blob(self.manifest["config"]))
        (layer,) = self.manifest["layers"]
        self.layer = gzip.decompress(self.blob(layer))

    def blob(self, descriptor: dict[str, Any]) -> bytes:
        data = self.members["blobs/" + descriptor["digest"].replace(":", "/")]
        assert (len(data), digest(data)) == (descriptor["size"], descriptor["digest"]), descriptor
        return data

    def entries(self) -> dict[str, tarfile.TarInfo]:
        with tarfile.open(fileobj=io.BytesIO(self.layer)) as layer:
            return {"/" + member.name: member for member in layer}

    def file(self, path: str) -> bytes:
        with tarfile.open(fileobj=io.BytesIO(self.layer)) as layer:
            return layer.extractfile(path.lstrip("/")).read()

    def files(self) -> dict[str, bytes]:
        return {path: self.file(path) for path, member in self.entries().items() if member.isfile()}


def run_script(script: str, *arguments: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [ROOT / "scripts" / script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)


class ImageTest(unittest.TestCase):
    """Tests of one script; each has its own folder, and all share one."""

    script = "image"

    @classmethod
    def setUpClass(cls) -> None:
        cls.shared = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    @classmethod
    def write(cls, out: Path, *arguments: Any, **environment: str) -> tuple[Archive, str]:
        """Returns the archive that the script writes with these arguments, and its standard output."""
        said = run_script(cls.script, "--out", out, *arguments, **environment)
        assert said.returncode == 0, said.stderr
        return Archive(out), said.stdout

    def image(self, *arguments: Any, **environment: str) -> Archive:
        return self.write(self.folder / "image.tar", *arguments, **environment)[0]

    def tree(self, *arguments: Any) -> Path:
        """Returns the folder that the script writes with these arguments."""
        root = self.folder / "root"
        said = run_script(self.script, "--root", root, *arguments)
        self.assertEqual(said.returncode, 0, said.stderr)
        return root

    def assert_same(self, root: Path, archive: Archive) -> None:
        """Asserts that the folder and the layer have the same files."""
        entries = archive.entries()
        self.assertEqual(sorted("/" + str(path.relative_to(root)) for path in root.rglob("*")), sorted(entries))
        for path, entry in entries.items():
            place = root / path.lstrip("/")
            if entry.issym():
                self.assertEqual(os.readlink(place), entry.linkname)
                continue
            self.assertEqual(place.stat().st_mode & 0o7777, entry.mode, path)
            self.assertEqual(place.stat().st_mtime, entry.mtime, path)
            if entry.isfile():
                self.assertEqual(place.read_bytes(), archive.file(path), path)
