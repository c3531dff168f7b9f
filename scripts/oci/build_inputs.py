# SPDX-License-Identifier: Apache-2.0
"""What a program was built from, as ninja recorded it."""

import os
import re
from pathlib import Path

from oci.commands import output_of


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
    return {Path(os.path.normpath(build.absolute() / path)) for path in paths}


def _ninja(build: Path, *tool: str) -> str:
    return re.sub(r"\Aninja: Entering directory .*\n", "", output_of("ninja", "-C", build, "-t", *tool))
