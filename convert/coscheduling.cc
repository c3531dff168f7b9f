// SPDX-License-Identifier: Apache-2.0
#include "convert/coscheduling.h"

namespace berth::convert {

void ConvertCoscheduling(const std::string& path, const Reporter& reporter, Members& args) {
  constexpr const char* kConnection = "the operator configures the connection";
  constexpr const char* kLabels =
      "groups were defined by pod labels and could become stale; now a group is a PodGroup object";
  static constexpr struct {
    const char* name;
    const char* reason;
  } kDropped[] = {
      {"podGroupRejectPercentage",
       "a group is placed in one cycle, completely or not at all, so no pod waits for members "
       "without a node"},
      {"deniedPGExpirationTimeSeconds",
       "the backoff of a rejected group up to 0.22; podGroupBackoffSeconds replaces it, later "
       "versions ignored it"},
      {"kubeMaster", kConnection},
      {"kubeConfigPath", kConnection},
      {"podGroupGCIntervalSeconds", kLabels},
      {"podGroupExpirationTimeSeconds", kLabels},
  };
  for (const auto& [name, reason] : kDropped) {
    if (args.erase(name) > 0) reporter.Dropped(path + "." + name, reason);
  }
}

}  // namespace berth::convert
