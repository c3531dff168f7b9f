// SPDX-License-Identifier: Apache-2.0
#include "api/core.h"

BERTH_JSON_INSTANTIATE(berth::api::ConfigMap);
BERTH_JSON_INSTANTIATE(berth::api::ServiceAccount);
BERTH_JSON_INSTANTIATE(berth::api::Service);
BERTH_JSON_INSTANTIATE(berth::api::Namespace);
BERTH_JSON_INSTANTIATE(berth::api::Event);
