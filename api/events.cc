// SPDX-License-Identifier: Apache-2.0
#include "api/events.h"

BERTH_JSON_INSTANTIATE(berth::api::events::Event);
