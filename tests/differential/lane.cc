// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/lane.h"

#include <fstream>

#include "base/yaml/yaml.h"
#include "tests/differential/settings.h"

namespace berth::differential {

// The disabled admission plugins require PriorityClasses, ServiceAccounts and RuntimeClasses for
// pods, and controllers that remove the finalizers of volumes and PodGroups.
Lane::Lane(Scheduler::Program program, Json profiles, const std::filesystem::path& folder)
    : name_(Scheduler::NameOf(program)),
      profiles_(std::move(profiles)),
      folder_(folder),
      control_plane_(integration::Controllers::kNone,
                     {"PodGroupProtection", "Priority", "RuntimeClass", "ServiceAccount",
                      "StorageObjectInUseProtection"},
                     {Scheduler::kFeatureGates, "--runtime-config=scheduling.k8s.io/v1beta1=true"}),
      api_(control_plane_.api()),
      canary_(api_),
      extenders_(api_),
      scheduler_(program, control_plane_.admin_kubeconfig(), folder) {}

Result<void> Lane::Open() {
  BERTH_TRY_VOID(canary_.Prepare());
  scheduler_.Configure(profiles_, Json::array());
  scheduler_.Start();
  const auto ready = canary_.AwaitNodes(0);
  if (!ready) return Fail(ready.error().With(name_ + ":\n" + scheduler_.Output()));
  return {};
}

Result<void> Lane::StartFor(const Scenario& scenario) {
  extenders_.Play(scenario.extenders);
  const bool can_share = scenario.extenders.empty();
  if (can_share && is_shared_) return {};
  scheduler_.Stop();
  scheduler_.Configure(can_share ? profiles_ : Profiles({scenario}),
                       extenders_.Configured(scenario.extenders));
  scheduler_.Start();
  is_shared_ = can_share;
  return canary_.AwaitNodes(0);
}

Result<Json> Lane::Play(const Scenario& scenario) {
  if (auto started = StartFor(scenario); !started) {
    return Fail(started.error().With(name_ + " with its extenders:\n" + scheduler_.Output()));
  }
  auto transcript = differential::Play({api_, scheduler_, canary_, extenders_}, scenario);
  if (transcript) {
    std::filesystem::create_directories(folder_ / scenario.area);
    const std::string file = scenario.name + "." + name_ + ".yaml";
    std::ofstream(folder_ / scenario.area / file) << yaml::FromJson(transcript->dump());
  }
  return transcript;
}

}  // namespace berth::differential
