// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "scheduler/framework/cycle_state.h"
#include "scheduler/framework/events.h"
#include "scheduler/framework/evictions.h"
#include "scheduler/framework/feasible_nodes.h"
#include "scheduler/framework/status.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/node_ref.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/snapshot.h"

// The extension points of the scheduling framework, in the order a pod meets them. A plugin
// implements those it serves; the framework derives its points from the bases. Plugins are built
// once a profile, hold only their arguments, and are called on the scheduling thread.
namespace berth::scheduler {

inline constexpr int64_t kMinNodeScore = 0;
inline constexpr int64_t kMaxNodeScore = 100;

class VolumeBindings;  // scheduler/framework/volume_bindings.h
struct QueuedPod;      // scheduler/framework/queued_pod.h

// CycleContext is one scheduling attempt: the pod, the cluster, and what plugins worked out so far.
struct CycleContext {
  const PendingPod& pod;
  const Snapshot& snapshot;
  CycleState& state;
  // From Reserve on: who binds volumes.
  VolumeBindings* volumes = nullptr;
};

// PodsToActivate, in the CycleState, are pods that plugins want to be tried next, by UID: the other
// members of a group, say. They leave the unschedulable part or backoff once this pod has passed
// Permit, and those added later once it is bound. Source: kube-scheduler
// pkg/scheduler/framework/interface.go, PodsToActivate.
struct PodsToActivate {
  std::set<std::string> uids;
};

// ResultKey is the part of a pod that an answer of a plugin reads, or of what the plugin found out for
// it in PreFilter: pods with equal keys get equal answers. None: each pod is asked about for itself.
class ResultKey {
 public:
  static ResultKey None() { return ResultKey(); }
  // Of takes a canonical text of what is read; an empty text is the key of a plugin that reads
  // nothing of the pod.
  static ResultKey Of(std::string text) {
    ResultKey key;
    key.text_ = std::move(text);
    return key;
  }
  bool usable() const { return text_.has_value(); }
  const std::string& text() const { return *text_; }
  bool operator==(const ResultKey&) const = default;

 private:
  std::optional<std::string> text_;
};

// Versions are states of things in the cluster, as numbers that change with them.
using Versions = std::vector<uint64_t>;

// Plugin is what all have in common.
class Plugin {
 public:
  virtual ~Plugin() = default;

  // KeyOf is what the answer about a node reads of the pod, or of what PreFilter left in the state;
  // the answer is good until one of the epochs that the plugin depends on changes, or what VersionsOf
  // gives. To be asked after PreFilter.
  virtual ResultKey KeyOf(const CycleContext&) const { return ResultKey::None(); }
  // VersionsOf is for what the answers to this pod read of the whole cluster, where an epoch would
  // say too much: the pod's images, out of all there are.
  virtual Versions VersionsOf(const CycleContext&) const { return {}; }

  // HintKeyOf is what Hint reads of the pod when the event is about something else than the pod
  // itself.
  virtual ResultKey HintKeyOf(const PendingPod&) const { return ResultKey::None(); }
  // Hint says whether `event`, one of those the descriptor lists, may let `pod`, which this plugin
  // rejected, fit.
  virtual QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                            const EventObjects& objects) const;
};

class PreEnqueuePlugin : public virtual Plugin {
 public:
  // PreEnqueue is asked before a pod may enter the active queue; a refusal gates it. `evictions`
  // knows who waits for victims.
  virtual Status PreEnqueue(const PendingPod& pod, const Evictions& evictions) const = 0;
};

class QueueSortPlugin : public virtual Plugin {
 public:
  // Less is a strict weak order: the pod that goes first is the lesser one.
  virtual bool Less(const QueuedPod& a, const QueuedPod& b) const = 0;
};

// PreFilterResult narrows the nodes to look at, when the plugin knows them by name.
struct PreFilterResult {
  Status status;
  std::optional<std::set<std::string>> nodes;  // absent = all

  static PreFilterResult Of(Status status) { return {std::move(status), std::nullopt}; }
};

class PreFilterPlugin : public virtual Plugin {
 public:
  virtual PreFilterResult PreFilter(CycleContext& cycle) const = 0;
};

