// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/play.h"

#include <chrono>
#include <set>
#include <string>
#include <utility>

#include "tests/differential/controller.h"
#include "tests/differential/observe.h"
#include "tests/differential/volumes_seen.h"
#include "tests/integration/harness/objects.h"
#include "tests/integration/harness/wait.h"

namespace berth::differential {
namespace {

using integration::At;
using integration::TextAt;
using std::chrono::milliseconds;

constexpr milliseconds kSettles{20'000};
constexpr milliseconds kComes{30'000};  // limit of a scenario's waits; backoffs take up to 10 s
constexpr milliseconds kPoll{20};

// Reports whether an observed pod has the awaited state.
bool Holds(const Json& pod, const Awaited& awaited) {
  if (pod.is_null()) return awaited.state == "gone";
  const Json condition = pod.value("conditions", Json::object()).value("PodScheduled", Json());
  if (!awaited.message.empty()) {
    return condition.is_object() &&
           condition.value("message", "").find(awaited.message) != std::string::npos;
  }
  if (awaited.state == "gone") return pod.contains("gone");
  if (awaited.state == "bound") return pod.contains("node");
  if (awaited.state == "deleting") return pod.contains("deleting");
  if (awaited.state == "pending") return !pod.contains("node") && !pod.contains("gone");
  return condition.is_object() && condition.value("status", "") == "False";  // rejected
}

bool HoldsOfGroup(const Json& group, const Awaited& awaited) {
  const Json condition =
      group.value("conditions", Json::object()).value("PodGroupInitiallyScheduled", Json::object());
  if (!awaited.message.empty()) {
    return condition.value("message", "").find(awaited.message) != std::string::npos;
  }
  return condition.value("status", "") == (awaited.state == "scheduled" ? "True" : "False");
}

bool HoldsOfClaim(const Json& seen, const std::string& claim, const Awaited& awaited) {
  if (awaited.state == "claimed") return !VolumeFor(seen["volumes"], claim).empty();
  return seen["claims"].value(claim, Json::object()).contains("selectedNode");
}

// Reports whether an object in an observation has the awaited state, by its name in `wait`.
bool HoldsIn(const Json& seen, const std::string& name, const Awaited& awaited) {
  if (name.starts_with(kClaimPrefix)) {
    return HoldsOfClaim(seen, name.substr(kClaimPrefix.size()), awaited);
  }
  if (name.starts_with(kGroupPrefix)) {
    const Json groups = seen.value("groups", Json::object());
    return HoldsOfGroup(groups.value(name.substr(kGroupPrefix.size()), Json::object()), awaited);
  }
  return Holds(seen["pods"].value(name, Json()), awaited);
}

class Player {
 public:
  Player(const Stage& stage, const Scenario& scenario)
      : stage_(stage),
        scenario_(scenario),
        observer_(stage.api, stage.extenders, scenario.ns(), scenario.repeats) {}

  Result<Json> Play() {
    BERTH_TRY_VOID(CreateNamespaces());
    Json transcript = Json::array();
    for (size_t i = 0; i < scenario_.steps.size(); ++i) {
      const Step& step = scenario_.steps[i];
      const auto done = std::visit([this](const auto& action) { return Do(action); }, step.action);
      if (!done) return Fail(done.error().With(std::to_string(i) + " (" + step.name + ")"));
      if (const auto came = Do(step.then); !came) {
        return Fail(came.error().With(std::to_string(i) + " (wait)"));
      }
      BERTH_TRY(Json seen, Settle());
      seen["after"] = step.name;
      transcript.push_back(std::move(seen));
    }
    return transcript;
  }

  // Deletes all created objects and starts the scheduler if it was stopped.
  Result<void> Clean() {
    BERTH_TRY_VOID(LetGo());
    for (const std::string& ns : namespaces_) {
      BERTH_TRY_VOID(stage_.api.RemoveAll("pod", ns));
      BERTH_TRY_VOID(stage_.api.RemoveAll("event", ns));
    }
    for (const ObjectName& made : made_) BERTH_TRY_VOID(stage_.api.Remove(made));
    for (const std::string& ns : namespaces_) BERTH_TRY_VOID(stage_.api.RemoveNamespace(ns));
    if (!stage_.scheduler.IsStarted()) stage_.scheduler.Start();
    return stage_.canary.AwaitNodes(0);
  }

 private:
  Result<void> CreateNamespaces() {
    namespaces_ = {scenario_.ns()};
    namespaces_.insert(scenario_.namespaces.begin(), scenario_.namespaces.end());
    for (const std::string& name : namespaces_) {
      BERTH_TRY_VOID(
          Ask({Operation::Verb::kCreate,
               {"namespace", "", name},
               {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}}}));
    }
    return {};
  }

  Result<void> Ask(const Operation& operation) {
    BERTH_TRY(const Json answer, stage_.api.Do(operation));
    const ObjectName& target = operation.target;
    const bool creates = operation.verb == Operation::Verb::kCreate;
    if (target.kind == "node" && operation.verb != Operation::Verb::kPatch) {
      nodes_ += creates ? 1 : -1;
    }
    if (creates && target.kind == "pod") {
      const bool is_own = target.ns == scenario_.ns();
      stage_.extenders.RegisterPod(is_own ? target.name : target.ns + "/" + target.name,
                                   TextAt(answer, "/metadata/uid"));
    }
    if (target.kind == "namespace" || target.kind == "pod") return {};
    // Keeps deleted objects in the set: finalizers may keep them alive.
    if (creates) made_.insert(target);
    return {};
  }

  Result<void> Do(const Change& change) {
    for (const Operation& operation : change.cluster) BERTH_TRY_VOID(Ask(operation));
    const bool is_told = stage_.scheduler.IsStarted() && !change.cluster.empty();
    if (is_told && !change.pods.empty()) BERTH_TRY_VOID(stage_.canary.AwaitNodes(nodes_));
    for (const Operation& operation : change.pods) BERTH_TRY_VOID(Ask(operation));
    return {};
  }

  Result<void> Do(const std::vector<Kubelet>& acts) {
    BERTH_TRY(const Json pods, stage_.api.List("pod"));
    for (const Kubelet act : acts) {
      for (const Json& pod : pods) {
        if (TextAt(pod, "/spec/nodeName").empty()) continue;
        BERTH_TRY_VOID(act == Kubelet::kRun ? Run(pod) : End(pod));
      }
    }
    return {};
  }

  static ObjectName NameOf(const Json& pod) {
    return {"pod", TextAt(pod, "/metadata/namespace"), TextAt(pod, "/metadata/name")};
  }

  Result<void> Run(const Json& pod) {
    if (TextAt(pod, "/status/phase") != "Pending") return {};
    Json conditions = At(pod, "/status/conditions");
    conditions.push_back({{"type", "Ready"}, {"status", "True"}});
    return Ask({Operation::Verb::kPatch,
                NameOf(pod),
                {{"status", {{"phase", "Running"}, {"conditions", conditions}}}},
                "status"});
  }

  Result<void> End(const Json& pod) {
    if (At(pod, "/metadata/deletionTimestamp").is_null()) return {};
    return stage_.api.Remove(NameOf(pod));
  }

  Result<void> Do(const std::vector<Controller>& acts) {
    for (const Controller act : acts) {
      BERTH_TRY(const std::vector<Operation> operations, OperationsOf(act));
      for (const Operation& operation : operations) BERTH_TRY_VOID(Ask(operation));
    }
    return {};
  }

  Result<std::vector<Operation>> OperationsOf(Controller act) const {
    BERTH_TRY(const Json claims, stage_.api.List("persistentvolumeclaim"));
    switch (act) {
      case Controller::kClaim: {
        BERTH_TRY(const Json pods, stage_.api.List("pod"));
        return ClaimEphemeral(pods, claims);
      }
      case Controller::kProvision: {
        BERTH_TRY(const Json classes, stage_.api.List("storageclass"));
        return Provision(claims, classes);
      }
      case Controller::kBind:
        break;
    }
    BERTH_TRY(const Json volumes, stage_.api.List("persistentvolume"));
    return Bind(claims, volumes);
  }

  Result<void> Do(Control control) {
    if (control != Control::kStart) stage_.scheduler.Stop();
    if (control == Control::kStop) return {};
    stage_.scheduler.Start();
    return stage_.canary.AwaitNodes(nodes_);
  }

  Result<void> Do(const NewAnswers& all) {
    for (const auto& [extender, answers] : all) stage_.extenders.Answer(extender, answers);
    return {};
  }

  Result<void> Do(const Wait& wait) {
    for (const auto& [name, awaited] : wait) BERTH_TRY_VOID(Await(name, awaited));
    return {};
  }

  Result<void> Await(const std::string& name, const Awaited& awaited) {
    Result<Json> seen;
    const bool came = integration::PollUntil(
        kComes,
        [&] {
          seen = observer_.Look();
          return !seen || HoldsIn(*seen, name, awaited);
        },
        kPoll);
    if (!seen) return Fail(seen.error());
    if (came) return {};
    return Fail(Reason::kTimeout,
                name + " did not reach the state: " + (*seen)["pods"].value(name, *seen).dump());
  }

  // Returns the observation once another canary does not change it.
  Result<Json> Settle() {
    BERTH_TRY(Json before, observer_.Look());
    if (!stage_.scheduler.IsStarted()) return before;
    Result<void> ended;
    const bool settled = integration::PollUntil(
        kSettles,
        [&] {
          auto now = FlyAndLook();
          if (!now) ended = Fail(now.error());
          if (!now || *now == before) return true;
          before = std::move(*now);
          return false;
        },
        milliseconds(0));
    BERTH_TRY_VOID(ended);
    if (!settled) return Fail(Reason::kTimeout, "the scheduler does not become idle");
    return before;
  }

  Result<Json> FlyAndLook() {
    for (int i = 0; i < 2; ++i) BERTH_TRY_VOID(stage_.canary.AwaitNodes(nodes_));
    return observer_.Look();
  }

  // Removes the finalizers of pods, claims and volumes.
  Result<void> LetGo() {
    for (const char* kind : {"pod", "persistentvolumeclaim", "persistentvolume"}) {
      BERTH_TRY(const Json objects, stage_.api.List(kind));
      for (const Json& object : objects) {
        if (At(object, "/metadata/finalizers").is_null()) continue;
        ObjectName name = NameOf(object);
        name.kind = kind;
        BERTH_TRY_VOID(
            Ask({Operation::Verb::kPatch, name, {{"metadata", {{"finalizers", nullptr}}}}}));
      }
    }
    return {};
  }

  const Stage& stage_;
  const Scenario& scenario_;
  Observer observer_;
  std::set<std::string> namespaces_;
  std::set<ObjectName> made_;  // without pods, which are deleted with their namespaces
  int nodes_ = 0;
};

}  // namespace

Result<Json> Play(const Stage& stage, const Scenario& scenario) {
  Player player(stage, scenario);
  Result<Json> transcript = player.Play();
  if (!transcript) stage.scheduler.Stop();  // it may have crashed, or hang
  if (auto cleaned = player.Clean(); !cleaned) {
    // The error of the scenario is more important than the one of the cleanup.
    return Fail(transcript ? cleaned.error().With("clean up") : transcript.error());
  }
  return transcript;
}

}  // namespace berth::differential
