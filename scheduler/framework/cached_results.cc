// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/cached_results.h"

#include <cstddef>
#include <span>

#include "scheduler/framework/guard.h"
#include "scheduler/framework/ranking.h"

namespace berth::scheduler {
namespace {

// The last byte of a key is the type of the item.
constexpr char kVerdicts = 'v';
constexpr char kScores = 's';
constexpr char kRanking = 'r';

template <class T>
void AppendBytes(std::string& text, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

CachedResults::CachedResults(ResultCache& result_cache, const Profile& profile,
                             const CycleContext& cycle)
    : result_cache_(result_cache),
      profile_(profile),
      cycle_(cycle),
      plugins_(profile.plugin_count()) {}

CachedResults::~CachedResults() { result_cache_.Trim(); }

const CachedResults::Key& CachedResults::KeyOf(size_t plugin) {
  OfPlugin& of = plugins_[plugin];
  if (of.has_key) return of.key;
  of.has_key = true;
  if (profile_.depends_on(plugin).empty()) return of.key;
  const Plugin& instance = profile_.plugin(plugin);
  const ResultKey key = internal::Guarded(
      /*place=*/nullptr,
      [&] {
        of.versions = instance.VersionsOf(cycle_);
        return instance.KeyOf(cycle_);
      },
      [](const std::string&) { return ResultKey::None(); });
  if (!key.usable()) return of.key;
  of.key.emplace();
  of.key->reserve(key.text().size() + sizeof(const void*) + 1);
  AppendBytes(*of.key, &instance);
  of.key->append(key.text());
  return of.key;
}

template <class Answer>
ResultColumn<Answer>& CachedResults::Column(size_t plugin, char kind,
                                            ResultColumn<Answer>*& found) {
  if (found != nullptr) return *found;
  std::string& key = *plugins_[plugin].key;
  key.push_back(kind);
  found = &result_cache_.FindOrMake<ResultColumn<Answer>>(
      key, [&] { return std::make_unique<ResultColumn<Answer>>(profile_.depends_on(plugin)); });
  key.pop_back();
  found->BringUpToDate(cycle_.snapshot, plugins_[plugin].versions);
  return *found;
}

template <class Answer, class Compute>
void CachedResults::Ask(size_t plugin, char kind, ResultColumn<Answer>*& found,
                        std::span<const Slot> slots, std::span<Answer> out,
                        const Compute& compute) {
  if (!KeyOf(plugin)) return compute(slots, out);
  const size_t cached = Column(plugin, kind, found).Ask(slots, out, compute);
  result_cache_.Count(cached, slots.size() - cached);
}

void CachedResults::Filter(const Profile::Entry<FilterPlugin>& entry, const CycleContext& cycle,
                           std::span<const Slot> slots, std::span<Verdict> out) {
  Ask(entry.index, kVerdicts, plugins_[entry.index].verdicts, slots, out,
      [&](std::span<const Slot> asked, std::span<Verdict> answers) {
        entry.plugin->FilterBatch(cycle, asked, answers);
      });
}

void CachedResults::Score(const Profile::Entry<ScorePlugin>& entry, const CycleContext& cycle,
                          std::span<const Slot> slots, std::span<int64_t> out) {
  Ask(entry.index, kScores, plugins_[entry.index].scores, slots, out,
      [&](std::span<const Slot> asked, std::span<int64_t> answers) {
        entry.plugin->ScoreBatch(cycle, asked, answers);
      });
}

PluginIndexSet CachedResults::DynamicFilters(PluginIndexSet skipped) {
  PluginIndexSet dynamic;
  for (const auto& entry : profile_.filters()) {
    if (!skipped.Has(entry.index) && !CanCache(entry)) dynamic.Add(entry.index);
  }
  return dynamic;
}

PluginIndexSet CachedResults::FiltersWithout(PluginIndexSet left_out) const {
  PluginIndexSet filters;
  for (const auto& entry : profile_.filters()) {
    if (!left_out.Has(entry.index)) filters.Add(entry.index);
  }
  return filters;
}

std::string CachedResults::JoinedKey(PluginIndexSet filters, PluginIndexSet members) const {
  std::string key;
  AppendBytes(key, &profile_);
  AppendBytes(key, filters);
  members.ForEach([&](size_t plugin) {
    const std::string& part = *plugins_[plugin].key;
    AppendBytes(key, part.size());
    key.append(part);
  });
  return key;
}

// The pod's priority decides which nominated pods are added to the nodes.
std::string CachedResults::RejectionKey(PluginIndexSet skipped) {
  const std::optional<std::string> post_filters = profile_.RejectionKeyOf(cycle_.pod);
  if (!post_filters || !DynamicFilters(skipped).empty()) return {};
  const PluginIndexSet filters = FiltersWithout(skipped);
  std::string key = JoinedKey(filters, filters);
  AppendBytes(key, cycle_.pod.priority());
  key.append(*post_filters);
  return key;
}

// The key of a ranking consists of everything but the cluster that its nodes and totals depend on:
// the keys of the filters and scores with cached results.
Ranking& CachedResults::RankingFor(PluginIndexSet left_out) {
  const PluginIndexSet filters = FiltersWithout(left_out);
  PluginIndexSet members = filters;
  EpochSet filter_epochs;
  EpochSet score_epochs;
  filters.ForEach([&](size_t plugin) { filter_epochs.Add(profile_.depends_on(plugin)); });
  for (const auto& entry : profile_.scores()) {
    if (!CanCache(entry)) continue;
    members.Add(entry.index);
    score_epochs.Add(profile_.depends_on(entry.index));
  }
  std::string key = JoinedKey(filters, members);
  key.push_back(kRanking);
  auto& ranking = result_cache_.FindOrMake<Ranking>(
      key, [&] { return std::make_unique<Ranking>(filter_epochs, score_epochs); });
  ranking.SetVersions(VersionsOf(filters), VersionsOf(members));
  return ranking;
}

Versions CachedResults::VersionsOf(PluginIndexSet plugins) const {
  Versions all;
  for (size_t plugin = 0; plugin < plugins_.size(); ++plugin) {
    if (!plugins.Has(plugin)) continue;
    const Versions& some = plugins_[plugin].versions;
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace berth::scheduler
