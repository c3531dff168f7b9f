// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expressions.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "cel/convert.h"
#include "scheduler/plugins/expressions/expression_manual.h"

namespace berth::scheduler {
namespace {

constexpr size_t kMaxLastingErrors = 256;
// Above this, doubles cannot represent every integer, and 100 * value may overflow int64.
constexpr double kMostSum = 9e15;
constexpr double kFractionScale = 1000;

Normalizer NormalizerOf(std::string_view name) {
  if (name == "Linear") return Normalizer::kDefault;
  if (name == "Reversed") return Normalizer::kDefaultReversed;
  return name == "MinMax" ? Normalizer::kMinMax : Normalizer::kNone;
}

// Collapses whitespace, to quote an expression in one line.
std::string OnOneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank) line += c;
    if (is_blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

Expression Compiled(const std::string& text, Expression::ResultType gives) {
  auto expression = Expression::Create(text, gives);
  BERTH_CHECK(expression.has_value(), "the arguments were validated");
  return std::move(*expression);
}

// Returns the value as a double, or nullopt if it is not a number or is NaN.
std::optional<double> NumberOf(const cel::Value& value) {
  if (value.Is(cel::Kind::kInt)) return static_cast<double>(value.AsInt());
  if (!value.Is(cel::Kind::kDouble) || std::isnan(value.AsDouble())) return std::nullopt;
  return std::clamp(value.AsDouble(), -kMostSum, kMostSum);
}

std::string WhyNot(const cel::Value& value) {
  return value.IsError() ? value.AsError().message
                         : "it evaluates to " + cel::ToText(value) + ", not a bool";
}

}  // namespace

PluginDescriptor Expressions::Descriptor() {
  return Describe<Expressions>({
      .name = "Expressions",
      .summary = "Filters and scores nodes by your own rules over pod and node, written in the "
                 "Common Expression Language (CEL).",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode,
                  action::kAdd | action::kUpdateNodeAllocatable | action::kUpdateNodeLabel |
                      action::kUpdateNodeTaint | action::kUpdateNodeCondition |
                      action::kUpdateNodeAnnotation | action::kUpdateNodeDeclaredFeature,
                  "the filters are true for the node now"},
                 {Resource::kTargetPod, action::kUpdate,
                  "the pod changed in a field that the filters read"}},
      .example =
          R"(# Only nodes with NVMe disks; prefers nodes with much memory per core.
plugins:
  multiPoint:
    enabled: [{name: Expressions, weight: 2}]
pluginConfig:
- name: Expressions
  args:
    filters:
    - expression: "'disk' in node.metadata.labels && node.metadata.labels['disk'] == 'nvme'"
      message: node(s) without an NVMe disk
    scores:
    - expression: >-
        node.status.allocatable['memory'].asApproximateFloat() /
        node.status.allocatable['cpu'].asApproximateFloat()
    normalizer: Linear)",
      .manual = ExpressionManual,
  });
}

Expressions::Expressions(const Args& args, const PluginHandle& handle)
    : normalizer_(NormalizerOf(args.normalizer)), counts_(handle.counts) {
  for (const FilterExpression& filter : args.filters) {
    Expression expression = Compiled(filter.expression, Expression::ResultType::kBool);
    const std::string text =
        filter.message.empty()
            ? (expression.reads_node() ? "node(s) didn't satisfy " : "the pod didn't satisfy ") +
                  OnOneLine(filter.expression)
            : filter.message;
    auto message = ExpressionMessage::Create(filter.message.empty() ? "" : text);
    BERTH_CHECK(message.has_value(), "the arguments were validated");
    is_kept_ = is_kept_ && expression.is_tracked();
    filters_.push_back(
        {std::move(expression), std::move(*message), VerdictReason::Intern(text), {}});
  }
  bool has_fractions = false;
  for (const ScoreExpression& score : args.scores) {
    Expression expression = Compiled(score.expression, Expression::ResultType::kNumber);
    is_kept_ = is_kept_ && expression.is_tracked();
    has_fractions = has_fractions || expression.gives_fractions();
    scores_.push_back({std::move(expression), static_cast<double>(score.weight), {}});
  }
  scale_ = has_fractions && normalizer_ != Normalizer::kNone ? kFractionScale : 1;
}

