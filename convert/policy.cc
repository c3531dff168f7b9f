// SPDX-License-Identifier: Apache-2.0
#include "convert/policy.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/json/field_path.h"
#include "base/strings.h"
#include "convert/extenders.h"
#include "convert/plugin_args.h"
#include "convert/points.h"
#include "convert/policy_tables.h"
#include "convert/strategies.h"
#include "crds/plugin_lists.h"

namespace berth::convert {
namespace {

const PredicateRow& RowOf(std::string_view predicate) {
  return *std::ranges::find(PredicateRows(), predicate, &PredicateRow::name);
}

// Schedulers up to 1.17 used the argument of any entry. Later ones ignored it for known names. The
// author meant the argument, so it is kept.
constexpr const char* kByName = "kube-schedulers since 1.18 used the name and ignored the argument";

// Reports whether the name has a meaning without an argument.
template <class Row>
bool MeansSomething(std::span<const Row> rows, std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row != rows.end() && row->outcome != Outcome::kDropped;
}

std::string EntryPath(std::string_view list, std::string_view name) {
  return json::ListEntryPath(list, "name", name);
}

// An absent list is the default list; it is reported as if it were written.
std::string ListName(std::string_view list, bool is_given) {
  return std::string(list) + (is_given ? "" : " (default)");
}

// Translation translates one Policy to plugin lists and arguments.
class Translation {
 public:
  Translation(const crds::PluginCatalogueView& catalogue, const Reporter& reporter, Draft& draft)
      : catalogue_(catalogue), reporter_(reporter), draft_(draft) {}

  void Base();
  void Predicates(const api::LegacyPolicy& policy);
  void Priorities(const api::LegacyPolicy& policy);
  void Rest(const api::LegacyPolicy& policy);

 private:
  // Score is a priority with a plugin.
  struct Score {
    std::string path;
    std::string_view key;  // name for sorting
    std::string_view plugin;
    std::string_view strategy;
    int64_t weight;
    Outcome outcome = Outcome::kExact;
    std::string remark;
  };

  void Predicate(const std::string& path, const api::PolicyPredicate& predicate,
                 std::vector<const PredicateRow*>& rows);
  void Priority(const std::string& path, const api::PolicyPriority& priority,
                std::vector<Score>& scores);
  void CustomPriority(const std::string& path, const api::PolicyPriority& priority,
                      std::vector<Score>& scores);
  void AddScores(const std::vector<Score>& scores);
  static Strategy StrategyOf(const Score& score);
  void EnableScore(const Score& score, const StrategyChoice& choice);
  void ReportStrategy(const Score& score, const StrategyChoice& choice);
  void ReportScore(const Score& score, const Score& counted);
  int32_t WeightOf(const Score& score) const;

  std::string At(std::string_view plugin, Side side) const {
    return std::string(plugin) + " at " + Join(PointsOf(plugin, side, catalogue_), ", ");
  }
  void Enable(std::string_view plugin, Side side, int32_t weight);
  json::Raw& Args(std::string_view plugin) { return ArgsOf(draft_.spec, plugin); }

