// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/scheduler_config.h"
#include "scheduler/framework/cancellation.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/plugin_calls.h"
#include "scheduler/framework/plugin_index_set.h"
#include "scheduler/framework/plugin_set.h"
#include "scheduler/framework/registry.h"
#include "scheduler/framework/trace.h"

namespace berth::scheduler {

class CachedResults;  // cached_results.h
class Extenders;      // extender.h

// Profile is a scheduler name with its plugins, ready to run. It holds no cluster state. A new
// configuration creates new profiles; a running cycle keeps its profile (shared_ptr). Owned by the
// scheduling thread. Source: kube-scheduler pkg/scheduler/framework/runtime/framework.go,
// frameworkImpl.
class Profile {
 public:
  // Merges the profile with the defaults, constructs each plugin once and expands MultiPoint.
  // Errors (kConfig) are kube-scheduler's texts with the profile's name. The profile may override
  // `percentage_of_nodes_to_score`, the configuration's value. `extenders` are the configuration's
  // extenders; null: none. `registry` may be destroyed afterwards.
  static Result<std::shared_ptr<const Profile>> Create(
      const api::KubeSchedulerProfile& spec, int32_t percentage_of_nodes_to_score,
      const Registry& registry, const PluginHandle& handle,
      std::shared_ptr<const Extenders> extenders = nullptr);

  const std::string& scheduler_name() const { return scheduler_name_; }
  int32_t percentage_of_nodes_to_score() const { return percentage_of_nodes_to_score_; }
  const EffectivePlugins& effective() const { return effective_; }

  // Returns the API kinds that its plugins and extenders read besides pods and nodes.
  ObjectKindSet reads() const { return reads_; }

  // Returns the extenders of the configuration; null: there are none.
  const Extenders* extenders() const { return extenders_.get(); }

  // Returns the plugin's index. Every plugin that runs has one. So has kExtenderPlugin if there are
  // extenders: it stands for all of them and is called at no point.
  std::optional<size_t> IndexOf(std::string_view plugin) const;
  std::string_view NameOf(size_t index) const { return names_[index]; }
  // Returns the names of the plugins, sorted, as in messages.
  std::vector<std::string_view> NamesOf(PluginIndexSet plugins) const;
  // Converts indices of `from` to indices of this profile; plugins that only `from` has are
  // dropped.
  PluginIndexSet Translate(const Profile& from, PluginIndexSet plugins) const;

  // Calls `first`, the plugin that gates the pod now, before the other plugins. Returns the first
  // rejection, with the plugin's name.
  Status RunPreEnqueue(const PendingPod& pod, const EnqueueContext& context,
                       std::optional<size_t> first) const;
  bool Less(const QueuedPod& a, const QueuedPod& b) const { return queue_sort_->Less(a, b); }

  struct PreFilterOutcome {
    Status status;                               // success, or why no node is possible
    std::optional<std::set<std::string>> nodes;  // absent = all
    PluginIndexSet restricted_by;                // plugins that restricted the nodes
    PluginIndexSet skipped;                      // plugins whose Filter is not called
    std::string_view rejected_by;  // the rejecting plugin; empty if no node satisfies all plugins
  };
  PreFilterOutcome RunPreFilter(CycleContext& cycle, CycleTrace* trace) const;

  // Entry is a plugin at one extension point. `index` is its index in the profile; `call`
  // identifies its calls in PluginCalls, or is null.
  template <class Point>
  struct Entry {
    std::string_view name;
    const Point* plugin;
    size_t index;
    const PluginCall* call;
    int64_t weight = 0;  // scores only
  };
  std::span<const Entry<FilterPlugin>> filters() const { return filters_; }
  std::span<const Entry<ScorePlugin>> scores() const { return scores_; }
  // The filters that do not read a node's pods, according to their descriptors.
  PluginIndexSet filters_blind_to_pods() const { return filters_blind_to_pods_; }

  // The plugins by index, each once, and the epochs that their results depend on. Empty: the
  // descriptor declares none, so the results are not cached.
  size_t plugin_count() const { return built_.size(); }
  const Plugin& plugin(size_t index) const { return *built_[index].instance; }
  EpochSet depends_on(size_t index) const { return built_[index].depends_on; }

