// SPDX-License-Identifier: Apache-2.0
#include "api/coordination.h"

BERTH_JSON_INSTANTIATE(berth::api::Lease);
