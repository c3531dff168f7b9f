// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/fake_clock.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/framework/extender_port.h"
#include "scheduler/framework/profile.h"
#include "scheduler/queue/nominator.h"
#include "tests/conformance/fixture.h"
#include "tests/conformance/reuse_mode.h"

namespace berth::conformance {

// Cluster is a fixture set up in the core: its objects in a cache, its configuration as a profile,
// and what is kept of answers over the pods of the case.
class Cluster {
 public:
  // Create fails when this version does not serve what the configuration asks for; the case has
  // failed then. Extenders of the configuration are asked by the ports that `make_port` gives.
  static Result<std::unique_ptr<Cluster>> Create(
      const Fixture& fixture, const scheduler::Registry& registry, ResultCacheMode mode,
      const scheduler::MakeExtenderPort& make_port = NoPort);

  const scheduler::Profile& profile() const { return *profile_; }
  const scheduler::Snapshot& snapshot() const { return *cache_; }
  const scheduler::Nominations& nominated() const { return nominated_; }
  size_t& start() { return start_; }
  // Of SchedulePod; null with ResultCacheMode::kOff.
  scheduler::ResultCache* result_cache() { return result_cache_ ? &*result_cache_ : nullptr; }

  scheduler::Cache& cache() { return *cache_; }
  scheduler::Nominator& nominator() { return nominated_; }

  std::shared_ptr<const scheduler::PendingPod> InfoOf(const std::shared_ptr<const api::Pod>& pod) {
    return scheduler::PendingPod::Create(pod, words_);
  }

  // Place counts a pod on a node as the following steps see it.
  Result<void> Place(const scheduler::PendingPod& pod, const std::string& node);

 private:
  // NoApi answers every call with success: nothing is bound in a conformance run.
  class NoApi final : public scheduler::ApiPort {
   public:
    void Bind(const scheduler::PodRef&, const std::string&, Done done) override { done({}); }
    void PatchPodStatus(const scheduler::PodRef&, scheduler::PodStatusPatch, Done done) override {
      done({});
    }
    void MarkVictim(const scheduler::PodRef&, api::PodCondition, Done done) override { done({}); }
    void DeletePod(const scheduler::PodRef&, Done done) override { done({}); }
    void EvictPod(const scheduler::PodRef&, Done done) override { done({}); }
    void BindVolume(const api::PersistentVolume&, Done done) override { done({}); }
    void SelectNode(const api::PersistentVolumeClaim&, Done done) override { done({}); }
    void RecordEvent(const api::ObjectReference&, scheduler::ObjectEvent) override {}
  };

  static Result<std::unique_ptr<scheduler::ExtenderPort>> NoPort(const api::Extender& extender);

  Cluster() = default;
  void AddObjects(const Fixture& fixture);

  scheduler::Vocabulary words_;
  FakeClock clock_;
  NoApi api_;
  std::unique_ptr<scheduler::Cache> cache_;
  std::shared_ptr<const scheduler::Profile> profile_;
  scheduler::Nominator nominated_;
  std::optional<scheduler::ResultCache> result_cache_;
  size_t start_ = 0;
};

}  // namespace berth::conformance
