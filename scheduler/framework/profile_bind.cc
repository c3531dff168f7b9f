// SPDX-License-Identifier: Apache-2.0
// The extension points of a placed pod: Reserve, Permit, PreBind, Bind, PostBind.
#include <algorithm>

#include "scheduler/framework/extender_calls.h"
#include "scheduler/framework/guard.h"
#include "scheduler/framework/profile.h"

namespace berth::scheduler {

using internal::FailedIn;
using internal::Guarded;
using internal::GuardedStatus;

namespace {

constexpr std::chrono::milliseconds kMaxPermitWait = std::chrono::minutes(15);

// Passes on only the first result. A plugin that calls `done` and throws, or calls it twice, must
// not run the next step twice.
StatusDone Once(StatusDone done) {
  return [done = std::move(done), answered = std::make_shared<bool>(false)](Status status) {
    if (std::exchange(*answered, true)) return;
    done(std::move(status));
  };
}

// Starts an asynchronous call; an exception becomes its result.
template <class Call>
void StartGuarded(const PluginCall* place, Call&& call, const StatusDone& done) {
  Guarded(
      place, [&] { call(); }, [&](std::string text) { done(Status::Failed(std::move(text))); });
}

}  // namespace

Status Profile::RunReserve(CycleContext& cycle, const NodeRef& node) const {
  for (const Entry<ReservePlugin>& entry : reserves_) {
    const Status status = GuardedStatus(entry, [&] { return entry.plugin->Reserve(cycle, node); });
    if (status.ok()) continue;
    return status.rejected() ? status : FailedIn("Reserve plugin", status);
  }
  return Status::Success();
}

void Profile::RunUnreserve(CycleContext& cycle, const NodeRef& node) const {
  for (auto entry = reserves_.rbegin(); entry != reserves_.rend(); ++entry) {
    // Unreserve cannot fail; the pod is given up anyway, so exceptions are ignored.
    GuardedStatus(*entry, [&] {
      entry->plugin->Unreserve(cycle, node);
      return Status::Success();
    });
  }
}

Profile::PermitOutcome Profile::RunPermit(CycleContext& cycle, const NodeRef& node) const {
  PermitOutcome outcome;
  for (const Entry<PermitPlugin>& entry : permits_) {
    PermitResult result = Guarded(
        entry.call, [&] { return entry.plugin->Permit(cycle, node); },
        [](std::string text) {
          return PermitResult{Status::Failed(std::move(text)), {}};
        });
    result.status.plugin = entry.name;
    if (result.status.ok()) continue;
    if (result.status.code == Code::kWait) {
      outcome.waits.emplace_back(entry.name, std::min(result.timeout, kMaxPermitWait));
      continue;
    }
    outcome.waits.clear();
    outcome.status =
        result.status.rejected() ? result.status : FailedIn("Permit plugin", result.status);
    return outcome;
  }
  if (!outcome.waits.empty()) outcome.status = Status::Wait();
  return outcome;
}

Status Profile::RunCheckGang(const PendingPod& pod, const Gang& gang, const GangAttempts& attempts,
                             const Snapshot& snapshot) const {
  const Entry<GangPlugin>& entry = *gang_plugin(gang.api());
  Status status =
      GuardedStatus(entry, [&] { return entry.plugin->CheckGang(pod, gang, attempts, snapshot); });
  const bool is_allowed = status.ok() || status.code == Code::kUnschedulableAndUnresolvable ||
                          status.code == Code::kError;
  return is_allowed ? status : FailedIn("gang plugin", status);
}

Profile::PreFlightOutcome Profile::RunPreBindPreFlight(CycleContext& cycle,
                                                       const NodeRef& node) const {
  PreFlightOutcome outcome;
  outcome.status = Status::Skip();
  for (const Entry<PreBindPlugin>& entry : pre_binds_) {
    PreBindPreFlightResult result = Guarded(
        entry.call, [&] { return entry.plugin->PreBindPreFlight(cycle, node); },
        [](std::string text) { return PreBindPreFlightResult{Status::Failed(std::move(text))}; });
    Status& status = result.status;
    status.plugin = entry.name;
    if (result.allow_parallel) outcome.parallel.Add(entry.index);
    if (status.ok()) {
      outcome.status = Status::Success();
    } else if (status.code == Code::kSkip) {
      outcome.skipped.Add(entry.index);
    } else if (status.code == Code::kError) {
      outcome.status = FailedIn("PreBindPreFlight", status);
      return outcome;
    } else {
      outcome.status = Status::Failed(
          "PreBindPreFlight " + status.plugin + " returned \"" +
          std::string(ToString(status.code)) +
          "\", which is unsupported. It is supposed to return Success, Skip, or Error status");
      outcome.status.plugin = status.plugin;
      return outcome;
    }
  }
  return outcome;
}

// PreBindRun starts the groups of PreBind plugins: the next one when the last result of the current
// one has arrived. The callbacks that it passes to plugins keep it alive. Source: kube-scheduler
// pkg/scheduler/framework/runtime/framework.go, RunPreBindPlugins and getPreBindPluginGroups.
class Profile::PreBindRun : public std::enable_shared_from_this<PreBindRun> {
 public:
  PreBindRun(const Profile& profile, CycleContext& cycle, NodeRef node,
             const PreFlightOutcome& flight, Cancellation& cancellation, StatusDone done)
      : cycle_(cycle),
        node_(std::move(node)),
        cancellation_(cancellation),
        done_(std::move(done)),
        groups_(GroupsOf(profile, flight)) {}

