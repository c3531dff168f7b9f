// SPDX-License-Identifier: Apache-2.0
#include "api/authentication.h"

BERTH_JSON_INSTANTIATE(berth::api::TokenRequest);
