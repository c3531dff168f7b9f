// SPDX-License-Identifier: Apache-2.0
// The points of a pod that has a node: Reserve, Permit, PreBind, Bind, PostBind.
#include <algorithm>

#include "scheduler/framework/guard.h"
#include "scheduler/framework/profile.h"

namespace berth::scheduler {

using internal::FailedIn;
using internal::Guarded;
using internal::GuardedStatus;

namespace {

constexpr std::chrono::milliseconds kMaxPermitWait = std::chrono::minutes(15);

// Once lets the first answer through: a plugin that answers and throws, or answers twice, does not
// run what follows twice.
StatusDone Once(StatusDone done) {
  return [done = std::move(done), answered = std::make_shared<bool>(false)](Status status) {
    if (std::exchange(*answered, true)) return;
    done(std::move(status));
  };
}

// StartGuarded starts a call that answers later; if it throws instead, that is its answer.
template <class Call>
void StartGuarded(Call&& call, const StatusDone& done) {
  Guarded([&] { call(); }, [&](std::string text) { done(Status::Failed(std::move(text))); });
}

}  // namespace

Status Profile::RunReserve(CycleContext& cycle, const NodeRef& node) const {
  for (const Entry<ReservePlugin>& entry : reserves_) {
    const Status status =
        GuardedStatus(entry.name, [&] { return entry.plugin->Reserve(cycle, node); });
    if (status.ok()) continue;
    return status.rejected() ? status : FailedIn("Reserve plugin", status);
  }
  return Status::Success();
}

void Profile::RunUnreserve(CycleContext& cycle, const NodeRef& node) const {
  for (auto entry = reserves_.rbegin(); entry != reserves_.rend(); ++entry) {
    // Unreserve has no way to fail; what it throws concerns a pod that is given up anyway.
    GuardedStatus(entry->name, [&] {
      entry->plugin->Unreserve(cycle, node);
      return Status::Success();
    });
  }
}

Profile::PermitOutcome Profile::RunPermit(CycleContext& cycle, const NodeRef& node) const {
  PermitOutcome outcome;
  for (const Entry<PermitPlugin>& entry : permits_) {
    PermitResult result = Guarded([&] { return entry.plugin->Permit(cycle, node); },
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

Profile::PreFlightOutcome Profile::RunPreBindPreFlight(CycleContext& cycle,
                                                       const NodeRef& node) const {
  PreFlightOutcome outcome;
  outcome.status = Status::Skip();
  for (const Entry<PreBindPlugin>& entry : pre_binds_) {
    const Status status =
        GuardedStatus(entry.name, [&] { return entry.plugin->PreBindPreFlight(cycle, node); });
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

// Each step starts the next one from its callback; the chain keeps itself alive through the copies
// it hands on.
void Profile::RunPreBind(CycleContext& cycle, const NodeRef& node, PluginIndexSet skipped,
                         StatusDone done) const {
  struct Chain {
    const Profile& profile;
    CycleContext& cycle;
    NodeRef node;
    PluginIndexSet skipped;
    StatusDone done;

    static void Run(const std::shared_ptr<Chain>& self, size_t i) {
      const auto& plugins = self->profile.pre_binds_;
      while (i < plugins.size() && self->skipped.Has(plugins[i].index)) ++i;
      if (i == plugins.size()) return self->done(Status::Success());
      const auto& entry = plugins[i];
      const StatusDone next = Once([self, i, name = entry.name](Status status) {
        status.plugin = name;
        if (status.ok()) return Run(self, i + 1);
        self->done(status.rejected() ? std::move(status) : FailedIn("PreBind plugin", status));
      });
      StartGuarded([&] { entry.plugin->PreBind(self->cycle, self->node, next); }, next);
    }
  };
  Chain::Run(std::make_shared<Chain>(Chain{*this, cycle, node, skipped, std::move(done)}), 0);
}

void Profile::RunBind(CycleContext& cycle, const NodeRef& node, StatusDone done) const {
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
      StartGuarded([&] { entry.plugin->Bind(self->cycle, self->node, next); }, next);
    }
  };
  Chain::Run(std::make_shared<Chain>(Chain{*this, cycle, node, std::move(done)}), 0);
}

void Profile::RunPostBind(CycleContext& cycle, const NodeRef& node) const {
  for (const Entry<PostBindPlugin>& entry : post_binds_) {
    // PostBind only informs; the pod is bound whatever it throws.
    GuardedStatus(entry.name, [&] {
      entry.plugin->PostBind(cycle, node);
      return Status::Success();
    });
  }
}

}  // namespace berth::scheduler
