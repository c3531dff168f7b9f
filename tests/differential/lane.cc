// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/lane.h"

#include <fstream>

#include "base/yaml/yaml.h"

namespace berth::differential {

// These want PriorityClasses, ServiceAccounts and RuntimeClasses beside the pods, and a controller
// that lets volumes go.
Lane::Lane(Scheduler::Program program, const Json& profiles, const std::filesystem::path& folder)
    : name_(Scheduler::NameOf(program)),
      folder_(folder),
      control_plane_(integration::Controllers::kNone, {"Priority", "RuntimeClass", "ServiceAccount",
                                                       "StorageObjectInUseProtection"}),
      api_(control_plane_.api()),
      canary_(api_),
      scheduler_(program, profiles, control_plane_.admin_kubeconfig(), folder) {}

Result<void> Lane::Open() {
  BERTH_TRY_VOID(canary_.Prepare());
  scheduler_.Start();
  const auto ready = canary_.AwaitNodes(0);
  if (!ready) return Fail(ready.error().With(name_ + ":\n" + scheduler_.Output()));
  return {};
}

Result<Json> Lane::Play(const Scenario& scenario) {
  auto transcript = differential::Play({api_, scheduler_, canary_}, scenario);
  if (transcript) {
    std::filesystem::create_directories(folder_ / scenario.area);
    const std::string file = scenario.name + "." + name_ + ".yaml";
    std::ofstream(folder_ / scenario.area / file) << yaml::FromJson(transcript->dump());
  }
  return transcript;
}

}  // namespace berth::differential
