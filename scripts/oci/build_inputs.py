# SPDX-License-Identifier: Apache-2.0
"""What a program was built from, as ninja recorded it."""

import os
import re
import subprocess
from pathlib import Path

from oci.errors import ImageError


def build_inputs(build: Path, program: str) -> set[Path]:
    """The headers, sources and libraries that went into the program, those of the machine among them.

    Headers are in ninja's log of dependencies, which the compiler wrote; what is linked is in its graph.
    """
    inputs = _ninja(build, "inputs", program).splitlines()
    wanted, paths = set(inputs), set(inputs)
    for block in _ninja(build, "deps").split("\n\n"):
        output, *dependencies = block.splitlines() or [""]
        if output.partition(": #deps")[0] in wanted:
            paths.update(line.strip() for line in dependencies)
    return {Path(os.path.normpath(build / path)) for path in paths}


def _ninja(build: Path, tool: str, *arguments: str) -> str:
    said = subprocess.run(["ninja", "-C", build, "-t", tool, *arguments], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise ImageError(f"{build}: ninja -t {tool}: {said.stderr.strip()}")
    return re.sub(r"\Aninja: Entering directory .*\n", "", said.stdout)
