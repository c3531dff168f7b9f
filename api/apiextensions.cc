// SPDX-License-Identifier: Apache-2.0
#include "api/apiextensions.h"

BERTH_JSON_INSTANTIATE(berth::api::CustomResourceDefinition);