  using FilterOutcome = scheduler::FilterOutcome;
  // Calls the filters in order for one node and stops at the first rejection.
  FilterOutcome RunFilter(const CycleContext& cycle, PluginIndexSet skipped, const NodeView& node,
                          CycleTrace* trace) const;
  // Does the same as RunFilter for many nodes: each plugin gets only the slots that all plugins
  // before it accepted. out[i] belongs to slots[i]. Takes results from `cached` where it has them.
  void RunFilterBatch(const CycleContext& cycle, PluginIndexSet skipped,
                      std::span<const Slot> slots, std::span<FilterOutcome> out, CycleTrace* trace,
                      CachedResults* cached = nullptr) const;

  // Runs some filters on many nodes and appends the fitting ones to `fitting`, without verdicts for
  // the others. Returns false if a plugin failed; RunFilterBatch returns the message.
  bool RunFilterFitting(const CycleContext& cycle, PluginIndexSet filters,
                        std::span<const Slot> slots, std::vector<Slot>& fitting) const;

  // Adds to `rejectors` the plugins whose events may make the pod schedulable.
  PostFilterResult RunPostFilter(PostFilterContext& context, PluginIndexSet& rejectors,
                                 CycleTrace* trace) const;
  // Returns the key of the pod data that a rejection by all PostFilter plugins depends on; nullopt
  // if one of them depends on more (PostFilterPlugin::RejectionKeyOf).
  std::optional<std::string> RejectionKeyOf(const PendingPod& pod) const;
  bool HasPostFilter() const { return !post_filters_.empty(); }

  // Prepares scoring and collects in `skipped` the plugins that do not score this pod.
  Status RunPreScore(CycleContext& cycle, const FeasibleNodes& feasible, PluginIndexSet& skipped,
                     CycleTrace* trace) const;
  // Runs Score and NormalizeScore and sums the weighted scores; totals[i] belongs to feasible[i].
  Status RunScore(CycleContext& cycle, PluginIndexSet skipped, std::span<const Slot> feasible,
                  std::span<int64_t> totals, CycleTrace* trace,
                  CachedResults* cached = nullptr) const;
  // Computes the normalized scores of one plugin.
  Status ScoreOne(const Entry<ScorePlugin>& entry, CycleContext& cycle,
                  std::span<const Slot> feasible, std::span<int64_t> scores, CycleTrace* trace,
                  CachedResults* cached = nullptr) const;
  bool HasScore() const { return !scores_.empty(); }

  Status RunReserve(CycleContext& cycle, const NodeRef& node) const;
  void RunUnreserve(CycleContext& cycle, const NodeRef& node) const;  // in reverse order

  struct PermitOutcome {
    Status status;  // success, wait, or the rejection
    std::vector<std::pair<std::string_view, std::chrono::milliseconds>> waits;
  };
  PermitOutcome RunPermit(CycleContext& cycle, const NodeRef& node) const;

  // Returns the first GangPlugin at Permit; null if the profile has none.
  const Entry<GangPlugin>* gang_plugin(GangApi api) const {
    const auto& entry = gangs_[static_cast<size_t>(api)];
    return entry ? &*entry : nullptr;
  }
  // Asks the gang's plugin whether the gang may be scheduled now; the status names the plugin.
  // Requires: gang_plugin(gang.api()) is not null.
  Status RunCheckGang(const PendingPod& pod, const Gang& gang, const GangAttempts& attempts,
                      const Snapshot& snapshot) const;

  struct PreFlightOutcome {
    Status status;  // success: at least one PreBind has work; skip: none has
    PluginIndexSet skipped;
    PluginIndexSet parallel;  // plugins that may run in parallel with their neighbors
  };
  PreFlightOutcome RunPreBindPreFlight(CycleContext& cycle, const NodeRef& node) const;
  // RunPreBind runs the plugins that have work, group by group. Neighbors that may run in parallel
  // form a group; the next group starts after all plugins of the group have answered. The first
  // failure cancels the others. RunBind lets an extender bind, if one does, or calls the plugins
  // until one does not skip. `done` is called once, on the scheduling thread. Requires: the
  // profile, the cycle and `cancellation` live until then.
  void RunPreBind(CycleContext& cycle, const NodeRef& node, const PreFlightOutcome& flight,
                  Cancellation& cancellation, StatusDone done) const;
  void RunBind(CycleContext& cycle, const NodeRef& node, StatusDone done) const;
  void RunPostBind(CycleContext& cycle, const NodeRef& node) const;

