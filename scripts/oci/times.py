# SPDX-License-Identifier: Apache-2.0
"""Times in seconds since 1970. The clock is never read, so that builds are reproducible."""

import os
from datetime import UTC, datetime

from oci.errors import ImageError


def source_date_epoch(default: int) -> int:
    """Returns $SOURCE_DATE_EPOCH, or `default`. Source: reproducible-builds.org/specs/source-date-epoch."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if text and not text.isdecimal():
        raise ImageError(f"SOURCE_DATE_EPOCH={text!r}: want seconds since 1970")
    return int(text or default)


def timestamp(epoch: int) -> str:
    """Returns the time in the RFC 3339 format of images and SPDX documents."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