class FilterPlugin : public virtual Plugin {
 public:
  // Filter says whether the pod fits the node. What PreFilter worked out is true of the pods that
  // are there; those that are imagined, on or off, are on the node that is asked about: a plugin
  // that counts pods reads node.delta() for them. So upstream's AddPod and RemovePod, which would
  // correct a copy of the state for each node, have no place here.
  virtual Verdict Filter(const CycleContext& cycle, const NodeView& node) const = 0;

  // FilterBatch answers for slots of the snapshot at once; out[i] belongs to slots[i]. The default
  // asks one by one; a plugin that reads columns overrides it with a loop over them. Both forms
  // give the same verdicts.
  virtual void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                           std::span<Verdict> out) const;
};

// FilterOutcome is what the filters say of a node together.
struct FilterOutcome {
  Verdict verdict;
  std::string_view plugin;  // who refused
};

// NodeVerdicts is why each node was refused: explicit verdicts in visiting order, and the one that
// all other nodes have.
struct NodeVerdicts {
  struct Entry {
    Slot slot;
    Verdict verdict;
    std::string_view plugin;  // of the descriptor: a constant
  };
  std::vector<Entry> entries;
  Status absent;  // of the nodes without an entry

  // Find gives the entry of a node, or null. Requires: no entry comes or goes after the first call.
  const Entry* Find(Slot slot) const;
  Code CodeOf(Slot slot) const {
    const Entry* entry = Find(slot);
    return entry != nullptr ? entry->verdict.code() : absent.code;
  }

 private:
  mutable std::vector<uint32_t> places_;  // in entries, from 1, by slot; made by Find
};

// TrialRuns asks the profile's filters about nodes in an imagined state, as the attempt asked about
// them as they are: with the pods that are nominated there, and without.
class TrialRuns {
 public:
  virtual ~TrialRuns() = default;

  virtual FilterOutcome Filter(Slot slot, const NodeDelta& change) const = 0;
  // FilterAgain leaves out the filters that look at no pods of the node. Requires: Filter let the
  // node pass with some change.
  virtual FilterOutcome FilterAgain(Slot slot, const NodeDelta& change) const = 0;
};

// Candidate is a node where the pod would fit without these pods, the most important of them first.
struct Candidate {
  NodeRef node;
  std::vector<std::shared_ptr<const PodInfo>> victims;
  int violations = 0;  // how many of them a PodDisruptionBudget does not spare
};

// CandidateReview leaves the candidates that others agree with, each with the victims that they
// name, in any order. It may leave none.
using CandidateReview = std::function<Result<std::vector<Candidate>>(std::vector<Candidate>)>;

// PostFilterContext is an attempt that found no node, with what a plugin may use to make room.
struct PostFilterContext {
  CycleContext& cycle;
  const NodeVerdicts& verdicts;
  const TrialRuns& trials;
  Evictions& evictions;
  const std::function<double()>& random;  // values in [0, 1)
  CandidateReview review = {};            // empty: nobody is to be asked about candidates
};

// Preemption is what a plugin found that looked for pods to take away.
struct Preemption {
  std::vector<Candidate> candidates;
  NodeVerdicts hopeless;  // nodes where it would not help
  size_t evicted = 0;     // pods that have to go for it; 0: nobody, or they go already
};

enum class NominatingMode : uint8_t { kNoop, kOverride };

struct PostFilterResult {
  Status status;
  NominatingMode mode = NominatingMode::kNoop;
  std::string nominated_node;
  std::optional<Preemption> preemption = std::nullopt;
  // Whether the plugin's events may let it help: then it counts among those that refused the pod.
  bool events_may_help = false;
};

class PostFilterPlugin : public virtual Plugin {
 public:
  virtual PostFilterResult PostFilter(PostFilterContext& context) const = 0;
};

class PreScorePlugin : public virtual Plugin {
 public:
  // PreScore prepares the scores. `feasible` are the nodes that will be scored: ask for their list
  // only where they matter.
  virtual Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const = 0;
};

