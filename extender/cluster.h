// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "client/client.h"
#include "engine/api_port.h"
#include "engine/api_writer.h"
#include "engine/extender/object_texts.h"
#include "engine/informers.h"
#include "http/timer.h"
#include "scheduler/scheduler.h"

namespace berth::extender {

// Cluster connects the core with the API server: informers update the core, and bindings are
// written. Owned by the deciding thread, except where noted.
class Cluster {
 public:
  struct Parts {
    client::Client& client;
    const Clock& clock;
    std::function<void(std::function<void()>)> post;  // to the deciding thread
  };

  // Requires: all parts outlive this.
  explicit Cluster(const Parts& parts);
  ~Cluster();

  scheduler::ApiPort& port() { return port_; }
  size_t BindingsInFlight() const { return port_.BindingsInFlight(); }

  // Lists and watches pods, nodes and these kinds, for `core`. Call it once, before the deciding
  // thread runs. Requires: the core outlives Stop and the posted messages.
  void Follow(scheduler::Scheduler& core, scheduler::ObjectKindSet kinds);
  // Stops the watches. Any thread.
  void Stop();

  // Reports whether the first lists were applied. Any thread.
  bool synced() const { return synced_; }
  // Returns the current error of the informers, or nullopt. Any thread, after Follow.
  std::optional<std::string> FailureReason() const;

 private:
  const Parts parts_;
  http::ThreadTimer timer_;
  engine::ClientSender sender_;
  engine::ApiWriter writer_;
  engine::ApiServerPort port_;
  engine::KnownTexts texts_;  // keeps no texts
  scheduler::ObjectKindSet kinds_;
  std::atomic<bool> synced_ = false;
  std::unique_ptr<engine::Informers> informers_;
};

// NoCluster is the port of an extender without a cluster: every call fails. Such an extender does
// not bind, so none is made.
class NoCluster final : public scheduler::ApiPort {
 public:
  void Bind(const scheduler::PodRef&, const std::string&, Done done) override { Reject(done); }
  void PatchPodStatus(const scheduler::PodRef&, scheduler::PodStatusPatch, Done done) override {
    Reject(done);
  }
  void MarkVictim(const scheduler::PodRef&, api::PodCondition, Done done) override { Reject(done); }
  void DeletePod(const scheduler::PodRef&, Done done) override { Reject(done); }
  void EvictPod(const scheduler::PodRef&, Done done) override { Reject(done); }
  void ReadPod(const scheduler::PodRef&, PodDone done) override {
    done(Fail(Reason::kNotFound, "an extender has no pods"));
  }
  void BindVolume(const api::PersistentVolume&, Done done) override { Reject(done); }
  void SelectNode(const api::PersistentVolumeClaim&, Done done) override { Reject(done); }
  void PatchGroupCondition(const api::ObjectReference&, api::Condition, Done done) override {
    Reject(done);
  }
  void RecordEvent(const api::ObjectReference&, scheduler::ObjectEvent) override {}

 private:
  static void Reject(const Done& done) {
    done(Fail(Reason::kUnavailable, "this extender has no cluster connection"));
  }
};

}  // namespace berth::extender
