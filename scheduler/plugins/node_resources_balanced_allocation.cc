// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_balanced_allocation.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace berth::scheduler {
namespace {

using Demands = std::vector<ScoredResources::Demand>;

// BalanceDemands holds the pod's requests for the resources to balance.
struct BalanceDemands {
  Demands list;
};

bool AsksNothing(const Demands& demands) {
  return std::all_of(demands.begin(), demands.end(),
                     [](const ScoredResources::Demand& demand) { return demand.amount == 0; });
}

double Fraction(int64_t used, int64_t capacity) {
  return std::min(1.0, static_cast<double>(used) / static_cast<double>(capacity));
}

// Returns the standard deviation. Two resources are by far the most common case; there the general
// formula would differ in the last bit.
double Deviation(std::span<const double> fractions) {
  if (fractions.size() < 2) return 0;
  if (fractions.size() == 2) return std::abs(fractions[0] - fractions[1]) / 2;
  double total = 0;
  for (const double fraction : fractions) total += fraction;
  const auto count = static_cast<double>(fractions.size());
  const double mean = total / count;
  double squares = 0;
  for (const double fraction : fractions) squares += (fraction - mean) * (fraction - mean);
  return std::sqrt(squares / count);
}

int64_t Balance(std::span<const double> fractions) {
  return static_cast<int64_t>((1 - Deviation(fractions)) * static_cast<double>(kMaxNodeScore));
}

// Weighing rates one node after another. It is reused for all nodes to avoid allocations.
class Weighing {
 public:
  explicit Weighing(size_t resources) : before_(resources), after_(resources) {}

  void Add(const ResourceColumns::Amounts& node, int64_t amount) {
    if (node.allocatable == 0) return;
    before_[count_] = Fraction(node.requested, node.allocatable);
    after_[count_++] = Fraction(SaturatingAdd(node.requested, amount), node.allocatable);
  }

  // Returns the score of the amounts added so far, and resets.
  int64_t TakeScore() {
    constexpr int64_t kHalf = kMaxNodeScore / 2;
    const int64_t before = Balance(std::span(before_).first(count_));
    const int64_t after = Balance(std::span(after_).first(count_));
    count_ = 0;
    return kHalf + (kHalf + after - before) / 2;
  }

 private:
  std::vector<double> before_, after_;
  size_t count_ = 0;
};

}  // namespace

std::vector<api::FieldError> NodeResourcesBalancedAllocationArgs::Validate() const {
  std::vector<api::FieldError> errors;
  std::set<std::string_view> seen;
  for (size_t i = 0; i < resources.size(); ++i) {
    const std::string path = api::Index("resources", i);
    if (!seen.insert(resources[i].name).second) {
      errors.push_back(api::FieldError::Duplicate(api::Child(path, "name"), resources[i].name));
    }
    if (resources[i].weight == 0 || resources[i].weight == 1) continue;  // 0 means 1
    errors.push_back(
        api::FieldError::Invalid(api::Child(path, "weight"), resources[i].weight, "must be 1"));
  }
  return errors;
}

PluginDescriptor NodeResourcesBalancedAllocation::Descriptor() {
  return Describe<NodeResourcesBalancedAllocation>({
      .name = "NodeResourcesBalancedAllocation",
      .summary = "Prefers nodes whose resource usage becomes more balanced with the pod.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodePods},
      .default_weight = 1,
      .example = R"(pluginConfig:
- name: NodeResourcesBalancedAllocation
  args:
    resources: [{name: cpu}, {name: memory}, {name: example.com/gpu}])",
  });
}

NodeResourcesBalancedAllocation::NodeResourcesBalancedAllocation(const Args& args,
                                                                 const PluginHandle& handle)
    : scored_(WithDefaults(args.resources), ScoredResources::Usage::kRequested, handle.words) {}

ResultKey NodeResourcesBalancedAllocation::KeyOf(const CycleContext& cycle) const {
  KeyText text(scored_.result_cache_bytes());
  scored_.AddTo(text, cycle.pod.accounted());
  return ResultKey::Of(text.Take());
}

Status NodeResourcesBalancedAllocation::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  Demands demands = scored_.DemandsOf(cycle.pod.accounted());
  if (AsksNothing(demands)) return Status::Skip();
  cycle.state.Write(BalanceDemands{std::move(demands)});
  return Status::Success();
}

int64_t NodeResourcesBalancedAllocation::Score(const CycleContext& cycle,
                                               const NodeView& node) const {
  // A profile may enable Score without PreScore.
  const auto* written = cycle.state.Read<BalanceDemands>();
  const Demands demands =
      written != nullptr ? written->list : scored_.DemandsOf(cycle.pod.accounted());
  if (AsksNothing(demands)) return 0;
  Weighing weighing(demands.size());
  for (const ScoredResources::Demand& demand : demands) {
    weighing.Add(scored_.AmountsOf(node, demand), demand.amount);
  }
  return weighing.TakeScore();
}

void NodeResourcesBalancedAllocation::ScoreBatch(const CycleContext& cycle,
                                                 std::span<const Slot> slots,
                                                 std::span<int64_t> out) const {
  const auto* written = cycle.state.Read<BalanceDemands>();
  const Demands demands =
      written != nullptr ? written->list : scored_.DemandsOf(cycle.pod.accounted());
  if (AsksNothing(demands)) {
    std::fill(out.begin(), out.end(), 0);
    return;
  }
  const auto columns = scored_.ColumnsOf(cycle.snapshot.Columns(), demands);
  Weighing weighing(columns.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    for (const ScoredResources::Column& column : columns) {
      weighing.Add(column.amounts[slots[i]], column.amount);
    }
    out[i] = weighing.TakeScore();
  }
}

}  // namespace berth::scheduler
