// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "engine/api_writer.h"
#include "engine/write_bodies.h"
#include "http/timer.h"
#include "scheduler/framework/ports.h"

namespace berth::engine {

struct ApiPortOptions {
  // Posts a function to the scheduling thread.
  std::function<void(std::function<void()>)> post;
  // Records an event; must not block.
  std::function<void(const api::ObjectReference&, scheduler::ObjectEvent)> record;
  std::function<double()> random;  // in [0, 1)

  std::chrono::milliseconds first_lookup_delay{
      100};  // delay between lookups of an unknown outcome; doubled each time
  std::chrono::milliseconds max_lookup_delay{5'000};
};

// ApiServerPort sends the core's writes to the API server, through the writer. Writes for one
// object are sent one after another, in the order of the calls. The exception is a queued status
// patch: a newer patch is merged into it, unless its condition has another type, and a binding
// cancels it, since the patch is obsolete then.
//
// Bind: the response may be lost although the pod was bound. The pod is then looked up, until its
// state is known, before the core is notified. Bound to our node, by any request, is success; not
// bound is retried up to three times after a transient error; bound to another node, deleted or
// replaced is an error. So an assumed pod is neither leaked nor bound twice.
//
// Writes to a volume or a claim are looked up in the same way, also after a conflict: our own write
// may have caused it.
//
// A victim is deleted with its uid as a precondition, which upstream omits. So a repeated or late
// deletion cannot hit the next pod of that name.
//
// All writes are fenced: none is sent when this process may have lost leadership.
//
// Owned by the scheduling thread, like the core: it makes all calls, and `post` returns all
// responses to it.
class ApiServerPort final : public scheduler::ApiPort {
 public:
  // Requires: writer and timer outlive this. Responses after the destruction are dropped.
  ApiServerPort(ApiWriter& writer, http::Timer& timer, ApiPortOptions options);
  ~ApiServerPort() override;

  void Bind(const scheduler::PodRef& pod, const std::string& node, Done done) override;
  void PatchPodStatus(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch,
                      Done done) override;
  void MarkVictim(const scheduler::PodRef& victim, api::PodCondition condition, Done done) override;
  void DeletePod(const scheduler::PodRef& victim, Done done) override;
  void EvictPod(const scheduler::PodRef& victim, Done done) override;
  void ReadPod(const scheduler::PodRef& pod, PodDone done) override;
  void BindVolume(const api::PersistentVolume& assumed, Done done) override;
  void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) override;
  void PatchGroupCondition(const api::ObjectReference& group, api::Condition condition,
                           Done done) override;
  void RecordEvent(const api::ObjectReference& about, scheduler::ObjectEvent event) override;

  // Returns the number of calls without a result, for a graceful stop. A merged patch is not
  // counted.
  size_t InFlight() const;
  // Returns the number of binding calls among them.
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
  struct Target;

  // Merges the patch into a queued one, or enqueues it.
  void PatchStatus(Target target, StatusPatch patch, Done done);

  std::shared_ptr<State> state_;
};

}  // namespace berth::engine
