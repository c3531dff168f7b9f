# SPDX-License-Identifier: Apache-2.0
"""The files of an image."""

import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from oci.elf import Platform, libraries_of, platform_of
from oci.errors import ImageError

_PROGRAM, _DATA, _FOLDER = 0o755, 0o644, 0o755


@dataclass(frozen=True)
class Entry:
    """A file, a folder or a symbolic link, owned by root."""

    mode: int = _DATA
    data: bytes | None = None
    link: str | None = None
    # The file or folder of this machine that `data` comes from.
    source: Path | None = None

    @property
    def is_folder(self) -> bool:
        return self.data is None and self.link is None


class Tree:
    """The root of an image: entries by path.

    Invariant: the parents of every entry exist and are folders.
    """

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self._entries: dict[PurePosixPath, Entry] = {}

    def add_data(self, target: str | PurePosixPath, data: bytes, source: Path | None = None) -> None:
        self._add(target, Entry(_DATA, data, source=source))

    def add_link(self, target: str | PurePosixPath, link: str) -> None:
        self._add(target, Entry(0o777, link=link))

    def add_file(self, source: Path, target: str | PurePosixPath, mode: int | None = None) -> None:
        """Adds one file. The mode defaults to 755 if its owner may execute it, otherwise 644, for any umask."""
        try:
            data = source.read_bytes()
            executable = source.stat().st_mode & 0o100
        except OSError as error:
            raise ImageError(f"{source}: {error.strerror}") from error
        self._add(target, Entry(mode or (_PROGRAM if executable else _DATA), data, source=source))

    def add_program(self, source: Path, target: str | PurePosixPath) -> None:
        """Adds an executable or a library, with the loader and the libraries that it needs."""
        self.add_file(source, target, _PROGRAM)
        if (platform := platform_of(source)) != self.platform:
            raise ImageError(f"{source}: is built for {platform}; this machine makes images for {self.platform}")
        for library in libraries_of(source):
            self.add_file(library.source, library.target, _PROGRAM)

    def files(self) -> Iterator[tuple[PurePosixPath, Entry]]:
        """Returns the files, sorted by path."""
        return ((path, entry) for path, entry in self._sorted() if entry.data is not None)

    def data_of(self, path: PurePosixPath) -> bytes:
        """Returns the contents of a file. Requires: the file exists."""
        return self._entries[path].data

    def tar(self, epoch: int) -> bytes:
        """Returns a layer with these entries and `epoch` as their time. The same entries give the same bytes."""
        layer = io.BytesIO()
        with tarfile.open(fileobj=layer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, entry in self._sorted():
                member = tarfile.TarInfo(str(path.relative_to("/")))
                member.mode, member.mtime = entry.mode, epoch
                if entry.is_folder:
                    member.type = tarfile.DIRTYPE
                elif entry.link is not None:
                    member.type, member.linkname = tarfile.SYMTYPE, entry.link
                else:
                    member.size = len(entry.data)
                archive.addfile(member, io.BytesIO(entry.data or b""))
        return layer.getvalue()

    def write_to(self, root: Path, epoch: int) -> None:
        """Writes the entries below the folder `root`, which must be new or empty."""
        root.mkdir(parents=True, exist_ok=True)
        root.chmod(0o755)  # as "/" of an image, for any umask
        if any(root.iterdir()):
            raise ImageError(f"{root}: is not empty")
        for path, entry in self._sorted():
            place = root / path.relative_to("/")
            if entry.is_folder:
                place.mkdir()
            elif entry.link is not None:
                place.symlink_to(entry.link)
            else:
                place.write_bytes(entry.data)
            if entry.link is None:
                place.chmod(entry.mode)
        # Set the times last: adding an entry changes the time of its folder.
        for path, _ in self._sorted():
            os.utime(root / path.relative_to("/"), (epoch, epoch), follow_symlinks=False)

    def _sorted(self) -> list[tuple[PurePosixPath, Entry]]:
        return sorted(self._entries.items())

    def _add(self, target: str | PurePosixPath, entry: Entry) -> None:
        path = PurePosixPath(target)
        if not path.is_absolute() or ".." in path.parts or path.name == "":
            raise ImageError(f"{target}: want an absolute path in the image")
        for folder in list(path.parents)[:-1]:
            if not self._entries.setdefault(folder, Entry(_FOLDER)).is_folder:
                raise ImageError(f"{path}: {folder} is not a folder in the image")
        known = self._entries.setdefault(path, entry)
        if (known.data, known.link, known.mode) != (entry.data, entry.link, entry.mode):
            raise ImageError(f"{path}: the image already has another file at this path")
