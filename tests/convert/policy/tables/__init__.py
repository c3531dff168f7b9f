# SPDX-License-Identifier: Apache-2.0
"""The cases that people chose, a module for each subject."""
