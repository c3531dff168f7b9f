// SPDX-License-Identifier: Apache-2.0
// The cluster and the pods of a scenario file, through the whole loop with the scenario's profiles.
#include <filesystem>

#include "bench/cases.h"
#include "bench/loop_work.h"
#include "scenario/load.h"
#include "scenario/profiles.h"
#include "scenario/workload.h"

namespace berth::bench {
namespace {

scheduler::ProfileMap ProfilesOf(const scenario::Scenario& scenario,
                                 const scheduler::PluginHandle& handle) {
  auto profiles = scenario::BuildProfiles(scenario.profiles, handle);
  BERTH_CHECK(profiles.has_value(), profiles.error().message());
  return std::move(*profiles);
}

}  // namespace

Result<Case> ScenarioCase(const std::string& path) {
  BERTH_TRY(auto scenario, scenario::LoadFile(path));
  BERTH_TRY(auto workload, scenario::MakeWorkload(scenario));
  if (workload.pending.empty()) return ConfigError(path + ": has no pending pods");
  const LoopObjects objects{std::move(workload.nodes),
                            std::move(workload.assigned),
                            {},
                            std::move(workload.pending),
                            std::move(workload.others)};
  return Case{"scenario/" + std::filesystem::path(path).stem().string(),
              [scenario = std::move(scenario), objects] {
                return std::make_unique<LoopWork>(objects,
                                                  [&](const scheduler::PluginHandle& handle) {
                                                    return ProfilesOf(scenario, handle);
                                                  });
              }};
}

}  // namespace berth::bench