std::vector<BoundExpression> Expressions::BindFilters(const api::Pod& pod,
                                                      cel::Budget& budget) const {
  std::vector<BoundExpression> bound;
  bound.reserve(filters_.size());
  for (const FilterRule& rule : filters_) bound.emplace_back(rule.expression, pod, budget);
  return bound;
}

Expressions::Bound Expressions::BindTo(const api::Pod& pod) const {
  Bound bound{{}, {}, ExpressionBudget(), {}, {}};
  bound.verdicts.resize(filters_.size());
  bound.numbers.resize(scores_.size());
  bound.filters = BindFilters(pod, bound.budget);
  for (const ScoreRule& rule : scores_) {
    bound.scores.emplace_back(rule.expression, pod, bound.budget);
  }
  return bound;
}

// A profile may enable Filter or Score alone.
template <class Use>
auto Expressions::WithBound(const CycleContext& cycle, Use&& use) const {
  if (auto* bound = cycle.state.Edit<Bound>()) return use(*bound);
  Bound alone = BindTo(cycle.pod.pod());
  return use(alone);
}

ResultKey Expressions::KeyWith(const std::vector<BoundExpression>& filters,
                               const std::vector<BoundExpression>& scores) {
  KeyText key;
  for (const BoundExpression& bound : filters) bound.AddTo(key);
  for (const BoundExpression& bound : scores) bound.AddTo(key);
  return ResultKey::Of(key.Take());
}

ResultKey Expressions::KeyOf(const CycleContext& cycle) const {
  if (!is_kept_) return ResultKey::None();
  return WithBound(cycle, [](const Bound& bound) { return KeyWith(bound.filters, bound.scores); });
}

PreFilterResult Expressions::PreFilter(CycleContext& cycle) const {
  const Bound& bound = cycle.state.Write(BindTo(cycle.pod.pod()));
  bool reads_nodes = false;
  for (size_t i = 0; i < filters_.size(); ++i) {
    const cel::Value* fixed = bound.filters[i].fixed();
    reads_nodes = reads_nodes || fixed == nullptr;
    if (fixed == nullptr || fixed->IsTrue()) continue;
    return PreFilterResult::Of(Status::FromVerdict(Reject(filters_[i], *fixed, cycle), ""));
  }
  return PreFilterResult::Of(reads_nodes ? Status::Success() : Status::Skip());
}

Verdict Expressions::Reject(const FilterRule& rule, const cel::Value& value,
                            const CycleContext& cycle) const {
  const auto reason = [&] {
    if (!value.Is(cel::Kind::kBool)) {
      return ReasonOfError(OnOneLine(rule.expression.text()) + ": " + WhyNot(value), cycle.state);
    }
    if (rule.message.is_constant()) return rule.constant;
    return cycle.state.reasons().Add(rule.message.For(cycle.pod.pod()));
  };
  return Verdict::UnschedulableAndUnresolvable(reason());
}

VerdictReason Expressions::ReasonOfError(std::string text, CycleState& state) const {
  if (!interned_errors_.contains(text)) {
    if (interned_errors_.size() >= kMaxLastingErrors) return state.reasons().Add(text);
    interned_errors_.insert(text);
  }
  return state.reasons().AddRecurring(text);
}

