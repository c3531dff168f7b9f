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

// The extension points of the scheduling framework, in the order in which a pod passes them. The
// framework derives a plugin's points from its base classes. Plugins are created once per profile,
// hold only their args, and are called on the scheduling thread.
namespace berth::scheduler {

inline constexpr int64_t kMinNodeScore = 0;
inline constexpr int64_t kMaxNodeScore = 100;

class VolumeBindings;  // scheduler/framework/volume_bindings.h
struct QueuedPod;      // scheduler/framework/queued_pod.h

// CycleContext is one scheduling attempt: the pod, the snapshot and the data of plugins.
struct CycleContext {
  const PendingPod& pod;
  const Snapshot& snapshot;
  CycleState& state;
  // Binds volumes; set from Reserve on.
  VolumeBindings* volumes = nullptr;
};

// PodsToActivate, in the CycleState, are the UIDs of pods that plugins want to be tried next, for
// instance the other members of a gang. The queue moves them out of the unschedulable pods or
// backoff after this pod has passed Permit; UIDs added later are activated after the binding.
// Source: kube-scheduler pkg/scheduler/framework/interface.go, PodsToActivate.
struct PodsToActivate {
  std::set<std::string> uids;
};

// ResultKey is a text of the pod data that a plugin's result depends on, including the data that
// PreFilter computed. Pods with equal keys get equal results. None: results are not shared between
// pods.
class ResultKey {
 public:
  static ResultKey None() { return ResultKey(); }
  // Creates a key from a canonical text. An empty text means that the plugin reads no pod data.
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

// Versions are numbers that change when the objects that they stand for change.
using Versions = std::vector<uint64_t>;

// Plugin is the base of all plugins.
class Plugin {
 public:
  virtual ~Plugin() = default;

  // Returns the key of the pod data that a result for a node depends on, including data that
  // PreFilter left in the state. The result stays valid until one of the plugin's epochs or
  // VersionsOf changes. Called after PreFilter.
  virtual ResultKey KeyOf(const CycleContext&) const { return ResultKey::None(); }
  // Returns versions of the cluster data that the results for this pod depend on, where an epoch
  // would be too coarse. Example: the versions of the pod's own images.
  virtual Versions VersionsOf(const CycleContext&) const { return {}; }

  // Returns the key of the pod data that Hint reads, for events that are not about the pod itself.
  virtual ResultKey HintKeyOf(const PendingPod&) const { return ResultKey::None(); }
  // Reports whether `event`, one of the events in the descriptor, may make `pod` schedulable, which
  // this plugin rejected.
  virtual QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                            const EventObjects& objects) const;
};

// EnqueueContext is what a PreEnqueue plugin may know besides the pod.
struct EnqueueContext {
  const Evictions& evictions;         // knows the pods that wait for their victims
  const Snapshot* cluster = nullptr;  // null: unknown
};

class PreEnqueuePlugin : public virtual Plugin {
 public:
  // Called before a pod enters the active queue; a rejection gates the pod.
  virtual Status PreEnqueue(const PendingPod& pod, const EnqueueContext& context) const = 0;
};

class QueueSortPlugin : public virtual Plugin {
 public:
  // Strict weak order: reports whether `a` is scheduled before `b`.
  virtual bool Less(const QueuedPod& a, const QueuedPod& b) const = 0;
};

// PreFilterResult may restrict the nodes to visit, by name.
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
  // Reports whether the pod fits the node. The data computed by PreFilter describes the pods in the
  // snapshot. Pods that are added or removed in a simulation are always on the node in question, so
  // a plugin that counts pods also reads node.delta(). Therefore upstream's AddPod and RemovePod,
  // which correct a copy of the state for each node, are not needed.
  virtual Verdict Filter(const CycleContext& cycle, const NodeView& node) const = 0;

  // Filters many slots of the snapshot at once; out[i] belongs to slots[i]. The default calls
  // Filter for each; a plugin that reads columns overrides it with a loop over them. Both must
  // return the same verdicts.
  virtual void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                           std::span<Verdict> out) const;
};

// FilterOutcome is the combined verdict of all filters about a node.
struct FilterOutcome {
  Verdict verdict;
  std::string_view plugin;  // the plugin that rejected the node
};

// NodeVerdicts holds the reason why each node was rejected: explicit verdicts in visiting order,
// and one status for all other nodes.
struct NodeVerdicts {
  struct Entry {
    Slot slot;
    Verdict verdict;
    std::string_view plugin;  // name in the descriptor: a constant
  };
  std::vector<Entry> entries;
  Status absent;  // of the nodes without an entry

  // Returns the entry of a node, or null. Requires: entries do not change after the first call.
  const Entry* Find(Slot slot) const;
  Code CodeOf(Slot slot) const {
    const Entry* entry = Find(slot);
    return entry != nullptr ? entry->verdict.code() : absent.code;
  }

 private:
  mutable std::vector<uint32_t> places_;  // by slot: index in entries plus 1; built by Find
};

// TrialRuns runs the profile's filters on nodes with a simulated change, in the same way as the
// attempt did on the real nodes: with and without the nominated pods.
class TrialRuns {
 public:
  virtual ~TrialRuns() = default;

  virtual FilterOutcome Filter(Slot slot, const NodeDelta& change) const = 0;
  // Like Filter, without the filters that do not read the pods of a node. Requires: Filter accepted
  // the node with some change.
  virtual FilterOutcome FilterAgain(Slot slot, const NodeDelta& change) const = 0;
};

