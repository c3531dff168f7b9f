# SPDX-License-Identifier: Apache-2.0
"""What a kube-scheduler 1.22 did with a Policy, by its formulas."""
