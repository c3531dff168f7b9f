// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "scheduler/framework/extender_port.h"

namespace berth::convert {

// Returns an extender with scripted responses per urlPrefix: `passes`, the nodes that pass the
// filter, and `scores` by node. It rejects all other nodes. `scripts` must outlive it.
Result<std::unique_ptr<scheduler::ExtenderPort>> MakeScriptedPort(const api::Extender& extender,
                                                                  const nlohmann::json& scripts);

}  // namespace berth::convert
