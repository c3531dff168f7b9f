// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/selectors.h"
#include "sandbox/apiserver/rest/subresources/conditions.h"
#include "sandbox/apiserver/rest/subresources/subresources.h"

// Source: pkg/registry/core/pod/storage/eviction.go of Kubernetes.
namespace berth::apiserver {
namespace {

using nlohmann::json;

// The maximum number of granted evictions that the disruption controller has not seen yet.
constexpr size_t kMaxDisruptedPods = 2000;
constexpr const char* kWouldViolate =
    "Cannot evict pod as it would violate the pod's disruption budget.";

// Evicting a pod that does not run, or is already being deleted, is no disruption.
bool NeedsNoBudget(const json& pod) {
  const std::string phase = TextAt(pod, "status/phase");
  return phase == "Succeeded" || phase == "Failed" || phase == "Pending" ||
         At(pod, "metadata/deletionTimestamp") != nullptr;
}

bool IsReady(const json& pod) {
  const json* ready = FindCondition(pod, "Ready");
  return ready != nullptr && ready->value("status", "") == "True";
}

std::vector<json> BudgetsOf(State& state, const Object& pod) {
  std::vector<json> matching;
  const KindPtr kind = state.kinds.Find("policy", "v1", "poddisruptionbudgets");
  if (kind == nullptr || pod.metadata.labels.empty()) return matching;
  const ListResult all = state.CollectionOf(*kind).List({.selection = {
                                                             .namespace_ = pod.metadata.namespace_,
                                                             .labels = api::Selector::Everything(),
                                                             .fields = {},
                                                         }});
  if (!all) return matching;
  for (const ObjectPtr& entry : all->items) {
    json budget = ReadDocument(entry->text);
    const json* selector = At(budget, "spec/selector");
    const auto compiled = selector == nullptr ? Result<api::Selector>(api::Selector::Nothing())
                                              : CompileSelector(*selector);
    if (compiled && compiled->Matches(pod.metadata.labels)) matching.push_back(std::move(budget));
  }
  return matching;
}

// Evicting an unready pod is allowed if enough others are healthy, or if the budget permits it.
bool MayGoUnhealthy(const json& budget) {
  if (TextAt(budget, "spec/unhealthyPodEvictionPolicy") == "AlwaysAllow") return true;
  const int64_t wanted = IntAt(budget, "status/desiredHealthy");
  return wanted > 0 && IntAt(budget, "status/currentHealthy") >= wanted;
}

StatusError Violates(std::string why, int retry_after_seconds) {
  StatusError error = TooManyRequests(kWouldViolate, retry_after_seconds);
  error.details.causes.push_back(
      {.reason = "DisruptionBudget", .message = std::move(why), .field = {}});
  return error;
}

// Returns the reason why a budget allows no eviction now.
std::optional<StatusError> WhyNot(const json& budget) {
  const std::string name = TextAt(budget, "metadata/name");
  const std::string subject = "The disruption budget " + name;
  if (IntAt(budget, "status/observedGeneration") < IntAt(budget, "metadata/generation")) {
    return Violates(subject + " is still being processed by the server.", 10);
  }
  const GroupResource resource = {"policy", "poddisruptionbudget"};
  const int64_t allowed = IntAt(budget, "status/disruptionsAllowed");
  if (allowed < 0) return Forbidden(resource, name, "pdb disruptions allowed is negative");
  const json* disrupted = At(budget, "status/disruptedPods");
  if (disrupted != nullptr && disrupted->size() > kMaxDisruptedPods) {
    return Forbidden(resource, name,
                     "DisruptedPods map too big - too many evictions not confirmed by PDB "
                     "controller");
  }
  if (allowed > 0) return std::nullopt;
  const json* condition = FindCondition(budget, "DisruptionAllowed");
  if (condition != nullptr && condition->value("status", "") == "False" &&
      condition->value("reason", "") == "SyncFailed") {
    return Violates(subject + " does not allow evicting pods currently because it failed sync: " +
                        condition->value("message", ""),
                    0);
  }
  return Violates(subject + " needs " + std::to_string(IntAt(budget, "status/desiredHealthy")) +
                      " healthy pods and has " +
                      std::to_string(IntAt(budget, "status/currentHealthy")) + " currently",
                  0);
}

// Records the granted eviction for the disruption controller, which learns of the deletion later.
Answer<void> Charge(State& state, const WriteCall& eviction, const json& budget) {
  WriteCall call = eviction;
  call.kind = state.kinds.Find("policy", "v1", "poddisruptionbudgets");
  call.name = TextAt(budget, "metadata/name");
  call.subresource = "status";
  call.options.manager = "kube-apiserver";
  const Time now = state.clock.Wall();
  const auto charged = Writer(state).Change(call, [&](json& live) -> Answer<void> {
    json& status = live["status"];
    const int64_t left = IntAt(status, "disruptionsAllowed") - 1;
    status["disruptionsAllowed"] = left;
    status["disruptedPods"][eviction.name] = now.ToString();
    if (left > 0) return {};
    PutCondition(status,
                 {{"type", "DisruptionAllowed"},
                  {"status", "False"},
                  {"reason", "InsufficientPods"},
                  {"message", ""},
                  {"observedGeneration", IntAt(status, "observedGeneration")}},
                 now);
    return {};
  });
  if (!charged) return Reject(charged.error());
  return {};
}

Answer<void> AskBudget(State& state, const WriteCall& call, const Object& object, const json& pod,
                       bool dry_run) {
  const std::vector<json> budgets = BudgetsOf(state, object);
  if (budgets.empty()) return {};
  if (budgets.size() > 1) {
    return Reject(
        Unclassified("This pod has more than one PodDisruptionBudget, which the eviction "
                     "subresource does not support."));
  }
  if (!IsReady(pod) && MayGoUnhealthy(budgets[0])) return {};
  if (const auto rejected = WhyNot(budgets[0])) return Reject(*rejected);
  return dry_run ? Answer<void>() : Charge(state, call, budgets[0]);
}

// Sets the DisruptionTarget condition, which tells the pod's owner the reason.
Answer<void> SetDisruptionTarget(State& state, const WriteCall& call) {
  const auto told = Writer(state).Change(
      call,
      [&](json& pod) -> Answer<void> {
        PutCondition(pod["status"],
                     {{"type", "DisruptionTarget"},
                      {"status", "True"},
                      {"reason", "EvictionByEvictionAPI"},
                      {"message", "Eviction API: evicting"},
                      {"lastProbeTime", nullptr}},
                     state.clock.Wall());
        return {};
      },
      Ownership::kUntouched);
  if (!told) return Reject(told.error());
  return {};
}

}  // namespace

Answer<Written> EvictPod(State& state, const WriteCall& call, const json& eviction) {
  if (TextAt(eviction, "metadata/name") != call.name)
    return Reject(BadRequest("name in URL does not match name in Eviction object"));
  auto options = DeleteOptionsOf(eviction.value("deleteOptions", json::object()));
  if (!options) return Reject(options.error());
  options->dry_run = options->dry_run || call.options.dry_run;
  const ObjectPtr pod = state.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (pod == nullptr) return Reject(Writer(state).NotFoundError(call));
  const json document = ReadDocument(pod->text);
  if (!NeedsNoBudget(document)) {
    const auto granted = AskBudget(state, call, *pod, document, options->dry_run);
    if (!granted) return Reject(granted.error());
  }
  if (const auto fits = CheckPreconditions(call, *options, *pod); !fits)
    return Reject(fits.error());
  if (!options->dry_run) {
    if (const auto told = SetDisruptionTarget(state, call); !told) return Reject(told.error());
  }
  WriteCall deletion = call;
  deletion.subresource.clear();
  const auto deleted = Writer(state).Discard(deletion, *options);
  if (!deleted) return Reject(deleted.error());
  return Success(201);
}

}  // namespace berth::apiserver
