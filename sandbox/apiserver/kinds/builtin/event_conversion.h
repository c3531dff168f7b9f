// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Events have two API versions, core/v1 and events.k8s.io/v1. The store holds core/v1.
bool IsEventsV1(const KindInfo& kind);

// Rename the fields in place.
void EventToStored(nlohmann::json& event);
void EventFromStored(nlohmann::json& event);

}  // namespace berth::apiserver
