# SPDX-License-Identifier: Apache-2.0
"""Other programs, run for what they print."""

import os
import subprocess
from pathlib import Path

from oci.errors import ImageError


def run(*command: str | Path, without: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a program and returns what it said, in English. Variables that begin with `without` are kept from it."""
    environment = {
        name: value for name, value in os.environ.items() if not without or not name.startswith(without)
    }
    try:
        return subprocess.run(
            command, capture_output=True, text=True, env=environment | {"LC_ALL": "C"}, check=False
        )
    except FileNotFoundError as error:
        raise ImageError(
            f"{command[0]}: no such program; `scripts/setup build image` installs all on Debian"
        ) from error


def output_of(*command: str | Path) -> str:
    """What the program printed; it must succeed."""
    said = run(*command)
    if said.returncode != 0:
        raise ImageError(f"{command[0]} failed: {said.stderr.strip()}")
    return said.stdout
