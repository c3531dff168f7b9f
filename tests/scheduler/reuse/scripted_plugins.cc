// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/scripted_plugins.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/scheduler/framework/scripted_plugin.h"
#include "tests/scheduler/reuse/random_objects.h"

namespace berth::scheduler::testing {
namespace {

const std::string& LabelOf(const api::StringMap& labels, const std::string& key) {
  static const std::string kNone;
  const auto found = labels.find(key);
  return found == labels.end() ? kNone : found->second;
}

const std::string& AppOf(const PendingPod& pod) {
  return LabelOf(pod.pod().metadata.labels, kAppLabel);
}
ResultKey KeyOfApp(const PendingPod& pod) { return ResultKey::Of(AppOf(pod)); }
ResultKey KeyOfNothing(const PendingPod&) { return ResultKey::Of(""); }

int64_t TierOf(const NodeView& node) {
  const std::string& tier = LabelOf(node.node().metadata.labels, kTierLabel);
  return tier.empty() ? 0 : tier[0] - '0';
}
bool IsBroken(const NodeView& node) {
  return !LabelOf(node.node().metadata.labels, kBrokenLabel).empty();
}
int64_t PodsOn(const NodeView& node) {
  int64_t pods = 0;
  node.ForEachPod([&](const PodInfo&) { ++pods; });
  return pods;
}
// Returns a pseudo-random number derived from a text and a number.
int64_t Mix(std::string_view text, int64_t number) {
  return static_cast<int64_t>((SeedOf(text) >> 20) % 1000) * 7 + number * 31;
}

Verdict RejectIf(bool rejected, std::string_view reason) {
  return rejected ? Reject(reason) : Verdict::Fits();
}

std::string ImagesOf(const PendingPod& pod) {
  std::string images;
  for (const api::Container& container : pod.pod().spec.containers) {
    images += container.image + "\n";
  }
  return images;
}
int64_t NodesWithImagesOf(const CycleContext& cycle) {
  int64_t nodes = 0;
  for (const api::Container& container : cycle.pod.pod().spec.containers) {
    const Symbol image = cycle.snapshot.Words().Find(container.image);
    nodes += static_cast<int64_t>(cycle.snapshot.Image(image).slots.size());
  }
  return nodes;
}

Versions VersionsOfImages(const PendingPod& pod, const Snapshot& snapshot) {
  Versions versions;
  for (const api::Container& container : pod.pod().spec.containers) {
    versions.push_back(snapshot.Image(snapshot.Words().Find(container.image)).version);
  }
  return versions;
}

constexpr int kClosedNamespace = 3;  // pods of these namespaces fit nowhere

PluginDescriptor FilterOfNodeObject() {
  return Scripted("OfNodeObject", {.filter =
                                       [](const CycleContext& cycle, const NodeView& node) {
                                         const int64_t mixed = Mix(AppOf(cycle.pod), TierOf(node));
                                         return RejectIf(mixed % 9 == 0, "tier");
                                       },
                                   .key_of = KeyOfApp,
                                   .depends_on = {Epoch::kNodeObject}});
}

PluginDescriptor FilterOfNodePods() {
  return Scripted("OfNodePods", {.filter =
                                     [](const CycleContext&, const NodeView& node) {
                                       return RejectIf(PodsOn(node) % 7 == 6, "crowd");
                                     },
                                 .key_of = KeyOfNothing,
                                 .depends_on = {Epoch::kNodePods}});
}

PluginDescriptor FilterThatFails() {
  return Scripted("Fails", {.filter =
                                [](const CycleContext& cycle, const NodeView& node) {
                                  return AppOf(cycle.pod) == "fragile" && IsBroken(node)
                                             ? Verdict::Failed(VerdictReason::Intern("broken"))
                                             : Verdict::Fits();
                                },
                            .key_of = KeyOfApp,
                            .depends_on = {Epoch::kNodeObject}});
}

PluginDescriptor FilterThatThrows() {
  return Scripted("Throws", {.filter =
                                 [](const CycleContext& cycle, const NodeView& node) {
                                   if (AppOf(cycle.pod) == "throws" && IsBroken(node)) {
                                     throw std::runtime_error("plugin exception");
                                   }
                                   return RejectIf(TierOf(node) == 5, "tier 5");
                                 },
                             .key_of = KeyOfApp,
                             .depends_on = {Epoch::kNodeObject}});
}

PluginDescriptor FilterWithoutKey(const Facts& facts) {
  return Scripted("WithoutKey", {.filter =
                                     [&facts](const CycleContext&, const NodeView& node) {
                                       const int64_t mixed = Mix(node.name(), facts.dial);
                                       return RejectIf(mixed % 23 == 0, "dial");
                                     },
                                 .depends_on = {Epoch::kNodeObject}});
}

// Tiers is the number of pods on the nodes of each tier: input of a node's result that depends on
// all other nodes.
struct Tiers {
  Tiers(std::span<const Slot> nodes, const Snapshot& snapshot) {
    for (const Slot slot : nodes) {
      const NodeView node = snapshot.View(slot);
      pods[static_cast<size_t>(TierOf(node))] += PodsOn(node);
    }
  }
  std::array<int64_t, 10> pods{};
};

// Rejects about half of the nodes, like a plugin that spreads pods.
PluginDescriptor FilterOfOtherNodes() {
  return Scripted("OfOtherNodes",
                  {.pre_filter =
                       [](CycleContext& cycle) {
                         if (AppOf(cycle.pod) == "cache")
                           return PreFilterResult::Of(Status::Skip());
                         cycle.state.Write(Tiers(cycle.snapshot.Order(), cycle.snapshot));
                         return PreFilterResult::Of(Status::Success());
                       },
                   .filter =
                       [](const CycleContext& cycle, const NodeView& node) {
                         const int64_t pods =
                             cycle.state.Read<Tiers>()->pods[static_cast<size_t>(TierOf(node))];
                         return RejectIf(Mix(AppOf(cycle.pod), pods) % 2 == 0, "crowded tier");
                       },
                   .depends_on = {Epoch::kNodePods, Epoch::kNodeObject}});
}

PluginDescriptor FilterOfImages() {
  return Scripted("OfImages",
                  {.filter =
                       [](const CycleContext& cycle, const NodeView& node) {
                         const int64_t nodes = NodesWithImagesOf(cycle);
                         return RejectIf((nodes + TierOf(node)) % 10 == 3, "images");
                       },
                   .key_of = [](const PendingPod& pod) { return ResultKey::Of(ImagesOf(pod)); },
                   .versions_of = VersionsOfImages,
                   .depends_on = {Epoch::kNodeObject}});
}

int LevelOfNamespace(const CycleContext& cycle) {
  const Snapshot& snapshot = cycle.snapshot;
  const LabelSet* labels = snapshot.Namespaces().LabelsOf(cycle.pod.namespace_word());
  if (labels == nullptr) return 0;
  const auto level = labels->Value(snapshot.Words().Find("level"));
  return level ? std::stoi(snapshot.Words().Text(*level)) : 0;
}

PluginDescriptor FilterOfNamespaces() {
  return Scripted("OfNamespaces",
                  {.filter =
                       [](const CycleContext& cycle, const NodeView& node) {
                         const int label = LevelOfNamespace(cycle);
                         return RejectIf(
                             label == kClosedNamespace || (label != 0 && TierOf(node) == label),
                             "namespace");
                       },
                   .key_of = [](const PendingPod& pod) { return ResultKey::Of(pod.namespace_()); },
                   .depends_on = {Epoch::kNamespaces, Epoch::kNodeObject}});
}

PluginDescriptor FilterOfOrder() {
  return Scripted("OfOrder", {.filter =
                                  [](const CycleContext& cycle, const NodeView& node) {
                                    const auto nodes =
                                        static_cast<int64_t>(cycle.snapshot.NodeCount());
                                    return RejectIf((nodes + TierOf(node)) % 8 == 0, "odd count");
                                  },
                              .key_of = KeyOfNothing,
                              .depends_on = {Epoch::kOrder, Epoch::kNodeObject}});
}

// Narrows the nodes of one app, skips for another and rejects a third. Its Filter would reject many
// nodes that it skips.
PluginDescriptor PreFilterOfApp() {
  return Scripted("PreFilterOfApp",
                  {.pre_filter =
                       [](CycleContext& cycle) {
                         const std::string& app = AppOf(cycle.pod);
                         if (app == "skipped") return PreFilterResult::Of(Status::Skip());
                         if (app == "rejected" && cycle.snapshot.NodeCount() % 3 == 0) {
                           return PreFilterResult::Of(Status::Unschedulable("rejected"));
                         }
                         if (app != "narrow") return PreFilterResult::Of(Status::Success());
                         std::set<std::string> nodes;
                         for (size_t i = 0; i < 60; ++i) {
                           nodes.insert("n" + std::to_string(i * 3));
                         }
                         return PreFilterResult{Status::Success(), std::move(nodes)};
                       },
                   .filter =
                       [](const CycleContext& cycle, const NodeView& node) {
                         const bool rejected = AppOf(cycle.pod) == "skipped" && TierOf(node) > 2;
                         return RejectIf(rejected, "should have been skipped");
                       },
                   .key_of = KeyOfApp,
                   .depends_on = {Epoch::kNodeObject}});
}

// Counts the simulated pods on a node.
PluginDescriptor FilterOfSimulated() {
  return Scripted("OfSimulated", {.filter =
                                      [](const CycleContext&, const NodeView& node) {
                                        const bool is_simulated = node.simulated();
                                        const auto count = static_cast<int64_t>(
                                            is_simulated ? node.delta()->added().size() : 0);
                                        return RejectIf(count * 3 + PodsOn(node) > 12, "rivals");
                                      },
                                  .key_of = KeyOfNothing,
                                  .depends_on = {Epoch::kNodePods}});
}

PluginDescriptor ScoreWithoutNormalizer() {
  return Scripted("ScorePlain", {.score =
                                     [](const CycleContext& cycle, const NodeView& node) {
                                       const std::string& app = AppOf(cycle.pod);
                                       if (app == "unscorable" && IsBroken(node))
                                         return int64_t{101};
                                       return Mix(app, TierOf(node)) % 101;
                                     },
                                 .key_of = KeyOfApp,
                                 .depends_on = {Epoch::kNodeObject}});
}

PluginDescriptor ScoreByMax() {
  return Scripted("ScoreByMax", {.score =
                                     [](const CycleContext& cycle, const NodeView& node) {
                                       return PodsOn(node) * (AppOf(cycle.pod) == "db" ? 0 : 37);
                                     },
                                 .normalizer = Normalizer::kDefault,
                                 .key_of = KeyOfApp,
                                 .depends_on = {Epoch::kNodePods}});
}

PluginDescriptor ScoreReversed() {
  return Scripted("ScoreReversed", {.score =
                                        [](const CycleContext& cycle, const NodeView& node) {
                                          return Mix(AppOf(cycle.pod), TierOf(node)) % 57;
                                        },
                                    .normalizer = Normalizer::kDefaultReversed,
                                    .key_of = KeyOfApp,
                                    .depends_on = {Epoch::kNodeObject}});
}

PluginDescriptor ScoreByRange() {
  return Scripted("ScoreByRange", {.score =
                                       [](const CycleContext&, const NodeView& node) {
                                         return TierOf(node) * 5 - PodsOn(node) * 11;
                                       },
                                   .normalizer = Normalizer::kMinMax,
                                   .key_of = KeyOfNothing,
                                   .depends_on = {Epoch::kNodePods, Epoch::kNodeObject}});
}

// Normalises by the scores of all nodes, with its own function.
PluginDescriptor ScoreByRank() {
  return Scripted("ScoreByRank",
                  {.score = [](const CycleContext&, const NodeView& node) { return PodsOn(node); },
                   .normalizer = Normalizer::kCustom,
                   .normalize =
                       [](std::span<const Slot>, std::span<int64_t> scores) {
                         const int64_t sum =
                             std::accumulate(scores.begin(), scores.end(), int64_t{0});
                         const auto count = static_cast<int64_t>(scores.size());
                         for (int64_t& score : scores) score = score * count > sum ? 100 : 20;
                         return Status::Success();
                       },
                   .key_of = KeyOfNothing,
                   .depends_on = {Epoch::kNodePods}});
}

PluginDescriptor ScoreWithoutKey(const Facts& facts) {
  return Scripted("ScoreWithoutKey", {.score =
                                          [&facts](const CycleContext&, const NodeView& node) {
                                            return Mix(node.name(), facts.dial) % 30;
                                          },
                                      .normalizer = Normalizer::kDefault,
                                      .depends_on = {Epoch::kNodeObject}});
}

// Prefers the tiers with the fewest pods on feasible nodes; depends on the list of feasible nodes.
PluginDescriptor ScoreOfOtherNodes() {
  struct Sums {
    Tiers of_feasible;
  };
  return Scripted(
      "ScoreOfOtherNodes",
      {.pre_score =
           [](CycleContext& cycle, const FeasibleNodes& feasible) {
             if (AppOf(cycle.pod) == "db") return Status::Skip();
             cycle.state.Write(Sums{Tiers(feasible.slots(), cycle.snapshot)});
             return Status::Success();
           },
       .score =
           [](const CycleContext& cycle, const NodeView& node) {
             return cycle.state.Read<Sums>()->of_feasible.pods[static_cast<size_t>(TierOf(node))];
           },
       .normalizer = Normalizer::kCustom,
       .normalize =
           [](std::span<const Slot> slots, std::span<int64_t> scores) {
             const int64_t most = *std::max_element(scores.begin(), scores.end());
             for (size_t i = 0; i < scores.size(); ++i) {
               scores[i] = most == 0 ? slots[i] % 7 : 100 * (most - scores[i]) / most;
             }
             return Status::Success();
           }});
}

PluginDescriptor ScoreOfImages() {
  return Scripted(
      "ScoreOfImages",
      {.score = [](const CycleContext& cycle,
                   const NodeView& node) { return NodesWithImagesOf(cycle) * (1 + TierOf(node)); },
       .normalizer = Normalizer::kMinMax,
       .key_of = [](const PendingPod& pod) { return ResultKey::Of(ImagesOf(pod)); },
       .versions_of = VersionsOfImages,
       .depends_on = {Epoch::kNodeObject}});
}

// Depends on the number of feasible nodes, which has no epoch; skips for some pods.
PluginDescriptor ScoreOfFeasible() {
  struct Feasible {
    size_t nodes;
  };
  return Scripted("ScoreOfFeasible", {.pre_score =
                                          [](CycleContext& cycle, const FeasibleNodes& feasible) {
                                            if (AppOf(cycle.pod) == "cache") return Status::Skip();
                                            cycle.state.Write(Feasible{feasible.size()});
                                            return Status::Success();
                                          },
                                      .score =
                                          [](const CycleContext& cycle, const NodeView& node) {
                                            const size_t nodes =
                                                cycle.state.Read<Feasible>()->nodes;
                                            return static_cast<int64_t>((nodes + node.slot()) % 40);
                                          }});
}

PluginDescriptor ScoreThatSkips() {
  return Scripted(
      "ScoreSkips",
      {.pre_score =
           [](CycleContext& cycle, const FeasibleNodes&) {
             return AppOf(cycle.pod) == "db" ? Status::Skip() : Status::Success();
           },
       .score = [](const CycleContext&, const NodeView& node) { return PodsOn(node) * 5; },
       .normalizer = Normalizer::kDefaultReversed,
       .key_of = KeyOfNothing,
       .depends_on = {Epoch::kNodePods}});
}

PluginDescriptor ScoreThatThrows() {
  return Scripted("ScoreThrows", {.score =
                                      [](const CycleContext& cycle, const NodeView& node) {
                                        if (AppOf(cycle.pod) == "score-throws" && IsBroken(node)) {
                                          throw std::runtime_error("cannot count");
                                        }
                                        return TierOf(node);
                                      },
                                  .key_of = KeyOfApp,
                                  .depends_on = {Epoch::kNodeObject}});
}

std::vector<PluginDescriptor> All(const Facts& facts) {
  return {FilterOfNodeObject(), FilterOfNodePods(),      FilterThatFails(),
          FilterThatThrows(),   FilterWithoutKey(facts), FilterOfImages(),
          FilterOfNamespaces(), FilterOfOrder(),         PreFilterOfApp(),
          FilterOfSimulated(),  FilterOfOtherNodes(),    ScoreWithoutNormalizer(),
          ScoreByMax(),         ScoreReversed(),         ScoreByRange(),
          ScoreByRank(),        ScoreWithoutKey(facts),  ScoreOfOtherNodes(),
          ScoreOfImages(),      ScoreOfFeasible(),       ScoreThatSkips(),
          ScoreThatThrows()};
}

PluginDescriptor Liar(Lie lie) {
  switch (lie) {
    case Lie::kFilterEpoch:
      return Scripted("Liar", {.filter =
                                   [](const CycleContext&, const NodeView& node) {
                                     return RejectIf(PodsOn(node) % 3 == 2, "a lie");
                                   },
                               .key_of = KeyOfNothing,
                               .depends_on = {Epoch::kNodeObject}});
    case Lie::kFilterKey:
      return Scripted("Liar", {.filter =
                                   [](const CycleContext& cycle, const NodeView& node) {
                                     const int64_t mixed = Mix(AppOf(cycle.pod), TierOf(node));
                                     return RejectIf(mixed % 5 == 0, "a lie");
                                   },
                               .key_of = KeyOfNothing,
                               .depends_on = {Epoch::kNodeObject}});
    case Lie::kScoreEpoch:
      return Scripted("Liar", {.score = [](const CycleContext&,
                                           const NodeView& node) { return PodsOn(node) % 101; },
                               .key_of = KeyOfNothing,
                               .depends_on = {Epoch::kNodeObject}});
    case Lie::kScoreKey:
      return Scripted("Liar", {.score =
                                   [](const CycleContext& cycle, const NodeView& node) {
                                     return (cycle.pod.priority() + TierOf(node)) % 101;
                                   },
                               .key_of = KeyOfNothing,
                               .depends_on = {Epoch::kNodeObject}});
  }
  return {};
}

}  // namespace

Registry ScriptedPlugins(const Facts& facts) { return WithBasics(All(facts)); }

Registry WithLiar(const Facts& facts, Lie lie) {
  std::vector<PluginDescriptor> plugins = All(facts);
  plugins.push_back(Liar(lie));
  return WithBasics(std::move(plugins));
}

}  // namespace berth::scheduler::testing
