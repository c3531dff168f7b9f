// SPDX-License-Identifier: Apache-2.0
#include "api/affinity.h"

BERTH_JSON_INSTANTIATE(berth::api::Affinity);
