# SPDX-License-Identifier: Apache-2.0
"""Finds the inputs of a program's build in ninja's records."""

import os
import re
from pathlib import Path

from oci.commands import output_of


def build_inputs(build: Path, program: str) -> set[Path]:
    """Returns the headers, sources and libraries that the program was built from, including those of the system.

    Headers come from ninja's dependency log, which the compiler wrote; libraries come from ninja's graph.
    """
    inputs = _ninja(build, "inputs", program).splitlines()
    wanted, paths = set(inputs), set(inputs)
    for block in _ninja(build, "deps").split("\n\n"):
        output, *dependencies = block.splitlines() or [""]
        if output.partition(": #deps")[0] in wanted:
            paths.update(line.strip() for line in dependencies)
    return {Path(os.path.normpath(build.absolute() / path)) for path in paths}


def _ninja(build: Path, *tool: str) -> str:
    return re.sub(r"\Aninja: Entering directory .*\n", "", output_of("ninja", "-C", build, "-t", *tool))