// Normalizer says how raw scores become 0..100, so that the framework knows when a weighted total
// is still valid. Source: kube-scheduler pkg/scheduler/framework/plugins/helper/normalize_score.go,
// DefaultNormalizeScore; interpodaffinity/scoring.go, NormalizeScore (kMinMax).
enum class Normalizer : uint8_t {
  kNone,             // raw scores are 0..100 already
  kDefault,          // scaled by the highest
  kDefaultReversed,  // scaled by the highest, lowest is best
  kMinMax,           // scaled between lowest and highest; all equal gives 0
  kCustom,           // NormalizeScore of the plugin
};

class ScorePlugin : public virtual Plugin {
 public:
  virtual int64_t Score(const CycleContext& cycle, const NodeView& node) const = 0;
  virtual void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                          std::span<int64_t> out) const;

  virtual Normalizer normalizer() const { return Normalizer::kNone; }
  // NormalizeScore is called only for Normalizer::kCustom; scores[i] belongs to slots[i], and the
  // slots are all nodes that fit, in visiting order.
  virtual Status NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                                std::span<int64_t> scores) const;
};

// From Reserve on a plugin is given the node that was chosen. Between two of its calls the node may
// go; NodeRef::In tells.
class ReservePlugin : public virtual Plugin {
 public:
  virtual Status Reserve(CycleContext& cycle, const NodeRef& node) const = 0;
  // Unreserve undoes Reserve; it must be idempotent and is called also when Reserve never was.
  virtual void Unreserve(CycleContext& cycle, const NodeRef& node) const = 0;
};

struct PermitResult {
  Status status;
  std::chrono::milliseconds timeout{0};  // with Code::kWait; capped at 15 minutes
};

// IncompleteGang is what becomes of the members on nodes of a gang that was split and stays so.
enum class IncompleteGang : uint8_t {
  // They are evicted, unless the gang has run (GangHistory::has_run), or nobody would make them anew.
  kReleaseUnlessRun,
  kRelease,  // they are evicted
  kKeep,     // they stay
};

// GangPolicy is how gangs are kept together (model/gang.h).
struct GangPolicy {
  // How long a gang that did not fit is let alone, beyond the backoff of its pods.
  std::chrono::seconds backoff{0};
  IncompleteGang incomplete = IncompleteGang::kReleaseUnlessRun;
  // After how long incomplete gangs are let go, unless their PodGroup says otherwise.
  std::chrono::seconds patience{60};
};

class PermitPlugin : public virtual Plugin {
 public:
  virtual PermitResult Permit(CycleContext& cycle, const NodeRef& node) const = 0;
  // gang_policy is of a plugin that lets the members of a gang wait for each other: with one in the
  // profile they are decided in one cycle, all or none, and those that fit wait there. Null: it does
  // not.
  virtual const GangPolicy* gang_policy() const { return nullptr; }
};

// StatusDone takes the outcome of a call that talks to the API server; it is called once, on the
// scheduling thread.
using StatusDone = std::function<void(Status)>;

struct PreBindPreFlightResult {
  Status status;                // Success: PreBind will have work. Skip: it will have none.
  bool allow_parallel = false;  // it may run beside its neighbours that say the same
};

class PreBindPlugin : public virtual Plugin {
 public:
  virtual PreBindPreFlightResult PreBindPreFlight(CycleContext& cycle,
                                                  const NodeRef& node) const = 0;
  // PreBind does what has to be done before the binding. Once `canceled` is requested, on the
  // scheduling thread, nobody waits for success any more: a plugin that waits for something gives up
  // and answers with any error, whose text the reason of the cancelling replaces. One that does not
  // look at it is waited for.
  virtual void PreBind(CycleContext& cycle, const NodeRef& node, const std::stop_token& canceled,
                       StatusDone done) const = 0;
};

class BindPlugin : public virtual Plugin {
 public:
  // Bind makes the binding, or answers Skip to leave it to the next plugin.
  virtual void Bind(CycleContext& cycle, const NodeRef& node, StatusDone done) const = 0;
};

class PostBindPlugin : public virtual Plugin {
 public:
  virtual void PostBind(CycleContext& cycle, const NodeRef& node) const = 0;
};

}  // namespace berth::scheduler
