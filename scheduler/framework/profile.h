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

// Profile is one scheduler name with its plugins, built and ready to run. It holds no state of the
// cluster; a new configuration makes new profiles, and a cycle that runs keeps the one it began
// with (shared_ptr). Owned by the scheduling thread. Source: kube-scheduler
// pkg/scheduler/framework/runtime/framework.go, frameworkImpl.
class Profile {
 public:
  // Create merges the profile with the defaults, builds each plugin once and expands MultiPoint.
  // The error (kConfig) is kube-scheduler's text with the profile named.
  // `percentage_of_nodes_to_score` is the configuration's, which the profile may override;
  // `extenders` are the configuration's, null: there are none. `registry` may go afterwards.
  static Result<std::shared_ptr<const Profile>> Create(
      const api::KubeSchedulerProfile& spec, int32_t percentage_of_nodes_to_score,
      const Registry& registry, const PluginHandle& handle,
      std::shared_ptr<const Extenders> extenders = nullptr);

  const std::string& scheduler_name() const { return scheduler_name_; }
  int32_t percentage_of_nodes_to_score() const { return percentage_of_nodes_to_score_; }
  const EffectivePlugins& effective() const { return effective_; }

  // reads is the kinds that its plugins and extenders read beside pods and nodes.
  ObjectKindSet reads() const { return reads_; }

  // extenders are those of the configuration; null: there are none.
  const Extenders* extenders() const { return extenders_.get(); }

  // Every plugin that runs has an index in this profile. So has kExtenderPlugin, if there are
  // extenders: it stands for all of them and is called at no point.
  std::optional<size_t> IndexOf(std::string_view plugin) const;
  std::string_view NameOf(size_t index) const { return names_[index]; }
  // NamesOf gives the names of a set, sorted, as texts list them.
  std::vector<std::string_view> NamesOf(PluginIndexSet plugins) const;
  // Translate gives the set by the indices of this profile; plugins that only `from` has are left
  // out.
  PluginIndexSet Translate(const Profile& from, PluginIndexSet plugins) const;

  // RunPreEnqueue asks `first`, the plugin that gates the pod now, before all others; the first
  // refusal is returned, with its plugin named.
  Status RunPreEnqueue(const PendingPod& pod, const Evictions& evictions,
                       std::optional<size_t> first) const;
  bool Less(const QueuedPod& a, const QueuedPod& b) const { return queue_sort_->Less(a, b); }

  struct PreFilterOutcome {
    Status status;                               // success, or why no node can do
    std::optional<std::set<std::string>> nodes;  // absent = all
    PluginIndexSet narrowed_by;                  // plugins that restricted the nodes
    PluginIndexSet skipped;                      // their Filter is not called
    std::string_view rejected_by;  // who rejected; empty when the restrictions left no node
  };
  PreFilterOutcome RunPreFilter(CycleContext& cycle, CycleTrace* trace) const;

  // Entry is a plugin at one point. `index` is its place among the profile's plugins; `call` is what
  // its calls are known by, or null.
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
  // filters_blind_to_pods are those that look at no pods of a node, as far as they say so.
  PluginIndexSet filters_blind_to_pods() const { return filters_blind_to_pods_; }

  // The plugins by index, each once, and the epochs that their answers depend on; none: the plugin
  // does not say, so its answers are not cached.
  size_t plugin_count() const { return built_.size(); }
  const Plugin& plugin(size_t index) const { return *built_[index].instance; }
  EpochSet depends_on(size_t index) const { return built_[index].depends_on; }

  using FilterOutcome = scheduler::FilterOutcome;
  // RunFilter asks the plugins in order about one node and stops at the first that refuses.
  FilterOutcome RunFilter(const CycleContext& cycle, PluginIndexSet skipped, const NodeView& node,
                          CycleTrace* trace) const;
  // RunFilterBatch is RunFilter for many nodes: each plugin sees only the slots that all before it
  // let pass. out[i] belongs to slots[i]. With `cached`, answers that are at hand are taken from
  // it.
  void RunFilterBatch(const CycleContext& cycle, PluginIndexSet skipped,
                      std::span<const Slot> slots, std::span<FilterOutcome> out, CycleTrace* trace,
                      CachedResults* cached = nullptr) const;

  // RunFilterFitting asks some filters about many nodes where only those that fit matter: it
  // appends them to `fitting`. False: a plugin failed; RunFilterBatch gives the message.
  bool RunFilterFitting(const CycleContext& cycle, PluginIndexSet filters,
                        std::span<const Slot> slots, std::vector<Slot>& fitting) const;

