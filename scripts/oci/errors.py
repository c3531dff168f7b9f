# SPDX-License-Identifier: Apache-2.0
"""The exception of this folder."""


class ImageError(Exception):
    """An error that the user can fix, described in one line."""
