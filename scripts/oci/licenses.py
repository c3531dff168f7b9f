# SPDX-License-Identifier: Apache-2.0
"""Translates the licences of a package's copyright file to SPDX identifiers.

Source: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/, "License specification"; spdx.org/licenses.
"""

import re

NOASSERTION = "NOASSERTION"

# Debian's short names, in lower case. Other names give NOASSERTION.
_SPDX = {
    "0bsd": "0BSD",
    "apache-2.0": "Apache-2.0",
    "apache-2.0 with llvm exception": "Apache-2.0 WITH LLVM-exception",
    "bsd-2-clause": "BSD-2-Clause",
    "bsd-3-clause": "BSD-3-Clause",
    "bsl-1.0": "BSL-1.0",
    "cc0-1.0": "CC0-1.0",
    "curl": "curl",
    "expat": "MIT",
    "gpl-2": "GPL-2.0-only",
    "gpl-2+": "GPL-2.0-or-later",
    "gpl-3": "GPL-3.0-only",
    "gpl-3+": "GPL-3.0-or-later",
    "isc": "ISC",
    "lgpl-2": "LGPL-2.0-only",
    "lgpl-2+": "LGPL-2.0-or-later",
    "lgpl-2.1": "LGPL-2.1-only",
    "lgpl-2.1+": "LGPL-2.1-or-later",
    "lgpl-3": "LGPL-3.0-only",
    "lgpl-3+": "LGPL-3.0-or-later",
    "mit": "MIT",
    "ms-pl": "MS-PL",
    "mpl-2.0": "MPL-2.0",
    "openldap-2.8": "OLDAP-2.8",
    "zlib": "Zlib",
}


def declared_license(notice: str) -> str:
    """Returns the licences of all files of the source package except debian/, or NOASSERTION if one is unknown."""
    names = set()
    for paragraph in re.split(r"\n[ \t]*\n", notice):
        files = re.search(r"^Files:(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE)
        if files and not all(pattern.startswith("debian/") for pattern in files[1].split()):
            license_of_files = re.search(r"^License:(.*)$", paragraph, re.MULTILINE)
            names.add(license_of_files[1].strip() if license_of_files else "")
    expressions = sorted({_expression(name) for name in names})
    if not expressions or "" in expressions:
        return NOASSERTION
    if len(expressions) == 1:
        return expressions[0]
    return " AND ".join(f"({expression})" if " OR " in expression else expression for expression in expressions)


def _expression(names: str) -> str:
    """Returns the expression of one paragraph, or "" if a licence is unknown; `and` binds closer than `or` in both."""
    words = re.split(r"\s+(and|or)\s+", names, flags=re.IGNORECASE)
    known = [word.upper() if word.lower() in ("and", "or") else _SPDX.get(word.lower()) for word in words]
    return " ".join(known) if all(known) else ""
