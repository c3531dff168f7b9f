// SPDX-License-Identifier: Apache-2.0
// Pods with claims through the whole loop: bound claims, and claims that get a local volume.
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/volume_annotations.h"
#include "base/check.h"
#include "base/fake_clock.h"
#include "bench/cases.h"
#include "bench/fixtures.h"
#include "scheduler/observer.h"
#include "scheduler/scheduler.h"

namespace berth::bench {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

constexpr size_t kZones = 3;

enum class Claims { kBound, kUnbound };

std::string ClaimNamed(size_t i) { return fmt::format("claim-{}", i); }
std::string VolumeNamed(size_t i) { return fmt::format("volume-{}", i); }

// Returns a volume that is reachable from the nodes with that label value.
PersistentVolume VolumeOf(size_t i, std::string_view label, const std::string& value) {
  return *DecodeFixture<PersistentVolume>(fmt::format(
      R"({{"metadata":{{"name":"{0}","uid":"uid-{0}"}},"spec":{{"capacity":{{"storage":"10Gi"}},)"
      R"("accessModes":["ReadWriteOnce"],"storageClassName":"local","nodeAffinity":{{"required":)"
      R"({{"nodeSelectorTerms":[{{"matchExpressions":[{{"key":"{1}","operator":"In","values":["{2}"]}}]}}]}}}}}},)"
      R"("status":{{"phase":"Available"}}}})",
      VolumeNamed(i), label, value));
}

PersistentVolumeClaim ClaimOf(size_t i) {
  return *DecodeFixture<PersistentVolumeClaim>(fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"default","uid":"uid-{0}"}},"spec":{{"accessModes":)"
      R"(["ReadWriteOnce"],"storageClassName":"local","resources":{{"requests":{{"storage":"5Gi"}}}}}},)"
      R"("status":{{"phase":"Pending"}}}})",
      ClaimNamed(i)));
}

// VolumeWork takes pods with one claim each from their add event to the event that confirms the
// binding. With unbound claims there are twice as many local volumes as pods, one on each node. The
// responses of the API server and the controllers are measured as the events that they cause.
// Between rounds, unmeasured, the pods are deleted and the volumes are released. An operation is
// one pod.
class VolumeWork final : public Workload {
 public:
  VolumeWork(const Scale& scale, Claims claims);

  size_t Operations() const override { return pods_.size(); }
  void Round(Meter& meter) override;

 private:
  template <class T>
  std::shared_ptr<const T> NextVersion(T object) {
    object.metadata.resource_version = std::to_string(++version_);
    return std::make_shared<const T>(std::move(object));
  }
  template <class T>
  void Show(T object) {
    scheduler_.On(api::Added(NextVersion(std::move(object))));
  }
  void Reset();
  void Bind(Meter& meter);
  void Confirm(Meter& meter);

  FakeClock clock_;
  InstantApi api_;
  scheduler::Vocabulary words_;
  scheduler::SchedulerObserver observer_;
  scheduler::Scheduler scheduler_{clock_, api_, words_, observer_};
  const Claims claims_;
  std::vector<PersistentVolume> volumes_;
  std::vector<std::shared_ptr<const api::Pod>> pods_;
  uint64_t version_ = 0;
};

VolumeWork::VolumeWork(const Scale& scale, Claims claims) : claims_(claims) {
  const auto profile = DefaultProfile({clock_, api_, words_});
  scheduler_.SetProfiles({{profile->scheduler_name(), profile}});
  Show(*DecodeFixture<api::StorageClass>(
      R"({"metadata":{"name":"local","uid":"local"},"provisioner":"kubernetes.io/no-provisioner",)"
      R"("volumeBindingMode":"WaitForFirstConsumer"})"));
  ClusterObjects cluster = MakeCluster(scale.nodes, scale.pods_per_node);
  for (const auto& pod : cluster.pods) scheduler_.On(api::Added(pod));
  for (const auto& node : cluster.nodes) scheduler_.On(api::Added(node));
  const size_t volumes = claims == Claims::kBound ? scale.round : 2 * scale.round;
  for (size_t i = 0; i < volumes; ++i) {
    const std::string& label = claims == Claims::kBound ? kZone : kHostname;
    const api::Node& node =
        *cluster.nodes[claims == Claims::kBound ? i % kZones : i * cluster.nodes.size() / volumes];
    volumes_.push_back(VolumeOf(i, label, node.metadata.labels.at(label)));
  }
  for (size_t i = 0; i < scale.round; ++i) {
    auto pod = std::make_shared<api::Pod>(*MakePod(kFirstFreeSerial + i, PlainShape()));
    pod->metadata.namespace_ = "default";
    pod->spec.volumes.emplace_back().persistent_volume_claim.Edit().claim_name = ClaimNamed(i);
    pods_.push_back(std::move(pod));
  }
  Reset();
}