  // RunPostFilter adds to `rejectors` the plugins that refused what an event may change.
  PostFilterResult RunPostFilter(PostFilterContext& context, PluginIndexSet& rejectors,
                                 CycleTrace* trace) const;
  bool HasPostFilter() const { return !post_filters_.empty(); }

  // RunPreScore prepares the scores and gathers the plugins that have none to give this pod.
  Status RunPreScore(CycleContext& cycle, const FeasibleNodes& feasible, PluginIndexSet& skipped,
                     CycleTrace* trace) const;
  // RunScore runs Score and NormalizeScore and adds up the weighted totals; totals[i] belongs to
  // feasible[i].
  Status RunScore(CycleContext& cycle, PluginIndexSet skipped, std::span<const Slot> feasible,
                  std::span<int64_t> totals, CycleTrace* trace,
                  CachedResults* cached = nullptr) const;
  // ScoreOne gives the normalised scores of one plugin.
  Status ScoreOne(const Entry<ScorePlugin>& entry, CycleContext& cycle,
                  std::span<const Slot> feasible, std::span<int64_t> scores, CycleTrace* trace,
                  CachedResults* cached = nullptr) const;
  bool HasScore() const { return !scores_.empty(); }

  Status RunReserve(CycleContext& cycle, const NodeRef& node) const;
  void RunUnreserve(CycleContext& cycle, const NodeRef& node) const;  // in reverse order

  struct PermitOutcome {
    Status status;  // success, wait, or why not
    std::vector<std::pair<std::string_view, std::chrono::milliseconds>> waits;
  };
  PermitOutcome RunPermit(CycleContext& cycle, const NodeRef& node) const;

  // gang_keeper is the Permit plugin that keeps gangs together; null: none does.
  const Entry<PermitPlugin>* gang_keeper() const;

  struct PreFlightOutcome {
    Status status;  // success: some PreBind has work; skip: none has
    PluginIndexSet skipped;
    PluginIndexSet parallel;  // those that may run beside each other
  };
  PreFlightOutcome RunPreBindPreFlight(CycleContext& cycle, const NodeRef& node) const;
  // RunPreBind runs the plugins that have work in groups, one after another: neighbours that may run
  // beside each other are a group, which ends when all of it has answered; a first failure cancels
  // the others. RunBind leaves it to an extender that binds, or asks the plugins until one does not
  // skip. `done` comes once, on the scheduling thread. Requires: the profile, the cycle and
  // `cancellation` live until then.
  void RunPreBind(CycleContext& cycle, const NodeRef& node, const PreFlightOutcome& flight,
                  Cancellation& cancellation, StatusDone done) const;
  void RunBind(CycleContext& cycle, const NodeRef& node, StatusDone done) const;
  void RunPostBind(CycleContext& cycle, const NodeRef& node) const;

  // Registration is an event that some plugin of this profile wants to hear of. `instance` is asked
  // for the hint; it is never null.
  struct Registration {
    ClusterEvent event;
    std::string_view plugin;
    const Plugin* instance;
    size_t index;            // of the plugin
    const PluginCall* call;  // or null
  };
  std::span<const Registration> registrations() const { return registrations_; }
  // InterestedIn is the plugins that registered for the event.
  PluginIndexSet InterestedIn(const ClusterEvent& event) const;
  // HintKeyOf is what the plugin's hint reads of the pod.
  ResultKey HintKeyOf(size_t index, const PendingPod& pod) const;

  // The plugins of some points, for explanations and conformance: each may be called on its own.
  struct Named {
    std::string_view name;
    const Plugin* instance;
    size_t index;  // among the profile's plugins
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
  std::vector<Entry<PreBindPlugin>> pre_binds_;
  std::vector<Entry<BindPlugin>> binds_;
  std::vector<Entry<PostBindPlugin>> post_binds_;
  std::vector<Registration> registrations_;
};

// ProfileMap is the profiles by scheduler name.
using ProfileMap = std::map<std::string, std::shared_ptr<const Profile>, std::less<>>;
// CreateProfiles makes all profiles of a configuration with Profile::Create. They share one queue, so
// what sorts it must be one plugin with the same arguments, however each profile came to enable it.
// Source: kube-scheduler pkg/scheduler/profile/profile.go, NewMap and cfgValidator.validate.
// `extenders` are the configuration's; null: there are none.
Result<ProfileMap> CreateProfiles(std::span<const api::KubeSchedulerProfile> specs,
                                  int32_t percentage_of_nodes_to_score, const Registry& registry,
                                  const PluginHandle& handle,
                                  const std::shared_ptr<const Extenders>& extenders = nullptr);
// ReadsOf is what the plugins and extenders of any of these profiles read beside pods and nodes.
ObjectKindSet ReadsOf(const ProfileMap& profiles);

}  // namespace berth::scheduler
