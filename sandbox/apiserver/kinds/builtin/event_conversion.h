// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Events have two faces, core/v1 and events.k8s.io/v1, and are stored as core/v1 has them.
bool IsEventsV1(const KindInfo& kind);

// ToStored and FromStored rename the fields; in place.
void EventToStored(nlohmann::json& event);
void EventFromStored(nlohmann::json& event);

}  // namespace berth::apiserver
