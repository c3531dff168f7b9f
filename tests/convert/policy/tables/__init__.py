# SPDX-License-Identifier: Apache-2.0
"""The hand-written cases, one module per subject."""
