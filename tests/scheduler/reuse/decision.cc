// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/decision.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {
namespace {

constexpr size_t kShownAtMost = 12;

std::string Text(std::string_view value) { return std::string(value); }
std::string Text(int64_t value) { return std::to_string(value); }
std::string Text(size_t value) { return std::to_string(value); }
std::string Text(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kPlaced:
      return "placed";
    case Outcome::Kind::kUnschedulable:
      return "unschedulable";
    case Outcome::Kind::kError:
      return "error";
  }
  return "";
}
std::string Text(const Status& status) {
  return status.plugin + ":" + std::string(ToString(status.code)) + ": " + status.Message();
}
std::string Text(PluginIndexSet plugins) {
  std::vector<std::string> indices;
  plugins.ForEach([&](size_t index) { indices.push_back(Text(index)); });
  return "[" + Join(indices, " ") + "]";
}

class Comparison {
 public:
  Comparison(const Decision& reused, const Decision& computed, const Snapshot& snapshot)
      : reused_(reused), computed_(computed), snapshot_(snapshot) {}

  std::vector<std::string> Run() {
    CompareOutcomes(reused_.outcome, computed_.outcome);
    Compare("start", reused_.start, computed_.start);
    if (reused_.is_traced && computed_.is_traced) {
      ComparePoints();
      CompareTotals();
      CompareScores();
      CompareFilters();
    }
    return std::move(differences_);
  }

 private:
  // Rows as compared: subject and value.
  using Rows = std::set<std::pair<std::string, std::string>>;
  using RowsByNode = std::map<Slot, Rows>;

  void Differ(const std::string& what, const std::string& reused, const std::string& computed) {
    if (differences_.size() == kShownAtMost) return;
    differences_.push_back(what + ": with reuse " + reused + ", computed " + computed);
  }
  template <class T>
  void Compare(const std::string& what, const T& reused, const T& computed) {
    if (!(reused == computed)) Differ(what, Text(reused), Text(computed));
  }
  std::string NodeName(Slot slot) const { return snapshot_.At(slot).name.text(); }

  void CompareOutcomes(const Outcome& reused, const Outcome& computed);
  void CompareEntries(const NodeVerdicts& reused, const NodeVerdicts& computed);
  void ComparePoints();
  void CompareTotals();
  void CompareScores();
  void CompareFilters();
  void CompareRows(const std::string& where, const Rows& reused, const Rows& computed);
  std::set<Slot> Decided() const;
  bool Failed() const { return computed_.outcome.kind == Outcome::Kind::kError; }

  const Decision& reused_;
  const Decision& computed_;
  const Snapshot& snapshot_;
  std::vector<std::string> differences_;
};

void Comparison::CompareOutcomes(const Outcome& reused, const Outcome& computed) {
  Compare("outcome", reused.kind, computed.kind);
  Compare("node", reused.node.name(), computed.node.name());
  Compare("error", reused.error, computed.error);
  Compare("node count", reused.node_count, computed.node_count);
  Compare("evaluated", reused.evaluated, computed.evaluated);
  Compare("feasible", reused.feasible, computed.feasible);
  if (reused.kind != computed.kind || computed.kind != Outcome::Kind::kUnschedulable) return;
  Compare("PreFilter's message", reused.pre_filter_message, computed.pre_filter_message);
  Compare("PostFilter's message", reused.post_filter_message, computed.post_filter_message);
  Compare("PostFilter", reused.post_filter.status, computed.post_filter.status);
  Compare("nominated node", reused.post_filter.nominated_node, computed.post_filter.nominated_node);
  Compare("unschedulable plugins", reused.unschedulable_plugins, computed.unschedulable_plugins);
  Compare("pending plugins", reused.pending_plugins, computed.pending_plugins);
  Compare("FitError", FitErrorText(reused), FitErrorText(computed));
  Compare("verdict of the nodes left out", reused.verdicts.absent, computed.verdicts.absent);
  if (reused.fit_error.empty()) CompareEntries(reused.verdicts, computed.verdicts);
}

