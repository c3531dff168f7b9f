// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/fake_clock.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/descriptor.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler::testing {

// RecordingApi records the requests; the test completes them.
class RecordingApi final : public ApiPort {
 public:
  struct BindCall {
    PodRef pod;
    std::string node;
    Done done;
  };
  struct PatchCall {
    PodRef pod;
    PodStatusPatch patch;
    Done done;
  };
  // VictimCall is a "mark", "delete" or "evict" request.
  struct VictimCall {
    std::string call;
    PodRef pod;
    std::optional<api::PodCondition> condition;
    Done done;
  };

  struct ReadCall {
    PodRef pod;
    PodDone done;
  };

  // WriteCall is a request with the desired state of an object.
  template <class T>
  struct WriteCall {
    std::shared_ptr<const T> assumed;
    Done done;
  };

  struct GroupCall {
    api::ObjectReference group;
    api::Condition condition;
    Done done;
  };

  void Bind(const PodRef& pod, const std::string& node, Done done) override {
    binds.push_back({pod, node, std::move(done)});
  }
  void PatchPodStatus(const PodRef& pod, PodStatusPatch patch, Done done) override {
    patches.push_back({pod, std::move(patch), std::move(done)});
  }
  void MarkVictim(const PodRef& victim, api::PodCondition condition, Done done) override {
    victims.push_back({"mark", victim, std::move(condition), std::move(done)});
  }
  void DeletePod(const PodRef& victim, Done done) override {
    victims.push_back({"delete", victim, std::nullopt, std::move(done)});
  }
  void EvictPod(const PodRef& victim, Done done) override {
    victims.push_back({"evict", victim, std::nullopt, std::move(done)});
  }
  void ReadPod(const PodRef& pod, PodDone done) override {
    reads.push_back({pod, std::move(done)});
  }
  void BindVolume(const api::PersistentVolume& assumed, Done done) override {
    volumes.push_back({std::make_shared<const api::PersistentVolume>(assumed), std::move(done)});
  }
  void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) override {
    claims.push_back(
        {std::make_shared<const api::PersistentVolumeClaim>(assumed), std::move(done)});
  }
  void PatchGroupCondition(const api::ObjectReference& group, api::Condition condition,
                           Done done) override {
    groups.push_back({group, std::move(condition), std::move(done)});
  }
  void RecordEvent(const api::ObjectReference& about, ObjectEvent event) override {
    events.emplace_back(about, std::move(event));
  }

  std::vector<BindCall> binds;
  std::vector<PatchCall> patches;
  std::vector<VictimCall> victims;
  std::vector<ReadCall> reads;
  std::vector<WriteCall<api::PersistentVolume>> volumes;
  std::vector<WriteCall<api::PersistentVolumeClaim>> claims;
  std::vector<GroupCall> groups;
  std::vector<std::pair<api::ObjectReference, ObjectEvent>> events;
};

// Decodes an object from YAML or JSON; a missing UID is set to the object's key.
template <VolumeObject T>
std::shared_ptr<const T> ObjectOf(const std::string& text) {
  const auto json = yaml::ToJson(text);
  BERTH_CHECK(json.has_value(), json.error().message());
  auto made = json::Decode<T>(*json, json::Mode::kStrict);
  BERTH_CHECK(made.has_value(), made.error().message());
  if (made->metadata.uid.empty()) made->metadata.uid = api::KeyOf(made->metadata);
  return std::make_shared<const T>(std::move(*made));
}

// TestCluster holds nodes and placed pods, as a plugin sees them in a cycle.
class TestCluster {
 public:
  TestCluster& Add(const NodeBuilder& node);
  TestCluster& Add(const PodBuilder& pod);  // Requires: OnNode
  // Adds a storage object from YAML or JSON: Add<api::PersistentVolume>("metadata: …"). A missing
  // UID is set to the object's key. Invalid text ends the test program.
  template <VolumeObject T>
  TestCluster& Add(const std::string& text) {
    cache_.PutVolumeObject(ObjectOf<T>(text));
    return *this;
  }

  Cache& cache() { return cache_; }
  const Snapshot& snapshot() const { return cache_; }
  Vocabulary& words() { return words_; }
  FakeClock& clock() { return clock_; }
  RecordingApi& api() { return api_; }
  PluginHandle handle() { return {clock_, api_, words_}; }

  Slot SlotOf(const std::string& node) const;
  NodeView View(const std::string& node, const NodeDelta* delta = nullptr) const {
    return cache_.View(SlotOf(node), delta);
  }

  // Creates a plugin T as a profile does, from args as JSON. Invalid args end the test program.
  template <class T>
  std::unique_ptr<T> Plugin(std::string args = "") {
    auto made = T::Descriptor().create({std::move(args)}, handle());
    BERTH_CHECK(made.has_value(), made.error().message());
    return std::unique_ptr<T>(dynamic_cast<T*>(made->release()));
  }

 private:
  Vocabulary words_;
  FakeClock clock_;
  RecordingApi api_;
  Cache cache_{words_};
};

// Simulated is a change to a node: pods to add, and pods to remove, which are found by their UID.
struct Simulated {
  PodList added, removed;

  NodeDelta On(const NodeInfo& node) const;
};

// Cycle is one scheduling attempt of a pod in a cluster.
class Cycle {
 public:
  Cycle(TestCluster& cluster, const PodBuilder& pod)
      : pod_(pod.Info(cluster.words())), context_{*pod_, cluster.snapshot(), state_} {}

  CycleContext& context() { return context_; }
  const PendingPod& pod() const { return *pod_; }

 private:
  std::shared_ptr<const PendingPod> pod_;
  CycleState state_;
  CycleContext context_;
};

// Returns a verdict as text: "Success", or "Unschedulable: Insufficient cpu, Insufficient memory".
std::string Text(const Verdict& verdict);
std::string Text(const Status& status);

// Runs PreFilter, if the plugin has it, and Filter. Returns the result for each node name. If
// PreFilter does not succeed, its result is stored with the key "".
std::map<std::string, std::string> FilterAll(const Plugin& plugin, Cycle& cycle);

// Runs PreScore, if the plugin has it, and Score. Returns the raw score for each node name; empty
// if PreScore skips.
std::map<std::string, int64_t> ScoreAll(const Plugin& plugin, Cycle& cycle);
// Returns the raw scores after the plugin's NormalizeScore. Requires: Normalizer::kCustom.
std::map<std::string, int64_t> NormalizeAll(const Plugin& plugin, Cycle& cycle);

// Create changed objects for queueing hints. A null old object is an addition, a null new one a
// deletion. A placed pod has the form that the cache stores.
EventObjects NodeChange(const NodeBuilder* before, const NodeBuilder* after);
EventObjects PodChange(Vocabulary& words, const PodBuilder* before, const PodBuilder* after);

}  // namespace berth::scheduler::testing
