// SPDX-License-Identifier: Apache-2.0
#include "api/policy.h"

BERTH_JSON_INSTANTIATE(berth::api::PodDisruptionBudget);
