// SPDX-License-Identifier: Apache-2.0
#include "api/volume.h"

BERTH_JSON_INSTANTIATE(berth::api::Volume);
