# SPDX-License-Identifier: Apache-2.0
"""The one exception of this folder."""


class ImageError(Exception):
    """Says in one line, which a person can act on, why the image cannot be made."""
