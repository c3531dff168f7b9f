// SPDX-License-Identifier: Apache-2.0
#include "bench/loop_work.h"

#include "base/check.h"

namespace berth::bench {

LoopWork::LoopWork(const LoopOptions& options) {
  const auto profile = DefaultProfile({clock_, api_, words_});
  scheduler_.SetProfiles({{profile->scheduler_name(), profile}});
  const ClusterObjects cluster = MakeCluster(options.nodes, options.pods_per_node);
  for (const auto& node : cluster.nodes) scheduler_.OnNodeAdd(node);
  for (const auto& pod : cluster.pods) scheduler_.OnPod(pod);
  size_t serial = kFirstFreeSerial;
  for (const PodShape& shape : options.shapes) settling_.push_back(MakePod(serial++, shape));
  for (size_t i = 0; i < options.round; ++i) {
    pods_.push_back(MakePod(serial++, options.shapes[i % options.shapes.size()]));
  }
}

void LoopWork::Round(Meter& meter) {
  for (const auto& pod : running_) scheduler_.OnPodDelete(pod->metadata.uid);
  running_.clear();
  Unmeasured unmeasured;
  Schedule(settling_, unmeasured);
  Schedule(pods_, meter);
}

void LoopWork::Schedule(const Pods& pods, Meter& meter) {
  api_.bindings.clear();
  {
    const Measured measured(meter);
    for (const auto& pod : pods) scheduler_.OnPod(pod);
    while (scheduler_.ScheduleOne()) {
    }
  }
  const Pods confirmed = Confirmations(pods);
  {
    const Measured measured(meter);
    for (const auto& pod : confirmed) scheduler_.OnPod(pod);
  }
  running_.insert(running_.end(), confirmed.begin(), confirmed.end());
}

// Confirmations is what the watch brings after the bindings.
LoopWork::Pods LoopWork::Confirmations(const Pods& pods) const {
  BERTH_CHECK(api_.bindings.size() == pods.size(), "every pod was bound");
  Pods confirmed;
  confirmed.reserve(pods.size());
  for (size_t i = 0; i < pods.size(); ++i) {
    const InstantApi::Binding& binding = api_.bindings[i];
    BERTH_CHECK(binding.uid == pods[i]->metadata.uid, "pods are bound in the order they came");
    api::Pod bound = *pods[i];
    bound.spec.node_name = binding.node;
    bound.metadata.resource_version += "0";
    confirmed.push_back(std::make_shared<const api::Pod>(std::move(bound)));
  }
  return confirmed;
}

}  // namespace berth::bench
