// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/prometheus_answer.h"

#include <cmath>
#include <string>

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

// The body of an answer to a query, whatever the code.
void PrometheusAnswer(std::string_view input) {
  for (const int code : {200, 400}) {
    const auto answer = engine::ReadPrometheusAnswer(
        {.code = code, .headers = {}, .body = std::string(input)}, "instance");
    if (!answer) {
      BERTH_CHECK(!answer.error().message().empty(), "a mistake without a text");
      continue;
    }
    BERTH_CHECK(code == 200, "an answer that says that there is none");
    for (const auto& [node, figure] : answer->samples) {
      BERTH_CHECK(!node.empty(), "a figure of nobody");
      BERTH_CHECK(std::isfinite(figure) && figure >= 0, "a figure that is no traffic");
    }
  }
}

}  // namespace berth::fuzz
