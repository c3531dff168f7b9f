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

// CachedResults runs the Filter and Score plugins of a profile for one attempt, after PreFilter. It
// takes a result from the cache if the plugin has one for the pod's ResultKey and none of the
// plugin's epochs has changed since. Otherwise it calls the plugin and caches the result. Lives as
// long as the attempt's search for a node.
class CachedResults {
 public:
  // Requires: all arguments outlive this; `result_cache` serves one attempt at a time.
  CachedResults(ResultCache& result_cache, const Profile& profile, const CycleContext& cycle);
  ~CachedResults();
  CachedResults(const CachedResults&) = delete;
  CachedResults& operator=(const CachedResults&) = delete;

  // Reports whether results of this plugin for this pod are cached.
  bool CanCache(const Profile::Entry<FilterPlugin>& entry) {
    return KeyOf(entry.index).has_value();
  }
  bool CanCache(const Profile::Entry<ScorePlugin>& entry) { return KeyOf(entry.index).has_value(); }

  // Do the same as the plugin's FilterBatch and ScoreBatch, and pass on their exceptions.
  void Filter(const Profile::Entry<FilterPlugin>& entry, const CycleContext& cycle,
              std::span<const Slot> slots, std::span<Verdict> out);
  void Score(const Profile::Entry<ScorePlugin>& entry, const CycleContext& cycle,
             std::span<const Slot> slots, std::span<int64_t> out);

  // Returns the filters whose results cannot be cached, without the skipped ones.
  PluginIndexSet DynamicFilters(PluginIndexSet skipped);
  // Returns the key of the pod data that a rejection by Filter and PostFilter depends on, for pods
  // of one gang without a nominated node. "": there is no such key.
  std::string RejectionKey(PluginIndexSet skipped);
  // Returns the ranking of the pod's equivalence class. The caller updates it with Ranking::Update.
  // Requires: `left_out` contains all filters that are skipped or dynamic.
  Ranking& RankingFor(PluginIndexSet left_out);

 private:
  using Key = std::optional<std::string>;  // with the plugin's address
  struct OfPlugin {
    bool has_key = false;  // KeyOf was called
    Key key;
    Versions versions;                          // set if there is a key
    ResultColumn<Verdict>* verdicts = nullptr;  // up to date once looked up
    ResultColumn<int64_t>* scores = nullptr;
  };

  const Key& KeyOf(size_t plugin);
  // Returns the key of the profile with these plugins. `filters`: those of them that filter.
  std::string JoinedKey(PluginIndexSet filters, PluginIndexSet members) const;
  PluginIndexSet FiltersWithout(PluginIndexSet left_out) const;
  Versions VersionsOf(PluginIndexSet plugins) const;  // Requires: KeyOf was called for each plugin
  template <class Answer>
  ResultColumn<Answer>& Column(size_t plugin, char kind, ResultColumn<Answer>*& found);
  // Fills out[i] for slots[i] from the plugin's column, or by calling `compute`.
  template <class Answer, class Compute>
  void Ask(size_t plugin, char kind, ResultColumn<Answer>*& found, std::span<const Slot> slots,
           std::span<Answer> out, const Compute& compute);

  ResultCache& result_cache_;
  const Profile& profile_;
  const CycleContext& cycle_;
  std::vector<OfPlugin> plugins_;  // by their index in the profile
};

}  // namespace berth::scheduler
