// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/prometheus_answer.h"

#include <cmath>
#include <string>

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

// A response body to a query, with any status code.
void PrometheusAnswer(std::string_view input) {
  for (const int code : {200, 400}) {
    const auto answer = engine::ReadPrometheusAnswer(
        {.code = code, .headers = {}, .body = std::string(input)}, "instance");
    if (!answer) {
      BERTH_CHECK(!answer.error().message().empty(), "an error without a message");
      continue;
    }
    BERTH_CHECK(code == 200, "a result with an error code");
    for (const auto& [node, figure] : answer->samples) {
      BERTH_CHECK(!node.empty(), "a value without a node");
      BERTH_CHECK(std::isfinite(figure) && figure >= 0, "a value that is not valid traffic");
    }
  }
}

}  // namespace berth::fuzz
