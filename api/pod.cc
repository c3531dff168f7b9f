// SPDX-License-Identifier: Apache-2.0
#include "api/pod.h"

BERTH_JSON_INSTANTIATE(berth::api::PodSpec);
BERTH_JSON_INSTANTIATE(berth::api::Pod);
BERTH_JSON_INSTANTIATE(berth::api::Binding);