  const crds::PluginCatalogueView& catalogue_;
  const Reporter& reporter_;
  Draft& draft_;
  NodeLabelArgs node_label_;
  ServiceAffinityArgs service_affinity_;
  const api::PolicyCapacityRatio* ratio_ = nullptr;
};

void Translation::Enable(std::string_view plugin, Side side, int32_t weight) {
  for (const std::string& point : PointsOf(plugin, side, catalogue_)) {
    api::PluginSet& set = draft_.spec.plugins.*crds::PointNamed(point).set;
    AppendOnce(set.enabled, plugin, point == "score" ? weight : 0);
  }
}

// Adds the plugins that every Policy had, and those for newer fields of pods and nodes.
void Translation::Base() {
  api::PluginSet& multi = draft_.spec.plugins.multi_point;
  AppendOnce(multi.disabled, crds::kAllPlugins);
  for (const std::string_view plugin : {"PrioritySort", "DefaultPreemption", "DefaultBinder"}) {
    AppendOnce(multi.enabled, plugin);
    reporter_.Exact("(every Policy)", std::string(plugin));
  }
  std::vector<std::string_view> newer;
  for (const std::string_view plugin :
       {"SchedulingGates", "DynamicResources", "NodeDeclaredFeatures"}) {
    AppendOnce(multi.enabled, plugin);
    newer.push_back(plugin);
  }
  reporter_.Approximate("(no Policy)", Join(newer, ", "),
                        "they handle fields of pods and nodes that are newer than Policies; pods "
                        "without these fields are placed as before");
}

void Translation::Predicate(const std::string& path, const api::PolicyPredicate& predicate,
                            std::vector<const PredicateRow*>& rows) {
  const PredicateRow* row = nullptr;
  std::string detail;
  if (predicate.argument && predicate.argument->labels_presence) {
    const api::PolicyLabelsPresence& presence = *predicate.argument->labels_presence;
    auto& labels = presence.presence ? node_label_.present_labels : node_label_.absent_labels;
    labels.insert(labels.end(), presence.labels.begin(), presence.labels.end());
    detail = std::string(", ") + (presence.presence ? "presentLabels " : "absentLabels ") +
             Join(presence.labels, ", ");
    row = &RowOf("CheckNodeLabelPresence");
  } else if (predicate.argument) {
    const std::vector<std::string>& labels = predicate.argument->service_affinity->labels;
    auto& all = service_affinity_.affinity_labels;
    all.insert(all.end(), labels.begin(), labels.end());
    detail = ", affinityLabels " + Join(labels, ", ");
    row = &RowOf("CheckServiceAffinity");
  } else {
    row = &RowOf(predicate.name);
  }
  if (row->outcome == Outcome::kDropped) {
    reporter_.Dropped(path, std::string(row->remark));
    return;
  }
  std::vector<std::string> plugins;
  for (const std::string_view plugin : row->plugins) {
    if (!plugin.empty()) plugins.push_back(At(plugin, Side::kFilter));
  }
  const bool loses = predicate.argument && MeansSomething(PredicateRows(), predicate.name);
  reporter_.Add(path, Join(plugins, "; ") + detail, loses ? Outcome::kApproximate : row->outcome,
                loses ? kByName : std::string(row->remark));
  rows.push_back(row);
}

void Translation::Predicates(const api::LegacyPolicy& policy) {
  std::vector<const PredicateRow*> rows;
  const std::string list = ListName("predicates", policy.predicates.has_value());
  if (policy.predicates) {
    for (const api::PolicyPredicate& predicate : *policy.predicates) {
      Predicate(EntryPath(list, predicate.name), predicate, rows);
    }
  }
  for (const PredicateRow& row : PredicateRows()) {
    const bool is_named = std::ranges::find(rows, &row) != rows.end();
    if (!policy.predicates && row.is_default) {
      Predicate(EntryPath(list, row.name), {.name = std::string(row.name)}, rows);
    } else if (row.is_mandatory && !is_named) {
      Predicate(EntryPath("predicates (mandatory)", row.name), {.name = std::string(row.name)},
                rows);
    }
  }
  std::ranges::sort(rows);  // by their order in PredicateRows()
  for (const PredicateRow* row : rows) {
    for (const std::string_view plugin : row->plugins) {
      if (!plugin.empty()) Enable(plugin, Side::kFilter, 0);
    }
  }
}

void Translation::CustomPriority(const std::string& path, const api::PolicyPriority& priority,
                                 std::vector<Score>& scores) {
  const api::PolicyPriorityArgument& argument = *priority.argument;
  Score score{.path = path, .weight = priority.weight};
  if (argument.label_preference) {
    const api::PolicyLabelPreference& preference = *argument.label_preference;
    auto& labels = preference.presence ? node_label_.present_labels_preference
                                       : node_label_.absent_labels_preference;
    labels.push_back(preference.label);
    score.key = score.plugin = kNodeLabel;
  } else if (argument.service_anti_affinity) {
    service_affinity_.anti_affinity_labels_preference.push_back(
        argument.service_anti_affinity->label);
    score.key = score.plugin = kServiceAffinity;
  } else {
    ratio_ = &*argument.requested_to_capacity_ratio;
    score.key = "RequestedToCapacityRatio";
    score.plugin = "NodeResourcesFit";
    score.strategy = "RequestedToCapacityRatio";
    if (priority.name != score.key) score.remark = "its name has no meaning and is not kept";
  }
  if (MeansSomething(PriorityRows(), priority.name)) {
    score.outcome = Outcome::kApproximate;
    score.remark = kByName;
  }
  scores.push_back(std::move(score));
}

void Translation::Priority(const std::string& path, const api::PolicyPriority& priority,
                           std::vector<Score>& scores) {
  if (priority.argument) return CustomPriority(path, priority, scores);
  const PriorityRow& row = *std::ranges::find(PriorityRows(), priority.name, &PriorityRow::name);
  if (row.plugin.empty()) return reporter_.Dropped(path, std::string(row.remark));
  scores.push_back({.path = path,
                    .key = row.same_as.empty() ? row.name : row.same_as,
                    .plugin = row.plugin,
                    .strategy = row.strategy,
                    .weight = priority.weight,
                    .outcome = row.outcome,
                    .remark = std::string(row.remark)});
}

void Translation::Priorities(const api::LegacyPolicy& policy) {
  std::vector<Score> scores;
  const std::string list = ListName("priorities", policy.priorities.has_value());
  if (policy.priorities) {
    for (const api::PolicyPriority& priority : *policy.priorities) {
      Priority(EntryPath(list, priority.name), priority, scores);
    }
    if (policy.priorities->empty()) {
      reporter_.Exact("priorities", "no plugin at score", "an empty list disables scoring");
    }
  } else {
    for (const PriorityRow& row : PriorityRows()) {
      if (row.default_weight == 0) continue;
      Priority(EntryPath(list, row.name),
               {.name = std::string(row.name), .weight = row.default_weight}, scores);
    }
  }
  AddScores(scores);
}

// The weight of an entry with several labels is the weight of each, times their number.
int32_t Translation::WeightOf(const Score& score) const {
  size_t labels = 1;
  if (score.plugin == kNodeLabel) {
    labels =
        node_label_.present_labels_preference.size() + node_label_.absent_labels_preference.size();
  } else if (score.plugin == kServiceAffinity) {
    labels = service_affinity_.anti_affinity_labels_preference.size();
  }
  const auto count = static_cast<int64_t>(labels);
  if (score.weight > kMostWeight / count) return static_cast<int32_t>(kMostWeight);
  return static_cast<int32_t>(score.weight * count);
}

void Translation::ReportStrategy(const Score& score, const StrategyChoice& choice) {
  if (choice.kept == nullptr) {
    return reporter_.Approximate(score.path, "no plugin at score",
                                 WhyNotKept(StrategyOf(score), choice));
  }
  if (choice.kept->path != score.path) {
    return reporter_.Dropped(score.path, WhyNotKept(StrategyOf(score), choice));
  }
  const int64_t weight = std::min(choice.weight, kMostWeight);
  std::string remark = score.remark;
  for (const std::string& more :
       {choice.remark, std::string(weight < choice.weight ? "this is the maximum weight" : "")}) {
    if (!remark.empty() && !more.empty()) remark += "; ";
    remark += more;
  }
  const bool is_exact = choice.remark.empty() && weight == choice.weight;
  reporter_.Add(score.path,
                At(kFit, Side::kScore) + ", weight " + std::to_string(weight) +
                    ", scoringStrategy " + std::string(score.strategy),
                is_exact ? score.outcome : Outcome::kApproximate, std::move(remark));
}

void Translation::ReportScore(const Score& score, const Score& counted) {
  const int32_t weight = WeightOf(counted);
  const std::string result = At(score.plugin, Side::kScore) + ", weight " + std::to_string(weight);
  if (&score != &counted && score.key != kNodeLabel && score.key != kServiceAffinity) {
    reporter_.Approximate(score.path, result,
                          score.path == counted.path
                              ? "of several entries with this name the last one counts, as before"
                              : "its plugin also results from " + counted.path +
                                    ", and that weight is used, as before");
  } else if (weight == kMostWeight && score.weight != kMostWeight) {
    reporter_.Approximate(score.path, result, "this is the maximum weight");
  } else {
    reporter_.Add(score.path, result, score.outcome, score.remark);
  }
}

Strategy Translation::StrategyOf(const Score& score) {
  return {.path = score.path, .name = score.key, .type = score.strategy, .weight = score.weight};
}

void Translation::EnableScore(const Score& score, const StrategyChoice& choice) {
  if (score.strategy.empty()) return Enable(score.plugin, Side::kScore, WeightOf(score));
  if (choice.kept == nullptr || choice.kept->type != score.strategy) return;
  Enable(kFit, Side::kScore, static_cast<int32_t>(std::min(choice.weight, kMostWeight)));
  if (score.strategy == "LeastAllocated") return;
  const bool has_ratio = score.strategy == "RequestedToCapacityRatio";
  SetMember(Args(kFit), "scoringStrategy",
            has_ratio ? RatioStrategy(*ratio_) : ScoringStrategy(score.strategy, {}, {}));
}

void Translation::AddScores(const std::vector<Score>& scores) {
  std::vector<const Score*> order;
  for (const Score& score : scores) order.push_back(&score);
  std::ranges::stable_sort(order, {}, [](const Score* score) { return score->key; });
  // As before, the last of several entries with one name counts, and the first of several for one
  // plugin. Strategies were plugins of their own.
  const auto plugin_of = [](const Score& score) {
    return score.strategy.empty() ? score.plugin : score.key;
  };
  std::map<std::string_view, const Score*> counted;
  for (const Score* score : order) {
    const auto [entry, is_new] = counted.try_emplace(plugin_of(*score), score);
    if (!is_new && entry->second->key == score->key) entry->second = score;
  }
  std::vector<Strategy> strategies;
  for (const auto& [plugin, score] : counted) {
    if (!score->strategy.empty()) strategies.push_back(StrategyOf(*score));
  }
  StrategyChoice choice;
  if (!strategies.empty()) choice = ChooseStrategy(strategies);
  for (const Score* score : order) {
    if (counted.at(plugin_of(*score)) == score) EnableScore(*score, choice);
  }
  for (const Score& score : scores) {
    const Score& entry = *counted.at(plugin_of(score));
    if (&entry == &score && !score.strategy.empty()) {
      ReportStrategy(score, choice);
    } else {
      ReportScore(score, entry);
    }
  }
  if (counted.contains("PodTopologySpread")) {
    SetMember(Args("PodTopologySpread"), "defaultingType", {R"("List")"});
  }
}

void Translation::Rest(const api::LegacyPolicy& policy) {
  if (const json::Raw args = EncodedArgs(node_label_); args.text != "{}") Args(kNodeLabel) = args;
  if (const json::Raw args = EncodedArgs(service_affinity_); args.text != "{}") {
    Args(kServiceAffinity) = args;
  }
  if (const int32_t weight = policy.hard_pod_affinity_symmetric_weight; weight != 0) {
    const std::string field = "hardPodAffinitySymmetricWeight";
    if (crds::Lists(draft_.spec.plugins.score.enabled, "InterPodAffinity")) {
      SetMember(Args("InterPodAffinity"), "hardPodAffinityWeight", {std::to_string(weight)});
      reporter_.Exact(field, "InterPodAffinity's hardPodAffinityWeight " + std::to_string(weight));
    } else {
      reporter_.Dropped(field,
                        "only InterPodAffinityPriority used it, and it is not in the priorities");
    }
  }
  if (policy.always_check_all_predicates) {
    reporter_.Dropped("alwaysCheckAllPredicates",
                      "not expressible: filters stop at the first that rejects a node. Placement "
                      "is unchanged; the message for an unschedulable pod has only one reason per "
                      "node");
  }
  if (policy.api_version) {
    reporter_.Dropped("apiVersion",
                      "the Policy's \"" + *policy.api_version + "\" becomes berth.dev/v1alpha1");
  }
}

}  // namespace

Result<void> ApplyPolicy(const api::LegacyPolicy& policy,
                         const crds::PluginCatalogueView& catalogue, const Reporter& reporter,
                         Draft& draft) {
  Translation translation(catalogue, reporter, draft);
  translation.Base();
  translation.Predicates(policy);
  translation.Priorities(policy);
  translation.Rest(policy);
  return AddExtenders(policy.extenders, TimeoutForm::kNanoseconds, reporter, draft);
}

}  // namespace berth::convert
