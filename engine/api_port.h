// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "engine/api_writer.h"
#include "http/timer.h"
#include "scheduler/framework/ports.h"

namespace berth::engine {

struct ApiPortOptions {
  // Post hands a function to the scheduling thread.
  std::function<void(std::function<void()>)> post;
  // Record takes events; it must not block.
  std::function<void(const api::ObjectReference&, scheduler::ObjectEvent)> record;
  std::function<double()> random;  // in [0, 1)

  std::chrono::milliseconds first_lookup_delay{
      100};  // between look-ups of an unknown outcome; doubled
  std::chrono::milliseconds max_lookup_delay{5'000};
};

// ApiServerPort carries what the core writes to the API server, through the writer. What is about
// one pod goes one after another, in the order it was asked for, except that a status patch that
// has not left makes way: a newer one takes it in and keeps its place, and before a binding, which
// makes it moot, it is given up.
//
// Bind: the answer may be lost although the binding was made. The pod is then looked up, as often
// as it takes, before the core hears anything: bound to our node, by this call or another, is
// success; not bound is tried once more; bound elsewhere, gone or replaced is an error. So an
// assumed pod is neither leaked nor bound twice.
//
// What is written into a volume or a claim is looked up in the same way, also after a conflict: it may
// be our own write that the object changed by.
//
// A victim is deleted under the precondition of its uid, which upstream leaves out: a deletion that
// is sent again, or comes late, cannot hit the next pod of that name.
//
// All writes are fenced: none leaves when leadership may be another's.
//
// Owned by the scheduling thread, like the core: all calls come from it, and `post` brings all
// answers back to it.
class ApiServerPort final : public scheduler::ApiPort {
 public:
  // Requires: writer and timer outlive this; after destruction answers that still come are dropped.
  ApiServerPort(ApiWriter& writer, http::Timer& timer, ApiPortOptions options);
  ~ApiServerPort() override;

  void Bind(const scheduler::PodRef& pod, const std::string& node, Done done) override;
  void PatchPodStatus(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch,
                      Done done) override;
  void MarkVictim(const scheduler::PodRef& victim, api::PodCondition condition, Done done) override;
  void DeletePod(const scheduler::PodRef& victim, Done done) override;
  void EvictPod(const scheduler::PodRef& victim, Done done) override;
  void BindVolume(const api::PersistentVolume& assumed, Done done) override;
  void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) override;
  void RecordEvent(const api::ObjectReference& about, scheduler::ObjectEvent event) override;

  // InFlight counts calls that are not at their end; a patch that was taken in by another is none of
  // them. For a graceful stop.
  size_t InFlight() const;
  // BindingsInFlight counts those of them that bind.
  size_t BindingsInFlight() const;

 private:
  class State;
  class Call;
  class LookedUpCall;
  class BindCall;
  template <class T>
  class VolumeCall;
  class RepeatedCall;
  class PatchCall;
  class RemovalCall;

  std::shared_ptr<State> state_;
};

// BindingBody, StatusPatchBody and EvictionBody are the JSON texts that are sent. Each names the
// pod's uid, so that it cannot hit another pod of that name.
std::string BindingBody(const scheduler::PodRef& pod, const std::string& node);
std::string StatusPatchBody(const scheduler::PodRef& pod, const scheduler::PodStatusPatch& patch);
std::string EvictionBody(const scheduler::PodRef& victim);
// VolumeBody and ClaimBody are merge patches, for the version that was decided about alone.
std::string VolumeBody(const api::PersistentVolume& assumed);
std::string ClaimBody(const api::PersistentVolumeClaim& assumed);

}  // namespace berth::engine
