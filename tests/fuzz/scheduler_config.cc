// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_config.h"

#include "base/check.h"
#include "base/json/json.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

void SchedulerConfig(std::string_view input) {
  const auto config = api::LoadSchedulerConfiguration(input, "input");
  if (!config) {
    BERTH_CHECK(config.error().message().starts_with("input"), "the error does not name the file");
    return;
  }
  if (!api::Validate(*config).empty()) return;
  const std::string encoded = json::Encode(*config);
  const auto again = api::LoadSchedulerConfiguration(encoded, "encoded");
  BERTH_CHECK(again.has_value(), "an encoded configuration does not parse");
  BERTH_CHECK(json::Encode(*again) == encoded, "encoding changed a configuration");
}

}  // namespace berth::fuzz
