// SPDX-License-Identifier: Apache-2.0
#include "controllers/worker_check.h"

#include <fmt/format.h>

namespace berth::controllers {

std::optional<std::string> WhyStuck(const WorkQueue& queue) {
  const auto stuck = queue.StuckFor();
  if (stuck < kStuckAfter) return std::nullopt;
  return fmt::format("no worker has moved for {} seconds",
                     std::chrono::duration_cast<std::chrono::seconds>(stuck).count());
}

}  // namespace berth::controllers
