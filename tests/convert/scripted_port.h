// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "scheduler/framework/extender_port.h"

namespace berth::convert {

// MakeScriptedPort gives an extender that answers what a case has by its urlPrefix: `passes`, the
// nodes that it lets pass, and `scores` by node. It refuses the other nodes. `scripts` outlives it.
Result<std::unique_ptr<scheduler::ExtenderPort>> MakeScriptedPort(const api::Extender& extender,
                                                                  const nlohmann::json& scripts);

}  // namespace berth::convert
