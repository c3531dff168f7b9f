// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/cluster.h"

#include <utility>

#include "scheduler/framework/extender.h"

namespace berth::conformance {

Result<std::unique_ptr<scheduler::ExtenderPort>> Cluster::NoPort(const api::Extender& extender) {
  return ConfigError("no port for the extender " + extender.url_prefix);
}

Result<std::unique_ptr<Cluster>> Cluster::Create(const Fixture& fixture,
                                                 const scheduler::Registry& registry,
                                                 ResultCacheMode mode,
                                                 const scheduler::MakeExtenderPort& make_port) {
  if (const auto errors = api::Validate(fixture.config); !errors.empty()) {
    return ConfigError(api::Aggregate(errors));
  }
  std::unique_ptr<Cluster> cluster(new Cluster());
  cluster->cache_ = std::make_unique<scheduler::Cache>(cluster->words_);
  const scheduler::PluginHandle handle{cluster->clock_, cluster->api_, cluster->words_};
  BERTH_TRY(const auto extenders,
            scheduler::Extenders::Create(fixture.config.extenders, make_port, handle));
  // The fixtures were recorded without the feature gates that are off by default.
  api::KubeSchedulerProfile profile = fixture.config.profiles.front();
  profile.plugins.multi_point.disabled.push_back({"GangScheduling"});
  BERTH_TRY(cluster->profile_,
            scheduler::Profile::Create(profile, fixture.config.percentage_of_nodes_to_score,
                                       registry, handle, extenders));
  if (mode != ResultCacheMode::kOff) cluster->result_cache_.emplace();
  cluster->AddObjects(fixture);
  return cluster;
}

void Cluster::AddObjects(const Fixture& fixture) {
  const auto put = [this](const auto& objects) {
    for (const auto& object : objects) cache_->Put(*object);
  };
  put(fixture.namespaces);
  put(fixture.services);
  put(fixture.replication_controllers);
  put(fixture.replica_sets);
  put(fixture.stateful_sets);
  for (const auto& budget : fixture.budgets) cache_->PutBudget(*budget);
  const auto put_whole = [this](const auto& objects) {
    for (const auto& object : objects) cache_->PutVolumeObject(object);
  };
  put_whole(fixture.volumes);
  put_whole(fixture.claims);
  put_whole(fixture.storage_classes);
  put_whole(fixture.csi_nodes);
  put_whole(fixture.csi_drivers);
  put_whole(fixture.storage_capacities);
  put_whole(fixture.volume_attachments);
  for (const auto& node : fixture.nodes) cache_->AddNode(node);
  for (const auto& pod : fixture.pods) {
    if (!pod->spec.node_name.empty()) {
      cache_->AddPod(*pod);
    } else if (!pod->status.nominated_node_name.empty()) {
      nominated_.Nominate(InfoOf(pod), pod->status.nominated_node_name);
    }
  }
}

Result<void> Cluster::Place(const scheduler::PendingPod& pod, const std::string& node) {
  return cache_->Assume(pod.AssumedOn(words_.Intern(node)));
}

}  // namespace berth::conformance
