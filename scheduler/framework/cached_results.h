// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/profile.h"
#include "scheduler/framework/result_cache.h"
#include "scheduler/framework/result_column.h"

namespace berth::scheduler {

class Ranking;

// CachedResults answers for the plugins of a profile in one attempt, after PreFilter: from the cache where the
// plugin has answered for the pod's key and none of its epochs has changed since, else by asking
// the plugin and caching what it says. It lives as long as the attempt's search for a node.
class CachedResults {
 public:
  // Requires: all outlive this; `reuse` serves one attempt at a time.
  CachedResults(ResultCache& result_cache, const Profile& profile, const CycleContext& cycle);
  ~CachedResults();
  CachedResults(const CachedResults&) = delete;
  CachedResults& operator=(const CachedResults&) = delete;

  // CanCache says whether answers of this plugin for this pod are cached.
  bool CanCache(const Profile::Entry<FilterPlugin>& entry) {
    return KeyOf(entry.index).has_value();
  }
  bool CanCache(const Profile::Entry<ScorePlugin>& entry) { return KeyOf(entry.index).has_value(); }

  // Filter and Score do as FilterBatch and ScoreBatch of the plugin do. They throw what it throws.
  void Filter(const Profile::Entry<FilterPlugin>& entry, const CycleContext& cycle,
              std::span<const Slot> slots, std::span<Verdict> out);
  void Score(const Profile::Entry<ScorePlugin>& entry, const CycleContext& cycle,
             std::span<const Slot> slots, std::span<int64_t> out);

  // DynamicFilters are the filters whose answers cannot be cached, without those that are skipped.
  PluginIndexSet DynamicFilters(PluginIndexSet skipped);
  // RankingFor gives the ranking of the pod's kind, to be brought up to date by Ranking::Update.
  // Requires: `left_out` has all filters that are skipped or dynamic.
  Ranking& RankingFor(PluginIndexSet left_out);

 private:
  using Key = std::optional<std::string>;  // with the plugin's address
  struct OfPlugin {
    bool has_key = false;  // asked for it
    Key key;
    Versions versions;                          // if there is a key
    ResultColumn<Verdict>* verdicts = nullptr;  // up to date, once looked up
    ResultColumn<int64_t>* scores = nullptr;
  };

  const Key& KeyOf(size_t plugin);
  Versions VersionsOf(PluginIndexSet plugins) const;  // Requires: KeyOf was asked of each
  template <class Answer>
  ResultColumn<Answer>& Column(size_t plugin, char kind, ResultColumn<Answer>*& found);
  // Ask fills out[i] for slots[i] from the column of the plugin, or with `compute`.
  template <class Answer, class Compute>
  void Ask(size_t plugin, char kind, ResultColumn<Answer>*& found, std::span<const Slot> slots,
           std::span<Answer> out, const Compute& compute);

  ResultCache& result_cache_;
  const Profile& profile_;
  const CycleContext& cycle_;
  std::vector<OfPlugin> plugins_;  // by their index in the profile
};

}  // namespace berth::scheduler