  void StartNextGroup() {
    if (next_ == groups_.size()) return done_(Status::Success());
    const Group& group = groups_[next_++];
    unanswered_ = group.size();
    // All plugins of a group are started, as with upstream's goroutines, even if the first one
    // answers at once. After a cancellation, no plugin is started.
    for (const auto* entry : group) Start(*entry);
  }

 private:
  using Group = std::vector<const Entry<PreBindPlugin>*>;

  // A skipped plugin does not split a group, unless it does not allow parallel runs.
  static std::vector<Group> GroupsOf(const Profile& profile, const PreFlightOutcome& flight) {
    std::vector<Group> groups;
    bool joins = false;  // the last group accepts more plugins
    for (const Entry<PreBindPlugin>& entry : profile.pre_binds_) {
      const bool parallel = flight.parallel.Has(entry.index);
      joins = joins && parallel;
      if (flight.skipped.Has(entry.index)) continue;
      if (!joins) groups.emplace_back();
      groups.back().push_back(&entry);
      joins = parallel;
    }
    return groups;
  }

  void Start(const Entry<PreBindPlugin>& entry) {
    const StatusDone answer = Once([self = shared_from_this(), name = entry.name](Status status) {
      status.plugin = name;
      self->OnAnswer(std::move(status));
    });
    if (cancellation_.IsRequested()) return answer(Status::Failed(cancellation_.cause()));
    StartGuarded(
        entry.call, [&] { entry.plugin->PreBind(cycle_, node_, cancellation_.token(), answer); },
        answer);
  }

  void OnAnswer(Status status) {
    if (!status.ok() && !failure_) {
      failure_ = status.rejected() ? std::move(status) : Worded(std::move(status));
      cancellation_.Request("some other PreBind operation failed");
    }
    if (--unanswered_ > 0) return;
    if (failure_) return done_(std::move(*failure_));
    StartNextGroup();
  }

  Status Worded(Status status) const {
    if (cancellation_.IsRequested()) status.reasons = {cancellation_.cause()};
    return FailedIn("PreBind plugin", status);
  }

  CycleContext& cycle_;
  const NodeRef node_;
  Cancellation& cancellation_;
  const StatusDone done_;
  const std::vector<Group> groups_;
  size_t next_ = 0;        // of groups_
  size_t unanswered_ = 0;  // in the running group
  std::optional<Status> failure_;
};

void Profile::RunPreBind(CycleContext& cycle, const NodeRef& node, const PreFlightOutcome& flight,
                         Cancellation& cancellation, StatusDone done) const {
  if (!flight.status.ok()) return done(Status::Success());  // no plugin has work
  std::make_shared<PreBindRun>(*this, cycle, node, flight, cancellation, std::move(done))
      ->StartNextGroup();
}

void Profile::RunBind(CycleContext& cycle, const NodeRef& node, StatusDone done) const {
  const auto* interested =
      extenders_ == nullptr ? nullptr : cycle.state.Read<InterestedExtenders>();
  if (interested == nullptr) return RunBindPlugins(cycle, node, std::move(done));
  BindByExtenders(interested->list, cycle, node,
                  [this, &cycle, node, done = std::move(done)](Status status) {
                    if (status.code == Code::kSkip) return RunBindPlugins(cycle, node, done);
                    status.plugin = kExtenderPlugin;
                    done(std::move(status));
                  });
}

void Profile::RunBindPlugins(CycleContext& cycle, const NodeRef& node, StatusDone done) const {
  struct Chain {
    const Profile& profile;
    CycleContext& cycle;
    NodeRef node;
    StatusDone done;

    static void Run(const std::shared_ptr<Chain>& self, size_t i) {
      const auto& plugins = self->profile.binds_;
      if (i == plugins.size()) return self->done(Status::Skip());
      const auto& entry = plugins[i];
      const StatusDone next = Once([self, i, name = entry.name](Status status) {
        status.plugin = name;
        if (status.code == Code::kSkip) return Run(self, i + 1);
        if (status.ok() || status.rejected()) return self->done(std::move(status));
        self->done(FailedIn("Bind plugin", status));
      });
      StartGuarded(
          entry.call, [&] { entry.plugin->Bind(self->cycle, self->node, next); }, next);
    }
  };
  Chain::Run(std::make_shared<Chain>(Chain{*this, cycle, node, std::move(done)}), 0);
}

void Profile::RunPostBind(CycleContext& cycle, const NodeRef& node) const {
  for (const Entry<PostBindPlugin>& entry : post_binds_) {
    // The pod is bound already, so exceptions are ignored.
    GuardedStatus(entry, [&] {
      entry.plugin->PostBind(cycle, node);
      return Status::Success();
    });
  }
}

}  // namespace berth::scheduler
