// SPDX-License-Identifier: Apache-2.0
#include "engine/api_port.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "api/native_pod_group.h"
#include "api/pod.h"
#include "api/volume_annotations.h"
#include "base/check.h"
#include "base/json/json.h"
#include "engine/write_bodies.h"

namespace berth::engine {
namespace {

using client::ApiRequest;
using scheduler::PodRef;
using Done = scheduler::ApiPort::Done;

// Tries counts the tries of a write. There are four: the second after 10 ms, then after five times
// as long each, with 10 % jitter. Source: client-go util/retry/util.go, DefaultBackoff, which
// kube-scheduler uses for bindings and patches (pkg/scheduler/util/utils.go, BindPod and
// PatchPodStatus). It sends deletions once.
class Tries {
 public:
  // Returns the delay before the next try; nullopt after the last one.
  std::optional<std::chrono::milliseconds> Next(const std::function<double()>& random) {
    if (++made_ == kMost) return std::nullopt;
    const double jitter = 1.0 + 0.1 * random();
    const auto delay = std::chrono::milliseconds(
        static_cast<int64_t>(static_cast<double>(delay_.count()) * jitter));
    delay_ *= kFactor;
    return delay;
  }

 private:
  static constexpr int kMost = 4;
  static constexpr int kFactor = 5;
  int made_ = 0;
  std::chrono::milliseconds delay_{10};
};

bool IsWorthRepeating(const Error& error) {
  return error.IsTransient() || error.Is(Reason::kConflict);
}

Failure Replaced(const PodRef& pod) {
  return Fail(Reason::kNotFound, "pod " + pod.Key() + " was replaced by another of that name");
}

// Returns the pod that was read, if it is still the same.
Result<std::shared_ptr<const api::Pod>> FoundPod(const PodRef& pod,
                                                 const Result<std::string>& body) {
  if (!body) return Fail(body.error());
  BERTH_TRY(auto found, json::Decode<api::Pod>(*body));
  if (found.metadata.uid != pod.uid) return Replaced(pod);
  return std::make_shared<const api::Pod>(std::move(found));
}

// Reports whether an object contains our write.
bool IsAsWritten(const api::PersistentVolume& found, const api::PersistentVolume& assumed) {
  return found.spec.claim_ref && found.spec.claim_ref->uid == assumed.spec.claim_ref->uid;
}
bool IsAsWritten(const api::PersistentVolumeClaim& found,
                 const api::PersistentVolumeClaim& assumed) {
  const std::string* node = api::SelectedNodeOf(found);
  return node != nullptr && *node == *api::SelectedNodeOf(assumed);
}

}  // namespace

// Call is one call of the core about an object, from the first request to its result.
class ApiServerPort::Call {
 public:
  virtual ~Call() = default;

  virtual void Start() = 0;
  // Merges a newer patch, unless the request was sent already.
  virtual bool Absorb(const StatusPatch& /*newer*/, const Done& /*done*/) { return false; }
  // Cancels the call for a binding, unless the request was sent already.
  virtual bool GiveWay() { return false; }
};

// State is shared by the port and its running calls. It is destroyed with the port, so late
// responses are dropped. The callbacks stay on the scheduling thread, stored by number; other
// threads carry only the number. So the pod of a call is never destroyed on another thread.
class ApiServerPort::State : public std::enable_shared_from_this<State> {
 public:
  // Sent identifies a request without a response.
  struct Sent {
    ApiWriter::Ticket ticket;
    uint64_t call;
  };

  State(ApiWriter& writer, http::Timer& timer, ApiPortOptions options)
      : writer_(writer), timer_(timer), options_(std::move(options)) {}

  // Starts the call when no other call about that object is running.
  void Enqueue(const std::string& uid, const std::shared_ptr<Call>& call) {
    std::deque<std::shared_ptr<Call>>& calls = objects_[uid];
    calls.push_back(call);
    ++in_flight_;
    if (calls.size() == 1) call->Start();
  }

  // Merges a patch into the last enqueued call.
  bool Absorb(const std::string& uid, const StatusPatch& patch, const Done& done) {
    const auto found = objects_.find(uid);
    return found != objects_.end() && found->second.back()->Absorb(patch, done);
  }

