// SPDX-License-Identifier: Apache-2.0
#include "api/apps.h"

BERTH_JSON_INSTANTIATE(berth::api::Deployment);
BERTH_JSON_INSTANTIATE(berth::api::ControllerRevision);
