// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/answer_column.h"
#include "scheduler/framework/profile.h"
#include "scheduler/framework/reuse.h"

namespace berth::scheduler {

class Ranking;

// KeptAnswers answers for the plugins of a profile in one attempt: out of what was kept where the
// plugin's key for the pod is known and its epochs stand, else by asking the plugin, whose answer
// is kept then. It lives as long as the attempt's search for a node.
class KeptAnswers {
 public:
  // Requires: all outlive this; `reuse` serves one attempt at a time.
  KeptAnswers(Reuse& reuse, const Profile& profile, const PodInfo& pod, const Snapshot& snapshot);
  ~KeptAnswers();
  KeptAnswers(const KeptAnswers&) = delete;
  KeptAnswers& operator=(const KeptAnswers&) = delete;

  // CanKeep says whether answers of this plugin for this pod are kept.
  bool CanKeep(const Profile::Entry<FilterPlugin>& entry) { return KeyOf(entry.index).has_value(); }
  bool CanKeep(const Profile::Entry<ScorePlugin>& entry) { return KeyOf(entry.index).has_value(); }

  // Filter and Score do as FilterBatch and ScoreBatch of the plugin do. They throw what it throws.
  void Filter(const Profile::Entry<FilterPlugin>& entry, const CycleContext& cycle,
              std::span<const Slot> slots, std::span<Verdict> out);
  void Score(const Profile::Entry<ScorePlugin>& entry, const CycleContext& cycle,
             std::span<const Slot> slots, std::span<int64_t> out);

  // RankingFor gives the ranking of the pod's kind; null when one of the filters that are asked
  // keeps no answers. It may be out of date.
  Ranking* RankingFor(const std::set<std::string_view>& skipped_filters);

 private:
  using Key = std::optional<std::string>;  // with the plugin's address
  struct OfPlugin {
    bool has_key = false;  // asked for it
    Key key;
    AnswerColumn<Verdict>* verdicts = nullptr;  // up to date, once looked up
    AnswerColumn<int64_t>* scores = nullptr;
  };

  const Key& KeyOf(size_t plugin);
  template <class Answer>
  AnswerColumn<Answer>& Column(size_t plugin, char kind, AnswerColumn<Answer>*& found);
  // Ask fills out[i] for slots[i] from the column of the plugin, or with `compute`.
  template <class Answer, class Compute>
  void Ask(size_t plugin, char kind, AnswerColumn<Answer>*& found, std::span<const Slot> slots,
           std::span<Answer> out, const Compute& compute);

  Reuse& reuse_;
  const Profile& profile_;
  const PodInfo& pod_;
  const Snapshot& snapshot_;
  std::vector<OfPlugin> plugins_;  // by their index in the profile
};

}  // namespace berth::scheduler