  // Cancels the calls that a binding makes obsolete.
  void ClearWay(const std::string& uid) {
    const auto found = objects_.find(uid);
    if (found == objects_.end()) return;
    in_flight_ -= std::erase_if(found->second, [](const auto& call) { return call->GiveWay(); });
    if (found->second.empty()) objects_.erase(found);
  }

  // Ends the object's first call and starts the next. The caller notifies the core afterwards.
  void Finish(const std::string& uid) {
    --in_flight_;
    const auto found = objects_.find(uid);
    found->second.pop_front();
    if (found->second.empty()) {
      objects_.erase(found);
    } else {
      found->second.front()->Start();
    }
  }

  // Sends a request; `done` is called on the scheduling thread.
  Sent Send(WriteClass write_class, ApiRequest request,
            std::function<void(Result<std::string>)> done) {
    const uint64_t call = ++last_call_;
    answers_.emplace(call, std::move(done));
    const bool reads = request.method == "GET";
    const ApiWriter::Ticket ticket = writer_.Send(
        {.write_class = write_class,
         .request = std::move(request),
         .done =
             [weak = weak_from_this(), post = options_.post, call](Result<std::string> body) {
               post([weak, call, body = std::move(body)] {
                 if (const auto state = weak.lock()) Take(state->answers_, call)(body);
               });
             },
         .fenced = !reads});
    return {ticket, call};
  }

  bool Replace(const Sent& sent, ApiRequest request) {
    return writer_.Replace(sent.ticket, std::move(request));
  }
  bool Withdraw(const Sent& sent) {
    if (!writer_.Withdraw(sent.ticket)) return false;
    Take(answers_, sent.call);
    return true;
  }

  // Runs a step on the scheduling thread after a delay.
  void Later(std::chrono::milliseconds delay, std::function<void()> step) {
    const uint64_t call = ++last_call_;
    steps_.emplace(call, std::move(step));
    timer_.After(delay, [weak = weak_from_this(), post = options_.post, call] {
      post([weak, call] {
        if (const auto state = weak.lock()) Take(state->steps_, call)();
      });
    });
  }

  const ApiPortOptions& options() const { return options_; }
  size_t in_flight() const { return in_flight_; }
  size_t bindings() const { return bindings_; }
  void BindingBegan() { ++bindings_; }
  void BindingEnded() { --bindings_; }

 private:
  template <class Function>
  using ByCall = std::unordered_map<uint64_t, Function>;
  template <class Function>
  static Function Take(ByCall<Function>& calls, uint64_t call) {
    auto taken = calls.extract(call);
    BERTH_CHECK(!taken.empty(), "a call is answered once");
    return std::move(taken.mapped());
  }

  ApiWriter& writer_;
  http::Timer& timer_;
  const ApiPortOptions options_;
  // By the uid of the object; the front is running.
  std::unordered_map<std::string, std::deque<std::shared_ptr<Call>>> objects_;
  size_t in_flight_ = 0;
  size_t bindings_ = 0;  // the subset that binds
  uint64_t last_call_ = 0;
  ByCall<std::function<void(Result<std::string>)>> answers_;  // callbacks for responses
  ByCall<std::function<void()>> steps_;                       // callbacks for delayed steps
};

// LookedUpCall is one write from the first request to a known outcome.
class ApiServerPort::LookedUpCall : public Call, public std::enable_shared_from_this<LookedUpCall> {
 public:
  LookedUpCall(State& state, std::string uid, Done done)
      : state_(state), uid_(std::move(uid)), done_(std::move(done)) {}

  void Start() override {
    state_.Send(
        WriteClass::kBinding, Request(),
        [self = shared_from_this()](Result<std::string> body) { self->OnAnswer(std::move(body)); });
  }

 protected:
  virtual ApiRequest Request() const = 0;
  virtual ApiRequest LookUpRequest() const = 0;
  // Checks the looked-up object. Returns true if it was written, by any request; false if the write
  // may be retried. An error is the outcome.
  virtual Result<bool> IsDone(const std::string& body, const Error& cause) const = 0;
  virtual void Ended() {}

  State& state() const { return state_; }

 private:
  void OnAnswer(Result<std::string> body) {
    if (body) return Finish({});
    if (IsWorthRepeating(body.error())) return LookUp(std::move(body).error());
    Finish(Fail(std::move(body).error()));
  }