void Comparison::CompareEntries(const NodeVerdicts& reused, const NodeVerdicts& computed) {
  Compare("number of verdicts", reused.entries.size(), computed.entries.size());
  const auto text = [&](const NodeVerdicts::Entry& entry) {
    return NodeName(entry.slot) + " " + std::string(entry.plugin) + " " +
           testing::Text(entry.verdict);
  };
  for (size_t i = 0; i < std::min(reused.entries.size(), computed.entries.size()); ++i) {
    const NodeVerdicts::Entry& a = reused.entries[i];
    const NodeVerdicts::Entry& b = computed.entries[i];
    if (text(a) == text(b)) continue;
    Differ("verdict " + std::to_string(i), text(a), text(b));
  }
}

void Comparison::ComparePoints() {
  const auto text = [](const CycleTrace& trace, size_t i) {
    if (i >= trace.points.size()) return std::string("nothing");
    const CycleTrace::PointRow& row = trace.points[i];
    return std::string(ToString(row.point)) + " " + std::string(row.plugin) + " " +
           Text(row.status);
  };
  const size_t size = std::max(reused_.trace.points.size(), computed_.trace.points.size());
  for (size_t i = 0; i < size; ++i) {
    Compare("point " + std::to_string(i), text(reused_.trace, i), text(computed_.trace, i));
  }
}

void Comparison::CompareTotals() {
  if (Failed()) return;
  const auto text = [&](const CycleTrace& trace, size_t i) {
    if (i >= trace.totals.size()) return std::string("nothing");
    return NodeName(trace.totals[i].slot) + " " + Text(trace.totals[i].total);
  };
  const auto& reused = reused_.trace.totals;
  const auto& computed = computed_.trace.totals;
  const auto same = [](const CycleTrace::TotalRow& a, const CycleTrace::TotalRow& b) {
    return a.slot == b.slot && a.total == b.total;
  };
  if (std::equal(reused.begin(), reused.end(), computed.begin(), computed.end(), same)) return;
  for (size_t i = 0; i < std::max(reused.size(), computed.size()); ++i) {
    Compare("total " + std::to_string(i), text(reused_.trace, i), text(computed_.trace, i));
  }
}

void Comparison::CompareRows(const std::string& where, const Rows& reused, const Rows& computed) {
  if (reused == computed) return;
  for (const auto& [what, said] : computed) {
    const auto found = reused.lower_bound({what, ""});
    const bool present = found != reused.end() && found->first == what;
    if (!reused.contains({what, said})) {
      Differ(where + " " + what, present ? found->second : "nothing", said);
    }
  }
  for (const auto& [what, said] : reused) {
    const auto found = computed.lower_bound({what, ""});
    const bool present = found != computed.end() && found->first == what;
    if (!present) Differ(where + " " + what, said, "nothing");
  }
}

void Comparison::CompareScores() {
  const auto less = [](const CycleTrace::ScoreRow& a, const CycleTrace::ScoreRow& b) {
    return std::tie(a.plugin, a.slot) < std::tie(b.plugin, b.slot);
  };
  auto reused = reused_.trace.scores;
  auto computed = computed_.trace.scores;
  std::sort(reused.begin(), reused.end(), less);
  std::sort(computed.begin(), computed.end(), less);
  const auto text = [](const CycleTrace::ScoreRow& row) {
    return "raw " + Text(row.raw) + " normalised " + Text(row.normalized) + " weight " +
           Text(row.weight);
  };
  const auto what = [&](const CycleTrace::ScoreRow& row) {
    return "score " + std::string(row.plugin) + " " + NodeName(row.slot);
  };
  auto a = reused.begin();
  auto b = computed.begin();
  while (a != reused.end() || b != computed.end()) {
    if (b == computed.end() || (a != reused.end() && less(*a, *b))) {
      if (!Failed()) Differ(what(*a), text(*a), "nothing");
      ++a;
    } else if (a == reused.end() || less(*b, *a)) {
      if (!Failed()) Differ(what(*b), "nothing", text(*b));
      ++b;
    } else {
      if (std::tie(a->raw, a->normalized, a->weight) !=
          std::tie(b->raw, b->normalized, b->weight)) {
        Differ(what(*a), text(*a), text(*b));
      }
      ++a;
      ++b;
    }
  }
}

