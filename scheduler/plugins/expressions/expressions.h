// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/expressions/expression.h"
#include "scheduler/plugins/expressions/expression_message.h"
#include "scheduler/plugins/expressions/node_classes.h"

namespace berth::scheduler {

struct FilterExpression {
  std::string expression;
  std::string message;

  static auto Fields() {
    return json::Object(json::Field("expression", &FilterExpression::expression)
                            .Required()
                            .Doc("A bool expression over pod and node: the pod fits the nodes for "
                                 "which it is true. If it fails to evaluate, for example because "
                                 "of a missing label, the node is rejected with the error. To "
                                 "avoid that, test first: `'gpu' in node.metadata.labels && ...`."),
                        json::Field("message", &FilterExpression::message)
                            .Doc("Rejection message for events and pod conditions. {{ }} encloses "
                                 "an expression over pod: `{{ pod.metadata.name }} is too long`. "
                                 "By default the filter's expression is shown."));
  }
};

struct ScoreExpression {
  std::string expression;
  int32_t weight = 1;

  static auto Fields() {
    return json::Object(
        json::Field("expression", &ScoreExpression::expression)
            .Required()
            .Doc("An int or double expression over pod and node. If it fails to evaluate or is "
                 "NaN, it counts as 0 and is counted in berth_failed_score_expressions_total."),
        json::Field("weight", &ScoreExpression::weight)
            .Min(1)
            .Max(1000)
            .Default("1")
            .Doc("Weight of the number in the sum."));
  }
};

struct ExpressionsArgs {
  std::vector<FilterExpression> filters;
  std::vector<ScoreExpression> scores;
  std::string normalizer = "None";

  static auto Fields() {
    return json::Object(
        json::Field("filters", &ExpressionsArgs::filters)
            .Doc("A pod fits a node if all filters are true. The first filter that is not true "
                 "provides the rejection message."),
        json::Field("scores", &ExpressionsArgs::scores)
            .Doc("The weighted sum of all expressions is the node's raw score; higher is better."),
        json::Field("normalizer", &ExpressionsArgs::normalizer)
            .OneOf("None|Linear|Reversed|MinMax")
            .Default(R"("None")")
            .Doc("Maps the sums to scores of 0 to 100. None: the sum is rounded down and clamped "
                 "to 0..100. Linear: the highest sum of the feasible nodes becomes 100, other sums "
                 "their share of it, negative sums 0. Reversed: 100 minus Linear. MinMax: the "
                 "lowest sum becomes 0, the highest 100."));
  }

  std::vector<api::FieldError> Validate() const;
};

// Expressions filters and scores nodes by rules in the profile, written in the Common Expression
// Language. Rules read only the pod and the Node object, which removing other pods does not change.
// So a rejection is UnschedulableAndUnresolvable: preemption does not help. A filter that does not
// read `node` is evaluated once, in PreFilter. The design and its reasons: docs/design/0028.
class Expressions final : public PreFilterPlugin,
                          public FilterPlugin,
                          public PreScorePlugin,
                          public ScorePlugin {
 public:
  using Args = ExpressionsArgs;

  // Requires: args.Validate() found nothing.
  Expressions(const Args& args, const PluginHandle& handle);
  static PluginDescriptor Descriptor();

  // Builds the key from the values of the pod-only parts, not from the fields that they read: all
  // pods for which `size(pod.metadata.name) < 5` is true share a key.
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
    VerdictReason constant;  // the message, if it has no placeholders
    mutable NodeClasses kinds;
  };
  struct ScoreRule {
    Expression expression;
    double weight;
    mutable NodeClasses kinds;
  };
  // Bound holds all expressions bound to one pod, and the results so far, for one attempt.
  struct Bound {
    std::vector<BoundExpression> filters, scores;
    cel::Budget budget;
    std::vector<ByClass<Verdict>> verdicts;               // of filters
    std::vector<ByClass<std::optional<double>>> numbers;  // of scores; nullopt: no valid number
  };

  // Returns the key of the pod that the expressions are bound to.
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
  double scale_;         // multiplies sums before normalization, to keep fractions
  bool is_kept_ = true;  // results may be cached: all node fields read are tracked
  PluginCounts* counts_;
  // Interned error texts (VerdictReason::Intern), so that rejections may be cached. Limited in
  // number, since an error text may contain any value. Owned by the scheduling thread.
  mutable std::set<std::string, std::less<>> interned_errors_;
};

}  // namespace berth::scheduler
