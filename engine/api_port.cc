// SPDX-License-Identifier: Apache-2.0
#include "engine/api_port.h"

#include <algorithm>
#include <unordered_map>

#include "api/pod.h"
#include "base/check.h"
#include "base/json/json.h"

namespace berth::engine {
namespace {

using client::ApiRequest;
using scheduler::PodRef;
using scheduler::PodStatusPatch;
using Done = scheduler::ApiPort::Done;

// Four tries of a status patch: 10 ms, then five times as long each, with 10 % jitter. Source:
// client-go util/retry/util.go, DefaultBackoff, with which kube-scheduler patches
// (pkg/scheduler/util/utils.go, PatchPodStatus).
constexpr int kPatchTries = 4;
constexpr std::chrono::milliseconds kFirstPatchDelay{10};
constexpr int kPatchDelayFactor = 5;

bool IsWorthRepeating(const Error& error) {
  return error.IsTransient() || error.Is(Reason::kConflict);
}

}  // namespace

std::string BindingBody(const PodRef& pod, const std::string& node) {
  api::Binding binding;
  binding.metadata.name = pod.name;
  binding.metadata.namespace_ = pod.namespace_;
  binding.metadata.uid = pod.uid;
  binding.target.kind = "Node";
  binding.target.name = node;
  return json::Encode(binding);
}

std::string StatusPatchBody(const PodRef& pod, const PodStatusPatch& patch) {
  std::string body = R"({"metadata":{"uid":)";
  json::AppendQuoted(pod.uid, body);
  body += R"(},"status":{)";
  if (patch.condition) body += R"("conditions":[)" + json::Encode(*patch.condition) + "]";
  if (patch.nominated_node_name) {
    if (patch.condition) body += ',';
    body += R"("nominatedNodeName":)";
    if (patch.nominated_node_name->empty()) {
      body += "null";
    } else {
      json::AppendQuoted(*patch.nominated_node_name, body);
    }
  }
  return body + "}}";
}

// State is what calls in flight share with the port. It ends with the port, so late answers go
// nowhere. What is to be done with an answer stays here, on the scheduling thread, under a number;
// other threads carry only that number. So a pod that a call holds never ends on another thread.
class ApiServerPort::State : public std::enable_shared_from_this<State> {
 public:
  State(RequestSender& sender, http::Timer& timer, ApiPortOptions options)
      : sender_(sender), timer_(timer), options_(std::move(options)) {}

  // Enqueue runs `start` once no other call about that pod is under way.
  void Enqueue(const std::string& uid, std::function<void()> start) {
    std::deque<std::function<void()>>& queue = pods_[uid];
    queue.push_back(std::move(start));
    ++in_flight_;
    if (queue.size() == 1) queue.front()();
  }

  // Finish tells the core, then begins the next call about that pod.
  void Finish(const std::string& uid, const Done& done, Result<void> result) {
    --in_flight_;
    done(std::move(result));
    const auto found = pods_.find(uid);
    found->second.pop_front();
    if (found->second.empty()) {
      pods_.erase(found);
    } else {
      const auto next = found->second.front();
      next();
    }
  }

  // Send brings the answer to the scheduling thread.
  void Send(ApiRequest request, std::function<void(Result<std::string>)> done) {
    const uint64_t call = ++last_call_;
    answers_.emplace(call, std::move(done));
    sender_.Send(std::move(request),
                 [weak = weak_from_this(), post = options_.post, call](Result<std::string> body) {
                   post([weak, call, body = std::move(body)] {
                     if (const auto state = weak.lock()) Take(state->answers_, call)(body);
                   });
                 });
  }

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

 private:
  template <class Function>
  using ByCall = std::unordered_map<uint64_t, Function>;
  template <class Function>
  static Function Take(ByCall<Function>& calls, uint64_t call) {
    auto taken = calls.extract(call);
    BERTH_CHECK(!taken.empty(), "a call is answered once");
    return std::move(taken.mapped());
  }

  RequestSender& sender_;
  http::Timer& timer_;
  const ApiPortOptions options_;
  std::map<std::string, std::deque<std::function<void()>>> pods_;  // by uid; the front is under way
  size_t in_flight_ = 0;
  uint64_t last_call_ = 0;
  ByCall<std::function<void(Result<std::string>)>> answers_;  // what to do with each, when it comes
  ByCall<std::function<void()>> steps_;                       // what to do when the time comes
};

// BindCall is one binding from the first request to a known outcome.
class ApiServerPort::BindCall : public std::enable_shared_from_this<BindCall> {
 public:
  BindCall(State& state, PodRef pod, std::string node, Done done)
      : state_(state), pod_(std::move(pod)), node_(std::move(node)), done_(std::move(done)) {}

