// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/expression.h"
#include "scheduler/plugins/expression_message.h"
#include "scheduler/plugins/node_classes.h"

namespace berth::scheduler {

struct FilterExpression {
  std::string expression;
  std::string message;

  static auto Fields() {
    return json::Object(
        json::Field("expression", &FilterExpression::expression)
            .Required()
            .Doc("A bool over pod and node: the pod fits the nodes for which it is true. Where it "
                 "cannot be evaluated, say for a label that is missing, the node is refused with "
                 "the reason; `'gpu' in node.metadata.labels && ...` asks first."),
        json::Field("message", &FilterExpression::message)
            .Doc(
                "Why a node was refused, as events and conditions of pods show it. {{ }} holds an "
                "expression over pod: `{{ pod.metadata.name }} is too long`. Without a message the "
                "expression itself is shown."));
  }
};

struct ScoreExpression {
  std::string expression;
  int32_t weight = 1;

  static auto Fields() {
    return json::Object(
        json::Field("expression", &ScoreExpression::expression)
            .Required()
            .Doc("An int or a double over pod and node. Where it cannot be evaluated, or is not a "
                 "number (NaN), it is 0, and berth_failed_score_expressions_total counts it."),
        json::Field("weight", &ScoreExpression::weight)
            .Min(1)
            .Max(1000)
            .Default("1")
            .Doc("What the number is multiplied by before the sum is taken."));
  }
};

struct ExpressionsArgs {
  std::vector<FilterExpression> filters;
  std::vector<ScoreExpression> scores;
  std::string normalizer = "None";

  static auto Fields() {
    return json::Object(
        json::Field("filters", &ExpressionsArgs::filters)
            .Doc("A pod fits a node when all of them are true; the first that is not says why."),
        json::Field("scores", &ExpressionsArgs::scores)
            .Doc("The sum of them rates a node, the higher the better."),
        json::Field("normalizer", &ExpressionsArgs::normalizer)
            .OneOf("None|Linear|Reversed|MinMax")
            .Default(R"("None")")
            .Doc(
                "How sums become scores of 0 to 100. None: they are, rounded down and cut off at "
                "both ends. Linear: the highest sum of the nodes that fit is 100, the others their "
                "share of it, negative ones 0. Reversed: 100 less that. MinMax: the lowest is 0, "
                "the highest 100."));
  }

  std::vector<api::FieldError> Validate() const;
};

// Expressions filters and rates nodes by rules that the profile states, in the Common Expression
// Language. Both objects are known before a pod is placed and no pod that goes changes them, so a
// refusal is UnschedulableAndUnresolvable: preemption does not help. A filter that reads no node is
// decided once, in PreFilter. docs/design/0028 says why it is as it is.
class Expressions final : public PreFilterPlugin,
                          public FilterPlugin,
                          public PreScorePlugin,
                          public ScorePlugin {
 public:
  using Args = ExpressionsArgs;

  // Requires: args.Validate() found nothing.
  Expressions(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  // KeyOf is what the expressions make of the pod, not what they read of it: all pods for which
  // `size(pod.metadata.name) < 5` is true have one key.
  ResultKey KeyOf(const CycleContext& cycle) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
  Normalizer normalizer() const override { return normalizer_; }
  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  struct FilterRule {
    Expression expression;
    ExpressionMessage message;
    VerdictReason constant;  // the message, where it has no holes
    mutable NodeClasses kinds;
  };
  struct ScoreRule {
    Expression expression;
    double weight;
    mutable NodeClasses kinds;
  };
  // Bound is all of them for one pod, for an attempt, with what was found out.
  struct Bound {
    std::vector<BoundExpression> filters, scores;
    cel::Budget budget;
    std::vector<ByClass<Verdict>> verdicts;               // of filters
    std::vector<ByClass<std::optional<double>>> numbers;  // of scores; nothing: there is none
  };

  // KeyWith is what the pod comes to that they are bound to.
  static ResultKey KeyWith(const std::vector<BoundExpression>& filters,
                           const std::vector<BoundExpression>& scores);

  Bound BindTo(const api::Pod& pod) const;
  std::vector<BoundExpression> BindFilters(const api::Pod& pod, cel::Budget& budget) const;
  template <class Use>
  auto WithBound(const CycleContext& cycle, Use&& use) const;

  Verdict Ask(Bound& bound, const CycleContext& cycle, const NodeInfo& node) const;
  Verdict AskOne(size_t filter, Bound& bound, const CycleContext& cycle,
                 const NodeInfo& node) const;
  Verdict Reject(const FilterRule& rule, const cel::Value& value, const CycleContext& cycle) const;
  VerdictReason ReasonOfError(std::string text, CycleState& state) const;
  int64_t Rate(Bound& bound, const NodeInfo& node) const;
  std::optional<double> NumberFor(size_t score, Bound& bound, const NodeInfo& node) const;
  static bool Admits(std::vector<BoundExpression>& filters, const api::Node& node);

  std::vector<FilterRule> filters_;
  std::vector<ScoreRule> scores_;
  Normalizer normalizer_;
  double scale_;         // of sums, so that fractions survive where sums are normalised
  bool is_kept_ = true;  // answers may be: all that is read of nodes is tracked
  PluginCounts* counts_;
  // Texts of errors that last (VerdictReason::Intern), so that refusals may be kept; few, since
  // texts may name anything. Of the scheduling thread.
  mutable std::set<std::string, std::less<>> lasting_errors_;
};

}  // namespace berth::scheduler
