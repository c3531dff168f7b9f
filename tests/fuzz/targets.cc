// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

std::span<const Target> Targets() {
  static constexpr Target kTargets[] = {
      {"cel", Cel},
      {"extender_answer", ExtenderAnswer},
      {"http_answer", HttpAnswer},
      {"http_request", HttpRequest},
      {"json", Json},
      {"kubeconfig", Kubeconfig},
      {"label_selector", LabelSelector},
      {"profile", Profile},
      {"prometheus_answer", PrometheusAnswer},
      {"quantity", QuantityText},
      {"regex", Regex},
      {"scheduler_config", SchedulerConfig},
      {"time", TimeText},
      {"transport", Transport},
      {"watch_frames", WatchFrames},
      {"yaml", Yaml},
  };
  return kTargets;
}

}  // namespace berth::fuzz
