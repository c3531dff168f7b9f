# SPDX-License-Identifier: Apache-2.0
"""Runs other programs and returns their output."""

import os
import subprocess
from pathlib import Path

from oci.errors import ImageError


def run(*command: str | Path, without: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a program in English and returns its output, without variables whose names begin with `without`."""
    environment = {
        name: value for name, value in os.environ.items() if not without or not name.startswith(without)
    }
    try:
        return subprocess.run(
            command, capture_output=True, text=True, env=environment | {"LC_ALL": "C"}, check=False
        )
    except FileNotFoundError as error:
        raise ImageError(
            f"{command[0]}: no such program; on Debian `scripts/setup build image` installs it"
        ) from error


def output_of(*command: str | Path) -> str:
    """Returns the standard output of a program that must succeed."""
    said = run(*command)
    if said.returncode != 0:
        raise ImageError(f"{command[0]} failed: {said.stderr.strip()}")
    return said.stdout
