// SPDX-License-Identifier: Apache-2.0
#include "api/node.h"

BERTH_JSON_INSTANTIATE(berth::api::Node);