  // Registration is an event that a plugin of this profile registered for. `instance` returns the
  // hint; it is never null.
  struct Registration {
    ClusterEvent event;
    std::string_view plugin;
    const Plugin* instance;
    size_t index;            // the plugin's index
    const PluginCall* call;  // or null
  };
  std::span<const Registration> registrations() const { return registrations_; }
  // Returns the plugins that registered for the event.
  PluginIndexSet InterestedIn(const ClusterEvent& event) const;
  // Returns the key of the pod data that the plugin's hint reads.
  ResultKey HintKeyOf(size_t index, const PendingPod& pod) const;

  // Returns the plugins at a point, for explanations and the conformance runner, which call them
  // separately.
  struct Named {
    std::string_view name;
    const Plugin* instance;
    size_t index;  // in the profile
  };
  std::vector<Named> PluginsAt(ExtensionPoint point) const;

 private:
  class PreBindRun;  // profile_bind.cc
  struct Built {
    std::string_view name;
    std::unique_ptr<Plugin> instance;
    EpochSet depends_on;
  };

  Profile() = default;

  Result<void> Build(const api::KubeSchedulerProfile& spec, const Registry& registry,
                     const PluginHandle& handle);
  void AddExtenders();
  void RunBindPlugins(CycleContext& cycle, const NodeRef& node, StatusDone done) const;
  void FillPoints(PluginCalls* calls);
  void Register(const Registry& registry, PluginCalls* calls);
  template <class Point>
  void Fill(ExtensionPoint point, PluginCalls* calls, std::vector<Entry<Point>>& entries);
  void FillPermit(PluginCalls* calls);

  std::string scheduler_name_;
  int32_t percentage_of_nodes_to_score_ = 0;
  EffectivePlugins effective_;
  ObjectKindSet reads_;
  std::shared_ptr<const Extenders> extenders_;  // null: there are none
  std::vector<Built> built_;
  std::vector<std::string_view> names_;  // by index
  const QueueSortPlugin* queue_sort_ = nullptr;
  std::vector<Entry<PreEnqueuePlugin>> pre_enqueues_;
  std::vector<Entry<PreFilterPlugin>> pre_filters_;
  std::vector<Entry<FilterPlugin>> filters_;
  PluginIndexSet filters_blind_to_pods_;
  std::vector<Entry<PostFilterPlugin>> post_filters_;
  std::vector<Entry<PreScorePlugin>> pre_scores_;
  std::vector<Entry<ScorePlugin>> scores_;
  std::vector<Entry<ReservePlugin>> reserves_;
  std::vector<Entry<PermitPlugin>> permits_;
  std::array<std::optional<Entry<GangPlugin>>, kGangApiCount> gangs_;  // by GangApi
  std::vector<Entry<PreBindPlugin>> pre_binds_;
  std::vector<Entry<BindPlugin>> binds_;
  std::vector<Entry<PostBindPlugin>> post_binds_;
  std::vector<Registration> registrations_;
};

// ProfileMap is the profiles by scheduler name.
using ProfileMap = std::map<std::string, std::shared_ptr<const Profile>, std::less<>>;
// Creates all profiles of a configuration with Profile::Create. They share one queue, so all must
// have the same queue sort plugin with the same arguments. `extenders` are the configuration's
// extenders; null: none. Source: kube-scheduler pkg/scheduler/profile/profile.go, NewMap and
// cfgValidator.validate.
Result<ProfileMap> CreateProfiles(std::span<const api::KubeSchedulerProfile> specs,
                                  int32_t percentage_of_nodes_to_score, const Registry& registry,
                                  const PluginHandle& handle,
                                  const std::shared_ptr<const Extenders>& extenders = nullptr);
// Returns the API kinds that plugins and extenders of the profiles read besides pods and nodes.
ObjectKindSet ReadsOf(const ProfileMap& profiles);

}  // namespace berth::scheduler
