// SPDX-License-Identifier: Apache-2.0
#include "crds/scheduler_profile.h"

BERTH_JSON_INSTANTIATE(berth::crds::SchedulerProfile);