// Returns the nodes that must have rows in both traces.
std::set<Slot> Comparison::Decided() const {
  std::set<Slot> slots;
  if (Failed()) return slots;
  for (const CycleTrace::TotalRow& row : computed_.trace.totals) slots.insert(row.slot);
  for (const NodeVerdicts::Entry& entry : computed_.outcome.verdicts.entries) {
    slots.insert(entry.slot);
  }
  if (computed_.outcome.evaluated >= computed_.outcome.node_count) {
    slots.insert(snapshot_.Order().begin(), snapshot_.Order().end());
  }
  return slots;
}

void Comparison::CompareFilters() {
  const auto less = [](const CycleTrace::FilterRow& a, const CycleTrace::FilterRow& b) {
    return std::tie(a.slot, a.plugin, a.simulated) < std::tie(b.slot, b.plugin, b.simulated);
  };
  const auto equal = [](const CycleTrace::FilterRow& a, const CycleTrace::FilterRow& b) {
    return a.slot == b.slot && a.plugin == b.plugin && a.simulated == b.simulated &&
           a.verdict == b.verdict;
  };
  // The nominated node is evaluated first, and may be evaluated again in its turn.
  const auto sorted = [&](std::vector<CycleTrace::FilterRow> rows) {
    std::stable_sort(rows.begin(), rows.end(), less);
    rows.erase(std::unique(rows.begin(), rows.end(), equal), rows.end());
    return rows;
  };
  const auto reused = sorted(reused_.trace.filters);
  const auto computed = sorted(computed_.trace.filters);
  if (std::equal(reused.begin(), reused.end(), computed.begin(), computed.end(), equal)) return;

  const auto by_node = [](const std::vector<CycleTrace::FilterRow>& rows) {
    RowsByNode nodes;
    for (const CycleTrace::FilterRow& row : rows) {
      nodes[row.slot].emplace(std::string(row.plugin) + (row.simulated ? " (simulated)" : ""),
                              testing::Text(row.verdict));
    }
    return nodes;
  };
  RowsByNode a = by_node(reused);
  RowsByNode b = by_node(computed);
  const std::set<Slot> decided = Decided();
  std::set<Slot> slots = decided;
  for (const auto& [slot, rows] : a) {
    if (b.contains(slot)) slots.insert(slot);
  }
  for (const Slot slot : slots) CompareRows("filter " + NodeName(slot), a[slot], b[slot]);
}

}  // namespace

Decision Decide(const AlgorithmInput& input, Tracing tracing) {
  Decision decision;
  decision.is_traced = tracing == Tracing::kOn;
  decision.start = input.start;
  decision.state = std::make_shared<CycleState>();
  decision.outcome = SchedulePod({.profile = input.profile,
                                  .snapshot = input.snapshot,
                                  .pod = input.pod,
                                  .nominated = input.nominated,
                                  .start = decision.start,
                                  .trace = decision.is_traced ? &decision.trace : nullptr,
                                  .result_cache = input.result_cache,
                                  .known_rejections = input.known_rejections},
                                 *decision.state);
  return decision;
}

std::vector<std::string> Differences(const Decision& reused, const Decision& computed,
                                     const Snapshot& snapshot) {
  return Comparison(reused, computed, snapshot).Run();
}

}  // namespace berth::scheduler::testing
