// SPDX-License-Identifier: Apache-2.0
#include "bench/loop_work.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/check.h"

namespace berth::bench {

LoopObjects MakeLoopObjects(const LoopOptions& options) {
  ClusterObjects cluster = MakeCluster(options.nodes, options.pods_per_node);
  LoopObjects objects;
  objects.nodes = std::move(cluster.nodes);
  objects.running = std::move(cluster.pods);
  size_t serial = kFirstFreeSerial;
  for (const PodShape& shape : options.shapes) objects.settling.push_back(MakePod(serial++, shape));
  for (size_t i = 0; i < options.round; ++i) {
    objects.pods.push_back(MakePod(serial++, options.shapes[i % options.shapes.size()]));
  }
  return objects;
}

LoopWork::LoopWork(const LoopOptions& options)
    : LoopWork(MakeLoopObjects(options), [](const scheduler::PluginHandle& handle) {
        const auto profile = DefaultProfile(handle);
        return scheduler::ProfileMap{{profile->scheduler_name(), profile}};
      }) {}

LoopWork::LoopWork(LoopObjects objects, const MakeProfiles& make_profiles)
    : settling_(std::move(objects.settling)), pods_(std::move(objects.pods)) {
  scheduler_.SetProfiles(make_profiles({clock_, api_, words_}));
  scenario::Identities identities(0);
  scenario::Manifests others(identities);
  for (const scenario::Manifest& other : objects.others) {
    const auto made = others.Create(other, clock_.Wall(), scheduler_);
    BERTH_CHECK(made.has_value(), made.error().message());
  }
  for (const auto& group : objects.groups) scheduler_.On(api::Added(group));
  for (const auto& node : objects.nodes) scheduler_.On(api::Added(node));
  for (const auto& pod : objects.running) scheduler_.On(api::Added(pod));
}

void LoopWork::Round(Meter& meter) {
  for (const auto& pod : come_) scheduler_.On(api::Deleted<api::Pod>(pod->metadata.uid));
  come_.clear();
  Unmeasured unmeasured;
  Schedule(settling_, unmeasured);
  Schedule(pods_, meter);
}

void LoopWork::Schedule(const Pods& pods, Meter& meter) {
  api_.bindings.clear();
  {
    const Measured measured(meter);
    for (const auto& pod : pods) scheduler_.On(api::Added(pod));
    while (scheduler_.ScheduleOne()) {
    }
  }
  const Pods confirmed = Confirmations(pods);
  {
    const Measured measured(meter);
    for (const auto& pod : confirmed) scheduler_.On(api::Added(pod));
  }
  come_.insert(come_.end(), pods.begin(), pods.end());
}

// Returns the pods that the watch delivers after the bindings.
LoopObjects::Pods LoopWork::Confirmations(const Pods& pods) const {
  std::unordered_map<std::string_view, const api::Pod*> by_uid;
  for (const auto& pod : pods) by_uid.emplace(pod->metadata.uid, pod.get());
  Pods confirmed;
  confirmed.reserve(api_.bindings.size());
  for (const InstantApi::Binding& binding : api_.bindings) {
    api::Pod bound = *by_uid.at(binding.uid);
    bound.spec.node_name = binding.node;
    bound.metadata.resource_version += "0";
    confirmed.push_back(std::make_shared<const api::Pod>(std::move(bound)));
  }
  return confirmed;
}

}  // namespace berth::bench
