# SPDX-License-Identifier: Apache-2.0
"""The decisions of kube-scheduler 1.22 with a Policy, by its formulas."""
