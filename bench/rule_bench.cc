// SPDX-License-Identifier: Apache-2.0
// Decisions by one rule for all pods, as arguments of NodeAffinity and as expressions. "Alone" has
// no other filter or score plugin, so that nothing hides the cost of the rule.
#include <fmt/format.h>

#include "bench/cases.h"
#include "bench/decision_work.h"

namespace berth::bench {
namespace {

// Selects the nodes with an NVMe disk, a quarter of all.
constexpr std::string_view kRequiresDisk =
    R"({"addedAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)"
    R"({"matchExpressions":[{"key":"example.com/disk","operator":"In","values":["nvme"]}]}]}}})";
constexpr std::string_view kPrefersDisk =
    R"({"addedAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":20,)"
    R"("preference":{"matchExpressions":[)"
    R"({"key":"example.com/disk","operator":"In","values":["nvme"]}]}}]}})";

NodeRule Affinity(std::string_view args) { return {"NodeAffinity", std::string(args)}; }

NodeRule Filter(std::string_view expression) {
  return {"Expressions", fmt::format(R"({{"filters":[{{"expression":"{}"}}]}})", expression)};
}

NodeRule Score(std::string_view expression) {
  return {"Expressions",
          fmt::format(R"({{"scores":[{{"expression":"{}"}}],"normalizer":"Linear"}})", expression)};
}

struct NamedRule {
  std::string_view name;
  NodeRule rule;
};

// Filters that read only the node, or fields that all pods of the workload share, and score rules.
// The NodeAffinity rules come first; they are the baseline.
std::vector<NamedRule> Rules() {
  return {
      {"affinity", Affinity(kRequiresDisk)},
      {"label_equals", Filter("node.metadata.labels['example.com/disk'] == 'nvme'")},
      {"label_asked_first", Filter("'example.com/disk' in node.metadata.labels && "
                                   "node.metadata.labels['example.com/disk'] == 'nvme'")},
      {"label_of_both", Filter("node.metadata.labels['kubernetes.io/os'] == "
                               "pod.metadata.labels['tier'].replace('frontend', 'linux')")},
      {"quantities", Filter("node.status.allocatable['memory'].sub(quantity('4Gi'))"
                            ".isGreaterThan(quantity('60Gi'))")},
      {"text_function", Filter("node.metadata.name.endsWith('7.north.example.com')")},
      {"preferred_affinity", Affinity(kPrefersDisk)},
      {"score_of_name", Score("60 - size(node.metadata.name)")},
      {"score_of_quantities", Score("node.status.allocatable['memory'].asApproximateFloat() / "
                                    "node.status.allocatable['cpu'].asApproximateFloat()")},
  };
}

// Returns pods with node affinity against nodes that have a label with the pod's own name as value.
// All nodes fit, and no two pods have the same term.
std::vector<PodShape> ShapesApart(size_t count) {
  std::vector<PodShape> shapes;
  for (size_t i = 0; i < count; ++i) {
    PodShape shape = PlainShape();
    shape.app = fmt::format("app-{}", i);
    shape.constraints = fmt::format(
        R"("affinity":{{"nodeAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":{{)"
        R"("nodeSelectorTerms":[{{"matchExpressions":[{{"key":"example.com/team",)"
        R"("operator":"NotIn","values":["{}"]}}]}}]}}}}}},)",
        shape.app);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

Case Decisions(std::string_view name, DecisionOptions options) {
  return {fmt::format("rule/{}/nodes:{}", name, options.nodes),
          [options = std::move(options)] { return std::make_unique<DecisionWork>(options); }};
}

}  // namespace

std::vector<Case> RuleCases(const Scale& scale) {
  const DecisionOptions kept{
      .nodes = scale.nodes, .pods_per_node = scale.pods_per_node, .round = scale.round};
  DecisionOptions alone = kept;
  alone.company = Company::kNone;
  alone.result_cache = false;
  DecisionOptions apart = alone;
  apart.result_cache = true;
  apart.shapes = ShapesApart(scale.fresh_shapes);

  std::vector<Case> cases;
  const auto add = [&](std::string name, DecisionOptions options, NodeRule rule) {
    options.rule = std::move(rule);
    cases.push_back(Decisions(name, std::move(options)));
  };
  for (const NamedRule& each : Rules()) add(std::string(each.name), alone, each.rule);
  add("affinity_no_pod_twice", apart, Affinity("{}"));
  add("labels_no_pod_twice", apart,
      Filter("node.metadata.labels['example.com/team'] != pod.metadata.labels['app']"));
  add("hostnames_no_pod_twice", apart,
      Filter("node.metadata.labels['kubernetes.io/hostname'] != pod.metadata.labels['app']"));
  add("quantities_no_pod_twice", apart,
      Filter("node.status.allocatable['memory'].isGreaterThan("
             "quantity(pod.metadata.labels['app'].replace('app-', '')))"));
  add("affinity_kept", kept, Affinity(kRequiresDisk));
  add("label_equals_kept", kept, Filter("node.metadata.labels['example.com/disk'] == 'nvme'"));
  add("score_of_quantities_kept", kept,
      Score("node.status.allocatable['memory'].asApproximateFloat() / "
            "node.status.allocatable['cpu'].asApproximateFloat()"));
  return cases;
}

}  // namespace berth::bench
