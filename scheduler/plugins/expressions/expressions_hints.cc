// SPDX-License-Identifier: Apache-2.0
// Queueing hints of Expressions: an event may help if the filters are true afterwards, but were not
// before.
#include <algorithm>

#include "scheduler/plugins/expressions/expressions.h"
#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {

ResultKey Expressions::HintKeyOf(const PendingPod& pod) const {
  cel::Budget budget = ExpressionBudget();
  return KeyWith(BindFilters(pod.pod(), budget), {});
}

bool Expressions::Admits(std::vector<BoundExpression>& filters, const api::Node& node) {
  cel::Budget budget = ExpressionBudget();
  return std::ranges::all_of(
      filters, [&](BoundExpression& filter) { return filter.For(node, budget).IsTrue(); });
}

QueueingHint Expressions::Hint(const PendingPod& pod, const ClusterEvent& event,
                               const EventObjects& objects) const {
  cel::Budget budget = ExpressionBudget();
  if (event.resource == Resource::kTargetPod) {
    const auto filters = BindFilters(objects.new_pod->pending()->pod(), budget);
    const bool is_hopeless = std::ranges::any_of(filters, [](const BoundExpression& filter) {
      return filter.fixed() != nullptr && !filter.fixed()->IsTrue();
    });
    return QueueIf(!is_hopeless && HintKeyOf(*objects.old_pod->pending()) != KeyWith(filters, {}));
  }
  auto filters = BindFilters(pod.pod(), budget);
  return QueueIf(Admits(filters, *objects.new_node) &&
                 (objects.old_node == nullptr || !Admits(filters, *objects.old_node)));
}

}  // namespace berth::scheduler