// Deletes the pods and resets volumes and claims to their state at the start of a round.
void VolumeWork::Reset() {
  for (const auto& pod : pods_) scheduler_.On(api::Deleted<api::Pod>(pod->metadata.uid));
  for (const PersistentVolume& volume : volumes_) Show(volume);
  for (size_t i = 0; i < pods_.size(); ++i) {
    PersistentVolumeClaim claim = ClaimOf(i);
    if (claims_ == Claims::kBound) {
      claim.spec.volume_name = VolumeNamed(i);
      claim.metadata.annotations[std::string(api::kBindCompleted)] = "yes";
    }
    Show(std::move(claim));
  }
  api_.bindings.clear();
  api_.volumes.clear();
}

void VolumeWork::Round(Meter& meter) {
  Reset();
  {
    const Measured measured(meter);
    for (const auto& pod : pods_) scheduler_.On(api::Added(pod));
    while (scheduler_.ScheduleOne()) {
    }
  }
  Bind(meter);
  BERTH_CHECK(api_.bindings.size() == pods_.size(), "every pod has a place");
  Confirm(meter);
}

// Delivers the written objects, and the claims as the PV controller binds them.
void VolumeWork::Bind(Meter& meter) {
  std::vector<std::shared_ptr<const PersistentVolume>> volumes;
  std::vector<std::shared_ptr<const PersistentVolumeClaim>> claims;
  for (const PersistentVolume& written : api_.volumes) {
    const auto& named = *written.spec.claim_ref;
    PersistentVolumeClaim claim =
        *scheduler_.cache().Volumes().Find<PersistentVolumeClaim>("default/" + named.name);
    claim.spec.volume_name = written.metadata.name;
    claim.metadata.annotations[std::string(api::kBindCompleted)] = "yes";
    volumes.push_back(NextVersion(written));
    claims.push_back(NextVersion(std::move(claim)));
  }
  const Measured measured(meter);
  for (const auto& volume : volumes) scheduler_.On(api::Added(volume));
  for (const auto& claim : claims) scheduler_.On(api::Added(claim));
}

void VolumeWork::Confirm(Meter& meter) {
  std::unordered_map<std::string_view, const api::Pod*> by_uid;
  for (const auto& pod : pods_) by_uid.emplace(pod->metadata.uid, pod.get());
  std::vector<std::shared_ptr<const api::Pod>> confirmed;
  for (const InstantApi::Binding& binding : api_.bindings) {
    api::Pod bound = *by_uid.at(binding.uid);
    bound.spec.node_name = binding.node;
    bound.metadata.resource_version += "0";
    confirmed.push_back(std::make_shared<const api::Pod>(std::move(bound)));
  }
  const Measured measured(meter);
  for (const auto& pod : confirmed) scheduler_.On(api::Added(pod));
}

}  // namespace

std::vector<Case> VolumeCases(const Scale& scale) {
  const auto named = [&](std::string_view name, Claims claims) {
    return Case{fmt::format("volumes/{}/nodes:{}", name, scale.nodes),
                [scale, claims] { return std::make_unique<VolumeWork>(scale, claims); }};
  };
  return {named("bound", Claims::kBound), named("local_unbound", Claims::kUnbound)};
}

}  // namespace berth::bench