  // Reads the object to learn the outcome; `cause` is the error of the write.
  void LookUp(Error cause) {
    state_.Send(WriteClass::kBinding, LookUpRequest(),
                [self = shared_from_this(), cause](Result<std::string> body) {
                  self->OnLookedUp(cause, std::move(body));
                });
  }

  void OnLookedUp(const Error& cause, Result<std::string> body) {
    if (!body && body.error().IsTransient()) {
      const auto delay = lookup_delay_;
      lookup_delay_ = std::min(lookup_delay_ * 2, state_.options().max_lookup_delay);
      return state_.Later(delay, [self = shared_from_this(), cause] { self->LookUp(cause); });
    }
    if (!body) return Finish(Fail(std::move(body).error()));
    const Result<bool> done = IsDone(*body, cause);
    if (!done) return Finish(Fail(done.error()));
    if (*done) return Finish({});
    if (cause.IsTransient()) {
      if (const auto delay = tries_.Next(state_.options().random)) {
        return state_.Later(*delay, [self = shared_from_this()] { self->Start(); });
      }
    }
    Finish(Fail(cause));
  }

  void Finish(Result<void> result) {
    Ended();
    state_.Finish(uid_);
    done_(std::move(result));
  }

  State& state_;
  const std::string uid_;
  const Done done_;
  Tries tries_;
  std::chrono::milliseconds lookup_delay_ = state_.options().first_lookup_delay;
};

// BindCall is one binding.
class ApiServerPort::BindCall final : public LookedUpCall {
 public:
  BindCall(State& state, PodRef pod, std::string node, Done done)
      : LookedUpCall(state, pod.uid, std::move(done)),
        pod_(std::move(pod)),
        node_(std::move(node)) {
    state.BindingBegan();
  }

 private:
  ApiRequest Request() const override {
    return client::CreateRequest(api::Pod::kResource, pod_.namespace_, BindingBody(pod_, node_),
                                 pod_.name, "binding");
  }
  ApiRequest LookUpRequest() const override {
    return client::GetRequest(api::Pod::kResource, pod_.namespace_, pod_.name);
  }
  Result<bool> IsDone(const std::string& body, const Error& /*cause*/) const override {
    BERTH_TRY(const auto found, FoundPod(pod_, body));
    const std::string& bound_to = found->spec.node_name;
    if (bound_to.empty() || bound_to == node_) return !bound_to.empty();
    return Fail(Reason::kConflict, "pod " + pod_.Key() + " is bound to " + bound_to);
  }
  void Ended() override { state().BindingEnded(); }

  const PodRef pod_;
  const std::string node_;
};

// VolumeCall is one patch of a volume or a claim.
template <class T>
class ApiServerPort::VolumeCall final : public LookedUpCall {
 public:
  VolumeCall(State& state, const T& assumed, std::string patch, Done done)
      : LookedUpCall(state, assumed.metadata.uid, std::move(done)),
        assumed_(assumed),
        patch_(std::move(patch)) {}

 private:
  ApiRequest Request() const override {
    const api::ObjectMeta& metadata = assumed_.metadata;
    return client::PatchRequest(T::kResource, metadata.namespace_, metadata.name, patch_,
                                {.type = client::PatchType::kMerge});
  }
  ApiRequest LookUpRequest() const override {
    return client::GetRequest(T::kResource, assumed_.metadata.namespace_, assumed_.metadata.name);
  }
  Result<bool> IsDone(const std::string& body, const Error& cause) const override {
    BERTH_TRY(const T found, json::Decode<T>(body));
    const api::ObjectMeta& metadata = assumed_.metadata;
    if (found.metadata.uid != metadata.uid) {
      return Fail(Reason::kNotFound, std::string(T::kResource.plural) + " " + api::KeyOf(metadata) +
                                         " was replaced by another of that name");
    }
    if (IsAsWritten(found, assumed_)) return true;
    if (found.metadata.resource_version == metadata.resource_version) return false;
    if (cause.Is(Reason::kConflict)) return Fail(cause);
    return Fail(Reason::kConflict, std::string(T::kResource.plural) + " " + api::KeyOf(metadata) +
                                       " was changed by another client");
  }

  const T assumed_;
  const std::string patch_;
};

// RepeatedCall is one write with retries.
class ApiServerPort::RepeatedCall : public Call, public std::enable_shared_from_this<RepeatedCall> {
 public:
  RepeatedCall(State& state, std::string uid, WriteClass write_class)
      : state_(state), uid_(std::move(uid)), write_class_(write_class) {}

