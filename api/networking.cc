// SPDX-License-Identifier: Apache-2.0
#include "api/networking.h"

BERTH_JSON_INSTANTIATE(berth::api::NetworkPolicy);