  void Start() {
    if (!state_.options().may_write()) {
      return Finish(Fail(Reason::kCanceled, "binding " + pod_.Key() + ": no longer the leader"));
    }
    ++tries_;
    ApiRequest request = client::CreateRequest(api::Pod::kResource, pod_.namespace_,
                                               BindingBody(pod_, node_), pod_.name, "binding");
    state_.Send(std::move(request), [self = shared_from_this()](Result<std::string> body) {
      self->OnAnswer(std::move(body));
    });
  }

 private:
  void OnAnswer(Result<std::string> body) {
    if (body) return Finish({});
    if (IsWorthRepeating(body.error())) return LookUp(std::move(body).error());
    Finish(Fail(std::move(body).error()));
  }

  // LookUp asks the pod itself what became of the binding; `cause` is why we have to.
  void LookUp(Error cause) {
    state_.Send(client::GetRequest(api::Pod::kResource, pod_.namespace_, pod_.name),
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
    const auto found = json::Decode<api::Pod>(*body);
    if (!found) return Finish(Fail(found.error()));
    if (found->metadata.uid != pod_.uid) {
      return Finish(
          Fail(Reason::kNotFound, "pod " + pod_.Key() + " was replaced by another of that name"));
    }
    const std::string& bound_to = found->spec.node_name;
    if (bound_to == node_) return Finish({});
    if (!bound_to.empty()) {
      return Finish(Fail(Reason::kConflict, "pod " + pod_.Key() + " is bound to " + bound_to));
    }
    if (tries_ < 2) return Start();
    Finish(Fail(cause));
  }

  void Finish(Result<void> result) { state_.Finish(pod_.uid, done_, std::move(result)); }

  State& state_;
  const PodRef pod_;
  const std::string node_;
  const Done done_;
  int tries_ = 0;
  std::chrono::milliseconds lookup_delay_ = state_.options().first_lookup_delay;
};

// PatchCall is one status patch with its tries.
class ApiServerPort::PatchCall : public std::enable_shared_from_this<PatchCall> {
 public:
  PatchCall(State& state, PodRef pod, const PodStatusPatch& patch, Done done)
      : state_(state),
        pod_(std::move(pod)),
        body_(StatusPatchBody(pod_, patch)),
        done_(std::move(done)) {}

  void Start() {
    ++tries_;
    ApiRequest request =
        client::PatchRequest(api::Pod::kResource, pod_.namespace_, pod_.name, body_,
                             {.type = client::PatchType::kStrategicMerge}, "status");
    state_.Send(std::move(request), [self = shared_from_this()](const Result<std::string>& body) {
      self->OnAnswer(body);
    });
  }

 private:
  void OnAnswer(const Result<std::string>& body) {
    if (body) return state_.Finish(pod_.uid, done_, {});
    if (tries_ < kPatchTries && IsWorthRepeating(body.error())) {
      const double jitter = 1.0 + 0.1 * state_.options().random();
      const auto delay = std::chrono::milliseconds(
          static_cast<int64_t>(static_cast<double>(delay_.count()) * jitter));
      delay_ *= kPatchDelayFactor;
      return state_.Later(delay, [self = shared_from_this()] { self->Start(); });
    }
    state_.Finish(pod_.uid, done_, Fail(body.error()));
  }

  State& state_;
  const PodRef pod_;
  const std::string body_;
  const Done done_;
  int tries_ = 0;
  std::chrono::milliseconds delay_ = kFirstPatchDelay;
};

ApiServerPort::ApiServerPort(RequestSender& sender, http::Timer& timer, ApiPortOptions options)
    : state_(std::make_shared<State>(sender, timer, std::move(options))) {}

ApiServerPort::~ApiServerPort() = default;

void ApiServerPort::Bind(const PodRef& pod, const std::string& node, Done done) {
  auto call = std::make_shared<BindCall>(*state_, pod, node, std::move(done));
  state_->Enqueue(pod.uid, [call] { call->Start(); });
}

void ApiServerPort::PatchPodStatus(const PodRef& pod, PodStatusPatch patch, Done done) {
  auto call = std::make_shared<PatchCall>(*state_, pod, patch, std::move(done));
  state_->Enqueue(pod.uid, [call] { call->Start(); });
}

void ApiServerPort::RecordEvent(const PodRef& pod, scheduler::PodEvent event) {
  state_->options().record(pod, std::move(event));
}

size_t ApiServerPort::InFlight() const { return state_->in_flight(); }

}  // namespace berth::engine