  void Start() override {
    sent_ = state_.Send(
        write_class_, Request(),
        [self = shared_from_this()](const Result<std::string>& body) { self->OnAnswer(body); });
  }

 protected:
  virtual ApiRequest Request() const = 0;
  virtual bool MayRepeatAfter(const Error& error) const { return IsWorthRepeating(error); }
  virtual void Tell(const Result<void>& result) = 0;

  State& state() const { return state_; }
  // Replace changes the queued request to the current Request(); Withdraw cancels it. Both return
  // false if it was sent already.
  bool Replace() { return !sent_ || state_.Replace(*sent_, Request()); }
  bool Withdraw() { return !sent_ || state_.Withdraw(*sent_); }

 private:
  void OnAnswer(const Result<std::string>& body) {
    sent_.reset();
    if (body) return Finish({});
    if (MayRepeatAfter(body.error())) {
      if (const auto delay = tries_.Next(state_.options().random)) {
        return state_.Later(*delay, [self = shared_from_this()] { self->Start(); });
      }
    }
    Finish(Fail(body.error()));
  }

  void Finish(const Result<void>& result) {
    state_.Finish(uid_);
    Tell(result);
  }

  State& state_;
  const std::string uid_;
  const WriteClass write_class_;
  std::optional<State::Sent> sent_;  // queued in the writer or in flight
  Tries tries_;
};

// Target is the object whose status is patched.
struct ApiServerPort::Target {
  api::ResourceInfo resource;
  std::string namespace_, name, uid;

  static Target Of(const PodRef& pod) {
    return {api::Pod::kResource, pod.namespace_, pod.name, pod.uid};
  }
};

// PatchCall is one status patch with retries.
class ApiServerPort::PatchCall final : public RepeatedCall {
 public:
  PatchCall(State& state, Target target, WriteClass write_class, StatusPatch patch, Done done)
      : RepeatedCall(state, target.uid, write_class),
        target_(std::move(target)),
        patch_(std::move(patch)),
        dones_{std::move(done)} {}

  void Start() override {
    if (gave_way_) return;  // while it waited for its retry
    RepeatedCall::Start();
  }

  bool Absorb(const StatusPatch& newer, const Done& done) override {
    const StatusPatch older = patch_;
    if (!patch_.Merge(newer)) return false;
    if (!Replace()) {
      patch_ = older;
      return false;
    }
    dones_.push_back(done);
    return true;
  }

  bool GiveWay() override {
    if (!Withdraw()) return false;
    gave_way_ = true;
    state().options().post([dones = std::move(dones_)] {
      for (const Done& done : dones) done(Fail(Reason::kCanceled, "the pod is being bound"));
    });
    return true;
  }

 private:
  ApiRequest Request() const override {
    return client::PatchRequest(target_.resource, target_.namespace_, target_.name,
                                StatusPatchBody(target_.uid, patch_),
                                {.type = client::PatchType::kStrategicMerge}, "status");
  }
  void Tell(const Result<void>& result) override {
    for (const Done& done : dones_) done(result);
  }

  const Target target_;
  StatusPatch patch_;
  std::vector<Done> dones_;  // its own and those of merged patches
  bool gave_way_ = false;
};

// RemovalCall is the deletion or eviction of one pod, with retries.
class ApiServerPort::RemovalCall final : public RepeatedCall {
 public:
  RemovalCall(State& state, PodRef victim, ApiRequest request, Done done)
      : RepeatedCall(state, victim.uid, WriteClass::kEviction),
        victim_(std::move(victim)),
        request_(std::move(request)),
        done_(std::move(done)) {}

 private:
  ApiRequest Request() const override { return request_; }
  // If a budget rejects the eviction, the core chooses again instead of waiting; a conflict of uids
  // is permanent.
  bool MayRepeatAfter(const Error& error) const override {
    return error.IsTransient() && !error.Is(Reason::kTooManyRequests);
  }
  void Tell(const Result<void>& result) override {
    if (result || !result.error().Is(Reason::kConflict)) return done_(result);
    done_(Replaced(victim_));
  }

