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

// Cluster is a fixture loaded into the core: its objects in a cache, its configuration as a
// profile, and a result cache for the pods of the case.
class Cluster {
 public:
  // Returns an error if this version does not serve the configuration; the case then fails.
  // `make_port` creates the ports of the configured extenders.
  static Result<std::unique_ptr<Cluster>> Create(
      const Fixture& fixture, const scheduler::Registry& registry, ResultCacheMode mode,
      const scheduler::MakeExtenderPort& make_port = NoPort);

  const scheduler::Profile& profile() const { return *profile_; }
  const scheduler::Snapshot& snapshot() const { return *cache_; }
  const scheduler::Nominations& nominated() const { return nominated_; }
  size_t& start() { return start_; }
  // The result cache for SchedulePod; null with ResultCacheMode::kOff.
  scheduler::ResultCache* result_cache() { return result_cache_ ? &*result_cache_ : nullptr; }

  scheduler::Cache& cache() { return *cache_; }
  scheduler::Nominator& nominator() { return nominated_; }

  std::shared_ptr<const scheduler::PendingPod> InfoOf(const std::shared_ptr<const api::Pod>& pod) {
    return scheduler::PendingPod::Create(pod, words_);
  }

  // Adds a pod to a node in the cache, for the following steps.
  Result<void> Place(const scheduler::PendingPod& pod, const std::string& node);

 private:
  // NoApi completes every call successfully: a conformance run binds nothing.
  class NoApi final : public scheduler::ApiPort {
   public:
    void Bind(const scheduler::PodRef&, const std::string&, Done done) override { done({}); }
    void PatchPodStatus(const scheduler::PodRef&, scheduler::PodStatusPatch, Done done) override {
      done({});
    }
    void MarkVictim(const scheduler::PodRef&, api::PodCondition, Done done) override { done({}); }
    void DeletePod(const scheduler::PodRef&, Done done) override { done({}); }
    void EvictPod(const scheduler::PodRef&, Done done) override { done({}); }
    void ReadPod(const scheduler::PodRef&, PodDone done) override {
      done(Fail(Reason::kNotFound, "no pod is stored"));
    }
    void BindVolume(const api::PersistentVolume&, Done done) override { done({}); }
    void SelectNode(const api::PersistentVolumeClaim&, Done done) override { done({}); }
    void PatchGroupCondition(const api::ObjectReference&, api::Condition, Done done) override {
      done({});
    }
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