// Candidate is a node on which the pod would fit without the victims, most important victim first.
struct Candidate {
  NodeRef node;
  std::vector<std::shared_ptr<const PodInfo>> victims;
  int violations = 0;  // victims whose eviction violates a PodDisruptionBudget
};

// CandidateReview lets the extenders review the candidates. Returns the accepted ones, in any order
// and possibly none, each with the victims that the extenders chose.
using CandidateReview = std::function<Result<std::vector<Candidate>>(std::vector<Candidate>)>;

// PostFilterContext is an attempt that found no node, with the means to make room.
struct PostFilterContext {
  CycleContext& cycle;
  const NodeVerdicts& verdicts;
  const TrialRuns& trials;
  Evictions& evictions;
  const std::function<double()>& random;  // values in [0, 1)
  CandidateReview review = {};            // empty: no extender reviews candidates
};

// Preemption is the result of a plugin that searched for victims.
struct Preemption {
  std::vector<Candidate> candidates;
  NodeVerdicts unhelpful;  // nodes on which preemption does not help
  size_t evicted = 0;      // victims, with those that are terminating already
};

enum class NominatingMode : uint8_t { kNoop, kOverride };

struct PostFilterResult {
  Status status;
  NominatingMode mode = NominatingMode::kNoop;
  std::string nominated_node;
  std::optional<Preemption> preemption = std::nullopt;
  // Whether the plugin's events may make the pod schedulable: it then counts as a rejecting plugin.
  bool events_may_help = false;
};

class PostFilterPlugin : public virtual Plugin {
 public:
  virtual PostFilterResult PostFilter(PostFilterContext& context) const = 0;
  // Returns the key of the pod data that a rejection depends on, apart from the filters' verdicts
  // and from the node that the pod is nominated to. Members of one gang with equal keys that the
  // filters do not distinguish get equal rejections in the same cluster. None: rejections are not
  // shared.
  virtual ResultKey RejectionKeyOf(const PendingPod&) const { return ResultKey::None(); }
};

class PreScorePlugin : public virtual Plugin {
 public:
  // Prepares scoring. `feasible` are the nodes that will be scored; building their list costs time,
  // so read it only if the nodes matter.
  virtual Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const = 0;
};

// Normalizer defines how raw scores become 0..100. It is declarative, so that the framework knows
// how long a weighted total stays valid. Source: kube-scheduler
// pkg/scheduler/framework/plugins/helper/normalize_score.go, DefaultNormalizeScore;
// pkg/scheduler/framework/plugins/interpodaffinity/scoring.go, NormalizeScore (kMinMax).
enum class Normalizer : uint8_t {
  kNone,             // raw scores are 0..100 already
  kDefault,          // scaled by the highest
  kDefaultReversed,  // scaled by the highest, lowest is best
  kMinMax,           // scaled between lowest and highest; all equal gives 0
  kCustom,           // the plugin's NormalizeScore is called
};

class ScorePlugin : public virtual Plugin {
 public:
  virtual int64_t Score(const CycleContext& cycle, const NodeView& node) const = 0;
  virtual void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                          std::span<int64_t> out) const;

  virtual Normalizer normalizer() const { return Normalizer::kNone; }
  // Called only for Normalizer::kCustom. scores[i] belongs to slots[i]; the slots are all feasible
  // nodes, in visiting order.
  virtual Status NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                                std::span<int64_t> scores) const;
};

// From Reserve on, plugins get the selected node. The node may be deleted between two calls;
// NodeRef::In detects that.
class ReservePlugin : public virtual Plugin {
 public:
  virtual Status Reserve(CycleContext& cycle, const NodeRef& node) const = 0;
  // Undoes Reserve. Must be idempotent: it is also called if Reserve was not.
  virtual void Unreserve(CycleContext& cycle, const NodeRef& node) const = 0;
};

struct PermitResult {
  Status status;
  std::chrono::milliseconds timeout{0};  // with Code::kWait; capped at 15 minutes
};

class PermitPlugin : public virtual Plugin {
 public:
  virtual PermitResult Permit(CycleContext& cycle, const NodeRef& node) const = 0;
};

// StatusDone receives the result of an asynchronous call, for instance a write to the API server.
// Called once, on the scheduling thread.
using StatusDone = std::function<void(Status)>;

struct PreBindPreFlightResult {
  Status status;                // Success: PreBind has work to do. Skip: it has none.
  bool allow_parallel = false;  // may run in parallel with neighbors that allow it, too
};

class PreBindPlugin : public virtual Plugin {
 public:
  virtual PreBindPreFlightResult PreBindPreFlight(CycleContext& cycle,
                                                  const NodeRef& node) const = 0;
  // Prepares the binding. When `canceled` is requested (on the scheduling thread), the result no
  // longer matters: a plugin that waits should stop and return any error, whose text is replaced by
  // the cause of the cancellation. The framework still waits for a plugin that ignores `canceled`.
  virtual void PreBind(CycleContext& cycle, const NodeRef& node, const std::stop_token& canceled,
                       StatusDone done) const = 0;
};

class BindPlugin : public virtual Plugin {
 public:
  // Creates the binding, or returns Skip to leave it to the next plugin.
  virtual void Bind(CycleContext& cycle, const NodeRef& node, StatusDone done) const = 0;
};

class PostBindPlugin : public virtual Plugin {
 public:
  virtual void PostBind(CycleContext& cycle, const NodeRef& node) const = 0;
};

}  // namespace berth::scheduler
