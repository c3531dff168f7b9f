// SPDX-License-Identifier: Apache-2.0
#include "convert/coscheduling.h"

namespace berth::convert {

void ConvertCoscheduling(const std::string& path, const Reporter& reporter, Members& args) {
  constexpr const char* kConnection = "the operator gives each scheduler its connection";
  constexpr const char* kLabels =
      "a group was what labels of its pods said then, and could be out of date; now it is a "
      "PodGroup";
  static constexpr struct {
    const char* name;
    const char* reason;
  } kDropped[] = {
      {"podGroupRejectPercentage",
       "a group is placed in one cycle, whole or not at all: no pod waits for those that lack "
       "room"},
      {"deniedPGExpirationTimeSeconds",
       "up to 0.22 a group that was refused was let alone for so long, which "
       "podGroupBackoffSeconds "
       "does now; later versions did not read it"},
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
