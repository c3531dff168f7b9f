// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/explain.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/clock.h"
#include "base/strings.h"
#include "engine/config.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/queue/nominator.h"

namespace berth::sandbox {
namespace {

using scheduler::CycleTrace;
using scheduler::Slot;

// Scheduling alone writes nothing.
class NoWrites final : public scheduler::ApiPort {
 public:
  void Bind(const scheduler::PodRef&, const std::string&, Done) override {}
  void PatchPodStatus(const scheduler::PodRef&, scheduler::PodStatusPatch, Done) override {}
  void MarkVictim(const scheduler::PodRef&, api::PodCondition, Done) override {}
  void DeletePod(const scheduler::PodRef&, Done) override {}
  void EvictPod(const scheduler::PodRef&, Done) override {}
  void ReadPod(const scheduler::PodRef&, PodDone) override {}
  void BindVolume(const api::PersistentVolume&, Done) override {}
  void SelectNode(const api::PersistentVolumeClaim&, Done) override {}
  void PatchGroupCondition(const api::ObjectReference&, api::Condition, Done) override {}
  void RecordEvent(const api::ObjectReference&, scheduler::ObjectEvent) override {}
};

struct Best {
  const CycleTrace::TotalRow* chosen = nullptr;
  const CycleTrace::TotalRow* next = nullptr;  // the best of the other nodes
};

Best BestOf(const CycleTrace& trace, const scheduler::Cache& cache, const std::string& node) {
  Best best;
  for (const CycleTrace::TotalRow& row : trace.totals) {
    if (cache.At(row.slot).name.text() == node) {
      best.chosen = &row;
    } else if (best.next == nullptr || row.total > best.next->total) {
      best.next = &row;
    }
  }
  return best;
}

// Lists the plugins that separate two nodes, the largest difference first.
std::string Margins(const CycleTrace& trace, Slot chosen, Slot next) {
  std::map<std::string_view, int64_t> margins;
  for (const CycleTrace::ScoreRow& row : trace.scores) {
    if (row.slot == chosen) margins[row.plugin] += row.normalized * row.weight;
    if (row.slot == next) margins[row.plugin] -= row.normalized * row.weight;
  }
  std::vector<std::pair<int64_t, std::string_view>> sorted;
  for (const auto& [plugin, margin] : margins) {
    if (margin != 0) sorted.emplace_back(margin, plugin);
  }
  std::sort(sorted.rbegin(), sorted.rend());
  std::vector<std::string> parts;
  for (const auto& [margin, plugin] : sorted) {
    parts.push_back(std::string(plugin) + (margin > 0 ? " +" : " ") + std::to_string(margin));
  }
  return Join(parts, ", ");
}

std::string Line(const CycleTrace& trace, const scheduler::Cache& cache, const Best& best,
                 size_t node_count) {
  std::string line = std::to_string(trace.totals.size()) + " of " + std::to_string(node_count) +
                     " nodes fit; " + std::to_string(best.chosen->total) + " points";
  if (best.next == nullptr) return line;
  const std::string& next = cache.At(best.next->slot).name.text();
  if (best.next->total == best.chosen->total) return line + ", as many as " + next;
  return line + ", next " + next + " with " + std::to_string(best.next->total) + " (" +
         Margins(trace, best.chosen->slot, best.next->slot) + ")";
}

}  // namespace

Result<std::string> ExplainPlacement(const std::string& config,
                                     const std::shared_ptr<const api::Pod>& pod,
                                     const std::string& node, const ClusterState& before) {
  const SystemClock clock;
  NoWrites writes;
  scheduler::Vocabulary words;
  scheduler::Cache cache(words);
  for (const auto& each : before.nodes) cache.AddNode(each);
  for (const auto& each : before.pods) {
    if (!each->spec.node_name.empty()) cache.AddPod(*each);
  }
  const scheduler::Registry registry = scheduler::MakeRegistry();
  BERTH_TRY(
      const engine::LoadedConfig loaded,
      engine::LoadConfig(config, {"the scheduler's configuration", true}, registry,
                         {.clock = clock, .api = writes, .words = words},
                         [](const api::Extender& extender, const auto&) {
                           return Result<std::unique_ptr<scheduler::ExtenderPort>>(ConfigError(
                               extender.url_prefix + ": extenders are not supported here"));
                         }));
  const auto profile = loaded.profiles.find(pod->spec.scheduler_name);
  if (profile == loaded.profiles.end()) return std::string();
  api::Pod unassigned = *pod;
  unassigned.spec.node_name.clear();
  const auto info =
      scheduler::PendingPod::Create(std::make_shared<const api::Pod>(std::move(unassigned)), words);
  scheduler::CycleState state;
  CycleTrace trace;
  size_t start = 0;
  const scheduler::Nominator nominations;
  const scheduler::Outcome outcome = scheduler::SchedulePod({.profile = *profile->second,
                                                             .snapshot = cache,
                                                             .pod = *info,
                                                             .nominated = nominations,
                                                             .start = start,
                                                             .trace = &trace},
                                                            state);
  if (outcome.kind != scheduler::Outcome::Kind::kPlaced) return std::string();
  if (trace.totals.empty()) {
    return outcome.node.name() == node
               ? "the only one of " + std::to_string(before.nodes.size()) + " nodes that fits"
               : std::string();
  }
  const Best best = BestOf(trace, cache, node);
  const bool is_best = best.chosen && (!best.next || best.chosen->total >= best.next->total);
  return is_best ? Line(trace, cache, best, before.nodes.size()) : std::string();
}

}  // namespace berth::sandbox
