// SPDX-License-Identifier: Apache-2.0
// The queueing hints of NodeResourcesFit.
#include <algorithm>

#include "scheduler/plugins/node_resources_fit.h"
#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

// AnyGrew says that `after` has more than `before` of something the pod requests.
bool AnyGrew(const Resources& requests, const Resources& before, const Resources& after) {
  return (requests.milli_cpu > 0 && after.milli_cpu > before.milli_cpu) ||
         (requests.memory > 0 && after.memory > before.memory) ||
         (requests.ephemeral_storage > 0 && after.ephemeral_storage > before.ephemeral_storage) ||
         std::any_of(requests.scalars.begin(), requests.scalars.end(), [&](const auto& scalar) {
           return scalar.second != 0 && after.Scalar(scalar.first) > before.Scalar(scalar.first);
         });
}

int64_t AllowedPods(const api::Node& node) {
  const auto pods = node.status.allocatable.find("pods");
  return pods == node.status.allocatable.end() ? 0 : pods->second.Value();
}

}  // namespace

QueueingHint NodeResourcesFit::Hint(const PodInfo& pod, const ClusterEvent& event,
                                    const EventObjects& objects) const {
  return event.resource == Resource::kNode ? NodeHint(pod, objects) : PodHint(pod, event, objects);
}

QueueingHint NodeResourcesFit::PodHint(const PodInfo& pod, const ClusterEvent& event,
                                       const EventObjects& objects) const {
  if (event.action == action::kDelete) return QueueIf(HoldsPlace(*objects.old_pod));
  if (IsAboutItself(pod, objects)) return QueueingHint::kQueue;
  if (objects.new_pod->node_name().empty()) return QueueingHint::kSkip;
  return QueueIf(
      AnyGrew(pod.requests(), objects.new_pod->accounted(), objects.old_pod->accounted()));
}

QueueingHint NodeResourcesFit::NodeHint(const PodInfo& pod, const EventObjects& objects) const {
  const FitRequest request = FitRequest::Of(pod, words_, [](std::string_view) { return false; });
  const Resources now = ToResources(objects.new_node->status.allocatable, words_);
  const int64_t pods_now = AllowedPods(*objects.new_node);
  if (!request.FitsEmpty(now, pods_now)) return QueueingHint::kSkip;
  if (objects.old_node == nullptr || pods_now > AllowedPods(*objects.old_node)) {
    return QueueingHint::kQueue;
  }
  return QueueIf(
      AnyGrew(pod.requests(), ToResources(objects.old_node->status.allocatable, words_), now));
}

}  // namespace berth::scheduler
