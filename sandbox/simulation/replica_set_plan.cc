// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/replica_set_plan.h"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/json/document.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

// Pods with a smaller rank are deleted first.
auto RankForRemoval(const api::Pod& pod) {
  const int phase = pod.status.phase == "Running" ? 2 : pod.status.phase.empty() ? 1 : 0;
  const std::optional<Time> ready = ReadySince(pod);
  const int64_t ready_since = ready ? -ready->UnixSeconds() : 0;
  return std::tuple(!pod.spec.node_name.empty(), phase, ready.has_value(), ready_since,
                    -pod.metadata.creation_timestamp.UnixSeconds(), pod.metadata.name);
}

bool HasLabelsOfTemplate(const api::Pod& pod, const Json& labels) {
  for (const auto& [key, value] : labels.items()) {
    const auto found = pod.metadata.labels.find(key);
    if (found == pod.metadata.labels.end() || value != found->second) return false;
  }
  return true;
}

// Returns zero for an available pod, the time until a ready pod becomes available, and nullopt for
// other pods.
RequeueAfter AvailableIn(const api::Pod& pod, int32_t min_ready_seconds, Time now) {
  const std::optional<Time> since = ReadySince(pod);
  if (!since) return std::nullopt;
  const auto wait = (*since + std::chrono::seconds(min_ready_seconds)) - now;
  return min_ready_seconds == 0 ? std::chrono::nanoseconds(0)
                                : std::max(wait, std::chrono::nanoseconds(0));
}

ReplicaSetStatus StatusOf(const ReplicaSet& set, const std::vector<PodPtr>& active, Time now,
                          RequeueAfter& requeue_after) {
  const Json labels = berth::json::ReadDocument(set.spec.template_.text)
                          .value("/metadata/labels"_json_pointer, Json::object());
  ReplicaSetStatus status{.observed_generation = set.metadata.generation,
                          .replicas = static_cast<int32_t>(active.size())};
  for (const PodPtr& pod : active) {
    if (HasLabelsOfTemplate(*pod, labels)) ++status.fully_labeled_replicas;
    const RequeueAfter available_in = AvailableIn(*pod, set.spec.min_ready_seconds, now);
    if (!available_in) continue;
    ++status.ready_replicas;
    if (available_in->count() == 0) {
      ++status.available_replicas;
    } else if (!requeue_after || *available_in < *requeue_after) {
      requeue_after = available_in;
    }
  }
  return status;
}

}  // namespace

ReplicaSetPlan PlanReplicaSet(const ReplicaSet& set, const std::vector<PodPtr>& pods, Time now) {
  ReplicaSetPlan plan;
  std::vector<PodPtr> active;
  for (const PodPtr& pod : pods) {
    if (IsActive(*pod) && IsControlledBy(pod->metadata, set.metadata.uid)) active.push_back(pod);
  }
  plan.status = StatusOf(set, active, now, plan.requeue_after);
  if (set.metadata.deletion_timestamp) return plan;
  const auto missing = set.spec.replicas - static_cast<int32_t>(active.size());
  if (missing >= 0) {
    plan.create = missing;
    return plan;
  }
  std::sort(active.begin(), active.end(), [](const PodPtr& a, const PodPtr& b) {
    return RankForRemoval(*a) < RankForRemoval(*b);
  });
  plan.remove.assign(active.begin(), active.begin() - missing);
  return plan;
}

std::string PodOf(const ReplicaSet& set) {
  const Json source = berth::json::ReadDocument(set.spec.template_.text);
  const Json metadata = source.value("metadata", Json::object());
  Json pod = {
      {"apiVersion", "v1"}, {"kind", "Pod"}, {"spec", source.value("spec", Json::object())}};
  Json& meta = pod["metadata"];
  meta = {{"generateName", set.metadata.name + "-"}, {"namespace", set.metadata.namespace_}};
  for (const char* field : {"labels", "annotations", "finalizers"}) {
    if (metadata.contains(field)) meta[field] = metadata.at(field);
  }
  meta["ownerReferences"] = Json::array({{{"apiVersion", "apps/v1"},
                                          {"kind", "ReplicaSet"},
                                          {"name", set.metadata.name},
                                          {"uid", set.metadata.uid},
                                          {"controller", true},
                                          {"blockOwnerDeletion", true}}});
  return berth::json::DocumentText(pod);
}

}  // namespace berth::simulation