  const PodRef victim_;
  const ApiRequest request_;
  const Done done_;
};

ApiServerPort::ApiServerPort(ApiWriter& writer, http::Timer& timer, ApiPortOptions options)
    : state_(std::make_shared<State>(writer, timer, std::move(options))) {}

ApiServerPort::~ApiServerPort() = default;

void ApiServerPort::Bind(const PodRef& pod, const std::string& node, Done done) {
  state_->ClearWay(pod.uid);
  state_->Enqueue(pod.uid, std::make_shared<BindCall>(*state_, pod, node, std::move(done)));
}

void ApiServerPort::PatchPodStatus(const PodRef& pod, scheduler::PodStatusPatch patch, Done done) {
  PatchStatus(Target::Of(pod), StatusPatch::Of(patch), std::move(done));
}

void ApiServerPort::PatchGroupCondition(const api::ObjectReference& group, api::Condition condition,
                                        Done done) {
  using api::NativePodGroup;
  Target target{NativePodGroup::kResource, group.namespace_, group.name, group.uid};
  api::ResourceInfo old = target.resource;
  old.version = NativePodGroup::kOldVersion;
  if (group.api_version == old.ApiVersion()) {
    target.resource = old;
    if (condition.type == NativePodGroup::kScheduled) {
      condition.type = NativePodGroup::kScheduledInOldVersion;
    }
  }
  PatchStatus(std::move(target), StatusPatch::Of(condition), std::move(done));
}

void ApiServerPort::PatchStatus(Target target, StatusPatch patch, Done done) {
  if (state_->Absorb(target.uid, patch, done)) return;
  const std::string uid = target.uid;
  state_->Enqueue(uid, std::make_shared<PatchCall>(*state_, std::move(target), WriteClass::kStatus,
                                                   std::move(patch), std::move(done)));
}

void ApiServerPort::MarkVictim(const PodRef& victim, api::PodCondition condition, Done done) {
  scheduler::PodStatusPatch patch;
  patch.condition = std::move(condition);
  state_->Enqueue(victim.uid,
                  std::make_shared<PatchCall>(*state_, Target::Of(victim), WriteClass::kEviction,
                                              StatusPatch::Of(patch), std::move(done)));
}

void ApiServerPort::DeletePod(const PodRef& victim, Done done) {
  ApiRequest request =
      client::DeleteRequest(api::Pod::kResource, victim.namespace_, victim.name, OnlyThis(victim));
  state_->Enqueue(victim.uid, std::make_shared<RemovalCall>(*state_, victim, std::move(request),
                                                            std::move(done)));
}

void ApiServerPort::EvictPod(const PodRef& victim, Done done) {
  ApiRequest request = client::CreateRequest(api::Pod::kResource, victim.namespace_,
                                             EvictionBody(victim), victim.name, "eviction");
  // The core needs the rejection by a budget at once, even if the server sends Retry-After.
  request.options.max_wait = client::CallOptions::kNoWaiting;
  state_->Enqueue(victim.uid, std::make_shared<RemovalCall>(*state_, victim, std::move(request),
                                                            std::move(done)));
}

void ApiServerPort::ReadPod(const PodRef& pod, PodDone done) {
  state_->Send(WriteClass::kEviction,
               client::GetRequest(api::Pod::kResource, pod.namespace_, pod.name),
               [pod, done = std::move(done)](const Result<std::string>& body) {
                 done(FoundPod(pod, body));
               });
}

void ApiServerPort::BindVolume(const api::PersistentVolume& assumed, Done done) {
  state_->Enqueue(assumed.metadata.uid,
                  std::make_shared<VolumeCall<api::PersistentVolume>>(
                      *state_, assumed, VolumeBody(assumed), std::move(done)));
}

void ApiServerPort::SelectNode(const api::PersistentVolumeClaim& assumed, Done done) {
  state_->Enqueue(assumed.metadata.uid, std::make_shared<VolumeCall<api::PersistentVolumeClaim>>(
                                            *state_, assumed, ClaimBody(assumed), std::move(done)));
}

void ApiServerPort::RecordEvent(const api::ObjectReference& about, scheduler::ObjectEvent event) {
  state_->options().record(about, std::move(event));
}

size_t ApiServerPort::InFlight() const { return state_->in_flight(); }

size_t ApiServerPort::BindingsInFlight() const { return state_->bindings(); }

}  // namespace berth::engine