Verdict Expressions::Ask(Bound& bound, const CycleContext& cycle, const NodeInfo& node) const {
  for (size_t i = 0; i < filters_.size(); ++i) {
    const Verdict verdict = AskOne(i, bound, cycle, node);
    // After the budget is exhausted, results are not meaningful.
    if (bound.budget.IsExhausted()) {
      return Verdict::Failed(cycle.state.reasons().Add(
          "the filters of Expressions exceeded the cost budget of a scheduling attempt, " +
          std::to_string(kAttemptLimit) +
          " units; last expression: " + OnOneLine(filters_[i].expression.text())));
    }
    if (!verdict.fits()) return verdict;
  }
  return Verdict::Fits();
}

Verdict Expressions::AskOne(size_t filter, Bound& bound, const CycleContext& cycle,
                            const NodeInfo& node) const {
  const FilterRule& rule = filters_[filter];
  BoundExpression& expression = bound.filters[filter];
  const auto judge = [&](const cel::Value& value) {
    return value.IsTrue() ? Verdict::Fits() : Reject(rule, value, cycle);
  };
  if (const cel::Value* fixed = expression.fixed()) return judge(*fixed);
  const auto kind = rule.kinds.Of(node, rule.expression, bound.budget);
  if (!kind) return Verdict::Fits();  // the caller checks budget.IsExhausted()
  return bound.verdicts[filter].Of(
      *kind, [&] { return judge(expression.For(kind->values, bound.budget)); });
}

Verdict Expressions::Filter(const CycleContext& cycle, const NodeView& node) const {
  return WithBound(cycle, [&](Bound& bound) { return Ask(bound, cycle, node.info()); });
}

void Expressions::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                              std::span<Verdict> out) const {
  WithBound(cycle, [&](Bound& bound) {
    for (size_t i = 0; i < slots.size(); ++i) {
      out[i] = Ask(bound, cycle, cycle.snapshot.At(slots[i]));
    }
  });
}

Status Expressions::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  if (scores_.empty()) return Status::Skip();
  if (cycle.state.Read<Bound>() == nullptr) cycle.state.Write(BindTo(cycle.pod.pod()));
  return Status::Success();
}

// Each score has a budget of its own. With a shared one, an exhausted budget would end up in cached
// scores.
std::optional<double> Expressions::NumberFor(size_t score, Bound& bound,
                                             const NodeInfo& node) const {
  const ScoreRule& rule = scores_[score];
  BoundExpression& expression = bound.scores[score];
  if (const cel::Value* fixed = expression.fixed()) return NumberOf(*fixed);
  cel::Budget of_node = ExpressionBudget();
  const auto kind = rule.kinds.Of(node, rule.expression, of_node);
  if (!kind) return std::nullopt;
  return bound.numbers[score].Of(*kind, [&] {
    cel::Budget budget(kEvaluationLimit, kEvaluationLimit);
    return NumberOf(expression.For(kind->values, budget));
  });
}

int64_t Expressions::Rate(Bound& bound, const NodeInfo& node) const {
  double sum = 0;
  for (size_t i = 0; i < scores_.size(); ++i) {
    const auto number = NumberFor(i, bound, node);
    if (number) {
      sum += scores_[i].weight * *number;
    } else if (counts_ != nullptr) {
      ++counts_->failed_scores;
    }
  }
  const bool is_final = normalizer_ == Normalizer::kNone;
  const double lowest = normalizer_ == Normalizer::kMinMax ? -kMostSum : 0;
  const double highest = is_final ? static_cast<double>(kMaxNodeScore) : kMostSum;
  return static_cast<int64_t>(std::floor(std::clamp(sum * scale_, lowest, highest)));
}

int64_t Expressions::Score(const CycleContext& cycle, const NodeView& node) const {
  return WithBound(cycle, [&](Bound& bound) { return Rate(bound, node.info()); });
}

void Expressions::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                             std::span<int64_t> out) const {
  WithBound(cycle, [&](Bound& bound) {
    for (size_t i = 0; i < slots.size(); ++i) {
      out[i] = Rate(bound, cycle.snapshot.At(slots[i]));
    }
  });
}

}  // namespace berth::scheduler
