// SPDX-License-Identifier: Apache-2.0
// Rendering of a profile by the operator: objects, status, drift correction, deletion.
#include <set>

#include "base/strings.h"
#include "controllers/plan.h"
#include "scheduler/plugins/registry.h"
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr seconds kRepairLimit{2};

struct ObjectName {
  std::string kind, name, ns;
};

// Returns the objects rendered for a profile without a spec.
std::vector<ObjectName> RenderedFor(const std::string& name) {
  static const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  crds::SchedulerProfile profile;
  profile.metadata.name = name;
  crds::PlaceByDefault(profile, kNamespace);
  std::vector<ObjectName> objects;
  for (const auto& rendered : controllers::PlanObjects(profile, {}, catalogue, {}).apply) {
    const controllers::ObjectKey& key = rendered.key;
    objects.push_back({ToLower(key.resource->kind), key.name, key.namespace_});
  }
  return objects;
}

class Rendering : public ProfileTest {};

TEST_F(Rendering, KubectlInstallsTheManifest) {
  NEEDS_KUBECTL();
  cluster_.Kubectl({"apply", "--server-side", "-f", SourceFile("deploy/install.yaml")});
  cluster_.Kubectl(
      {"wait", "--for=condition=Established", "--timeout=5s", "crd/schedulerprofiles.berth.dev"});
}

TEST_F(Rendering, MinimalSampleIsRenderedWithinTwoSeconds) {
  NEEDS_KUBECTL();
  profiles_.emplace_back("hello");
  cluster_.Kubectl({"apply", "-f", SourceFile("samples/01-minimal/profile.yaml")});
  EXPECT_TRUE(Eventually("all objects", seconds(2), [&]() -> std::string {
    for (const ObjectName& object : RenderedFor("hello")) {
      if (cluster_.Get(object.kind, object.name, object.ns).is_null()) {
        return object.kind + " is missing";
      }
    }
    return "";
  }));
}

TEST_F(Rendering, EveryObjectIsOwnedByTheProfile) {
  CreateProfile("owned");
  const Json uid = At(Profile("owned"), "/metadata/uid");
  for (const ObjectName& object : RenderedFor("owned")) {
    SCOPED_TRACE(object.kind);
    const Json owner =
        At(cluster_.Get(object.kind, object.name, object.ns), "/metadata/ownerReferences/0");
    EXPECT_EQ(At(owner, "/uid"), uid);
    EXPECT_EQ(At(owner, "/kind"), "SchedulerProfile");
  }
}

TEST_F(Rendering, NetworkPolicyAllowsTheApiServersPort) {
  CreateProfile("ports");
  const std::string& url = cluster_.control_plane().url();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  EXPECT_TRUE(Eventually("the ports", seconds(15), [&]() -> std::string {
    const Json policy = cluster_.Get("networkpolicy", "berth-ports", kNamespace);
    std::set<int> ports;
    for (const Json& entry : At(policy, "/spec/egress/1/ports"))
      ports.insert(entry.value("port", 0));
    return ports == std::set<int>{443, port} ? "" : policy.dump();
  }));
}

TEST_F(Rendering, ConditionsMatchTheClusterState) {
  CreateProfile("facts");
  // No scheduler runs yet.
  EXPECT_TRUE(EventuallyHas("facts", "Valid", "True", "Valid"));
  EXPECT_TRUE(EventuallyHas("facts", "Available", "False", "NoReadyScheduler"));
  EXPECT_TRUE(EventuallyHas("facts", "ConfigApplied", "Unknown", "NoHeartbeat"));
  EXPECT_TRUE(EventuallyHas("facts", "Ready", "False", "NoReadyScheduler"));
  EXPECT_EQ(Condition(Profile("facts"), "Reconciling").value("status", ""), "True");
  EXPECT_TRUE(Condition(Profile("facts"), "Stalled").empty());

  // A scheduler runs, but no pod of the Deployment is ready.
  const SchedulerProcess scheduler(cluster_, "facts");
  EXPECT_TRUE(EventuallyApplied("facts"));
  EXPECT_TRUE(EventuallyHas("facts", "Ready", "False", "NoReadyScheduler"));

  const std::string selector = "berth.dev/profile=facts";
  EXPECT_TRUE(Eventually("a pod of the Deployment", seconds(5), [&]() -> std::string {
    return cluster_.List("pod", kNamespace, selector).empty() ? "none" : "";
  }));
  cluster_.MarkPodsReady(kNamespace, selector);
  EXPECT_TRUE(EventuallyHas("facts", "Ready", "True", "Ready"));
  EXPECT_TRUE(EventuallyHas("facts", "Available", "True", "SchedulerReady"));
  const Json profile = Profile("facts");
  EXPECT_EQ(At(profile, "/status/observedGeneration"), At(profile, "/metadata/generation"));
  EXPECT_EQ(At(profile, "/status/scheduler/appliedConfigHash"),
            At(profile, "/status/scheduler/configHash"));
  EXPECT_TRUE(Condition(profile, "Reconciling").empty()) << profile.dump(1);
  EXPECT_TRUE(Condition(profile, "Stalled").empty());
  if (KubectlMissing().empty()) {
    cluster_.Kubectl({"wait", "sprof/facts", "--for=condition=Ready", "--timeout=1s"});
  }
}

TEST_F(Rendering, AvailableShowsKubeletErrorsWithinFiveSeconds) {
  CreateProfile("unpulled");
  Json pods;
  EXPECT_TRUE(Eventually("a pod of the Deployment", seconds(5), [&]() -> std::string {
    pods = cluster_.List("pod", kNamespace, "berth.dev/profile=unpulled");
    return pods.empty() ? "none" : "";
  }));
  const Json waiting = {{"reason", "ImagePullBackOff"}, {"message", "Back-off pulling image x"}};
  const Json container = {{"name", "scheduler"}, {"image", "x"},
                          {"imageID", ""},       {"ready", false},
                          {"restartCount", 0},   {"state", {{"waiting", waiting}}}};
  cluster_.Patch("pod", pods.at(0)["metadata"]["name"], kNamespace,
                 {{"status", {{"containerStatuses", Json::array({container})}}}}, "status");
  EXPECT_TRUE(Eventually("the reason", seconds(5), [&]() -> std::string {
    const Json available = Condition(Profile("unpulled"), "Available");
    const bool said =
        available.value("reason", "") == "ImagePullBackOff" &&
        available.value("message", "").find("Back-off pulling image x") != std::string::npos;
    return said ? "" : available.dump();
  }));
}

TEST_F(Rendering, ReadyBecomesFalseWhenHeartbeatsStop) {
  CreateProfile("silent",
                {{"leaderElection",
                  {{"leaseDuration", "3s"}, {"renewDeadline", "2s"}, {"retryPeriod", "1s"}}}});
  {
    SchedulerProcess scheduler(cluster_, "silent");
    EXPECT_TRUE(EventuallyApplied("silent"));
    scheduler.process().Kill();
  }
  EXPECT_TRUE(EventuallyHas("silent", "ConfigApplied", "Unknown", "NoHeartbeat"));
}

TEST_F(Rendering, GetShowsThePrinterColumns) {
  NEEDS_KUBECTL();
  CreateProfile("columns");
  EXPECT_TRUE(EventuallyHas("columns", "Valid", "True", "Valid"));
  const std::string out = cluster_.Kubectl({"get", "sprof", "columns", "-o", "wide"}).out;
  for (const char* text : {"NAME", "READY", "REASON", "REPLICAS", "PLUGINS", "PENDING", "AGE",
                           "MESSAGE", "False", "NoReadyScheduler"}) {
    EXPECT_NE(out.find(text), std::string::npos) << text << " is missing in\n" << out;
  }
}

TEST_F(Rendering, StatusListsTheActivePlugins) {
  CreateProfile("plugins",
                {{"plugins", {{"multiPoint", {{"disabled", {{{"name", "NodePorts"}}}}}}}}});
  EXPECT_TRUE(EventuallyHas("plugins", "Valid", "True", "Valid"));
  const Json status = At(Profile("plugins"), "/status");
  std::set<std::string> names;
  for (const Json& plugin : status["plugins"]) names.insert(plugin["name"]);
  EXPECT_TRUE(names.contains("NodeResourcesFit")) << status.dump(1);
  EXPECT_FALSE(names.contains("NodePorts"));
  EXPECT_TRUE(names.contains("VolumeBinding")) << status.dump(1);
  EXPECT_FALSE(status.contains("warnings")) << status["warnings"];
}

TEST_F(Rendering, RecreatesADeletedObjectWithinTwoSeconds) {
  CreateProfile("deleted");
  for (const ObjectName& object : RenderedFor("deleted")) {
    SCOPED_TRACE(object.kind);
    const Json before = At(cluster_.Get(object.kind, object.name, object.ns), "/metadata/uid");
    cluster_.Delete(object.kind, object.name, object.ns);
    EXPECT_TRUE(Eventually(object.kind + " made again", kRepairLimit, [&]() -> std::string {
      const Json now = At(cluster_.Get(object.kind, object.name, object.ns), "/metadata/uid");
      return now.is_null() ? "missing" : now == before ? "not deleted yet" : "";
    }));
  }
}

TEST_F(Rendering, RevertsAnOwnedFieldWithinTwoSeconds) {
  CreateProfile("drift");
  struct Edit {
    std::string kind, pointer;
    Json patch;
  };
  const Json other = {
      {"kind", "ServiceAccount"}, {"name", "other"}, {"namespace", std::string(kNamespace)}};
  const std::vector<Edit> edits = {
      {"configmap", "/data/scheduler-config.yaml", {{"data", {{"scheduler-config.yaml", "x"}}}}},
      {"deployment", "/spec/replicas", {{"spec", {{"replicas", 5}}}}},
      {"deployment",
       "/metadata/labels/berth.dev~1profile",
       {{"metadata", {{"labels", {{"berth.dev/profile", "other"}}}}}}},
      {"deployment",
       "/metadata/labels/app.kubernetes.io~1managed-by",
       {{"metadata", {{"labels", {{"app.kubernetes.io/managed-by", nullptr}}}}}}},
      {"service", "/spec/selector", {{"spec", {{"selector", {{"berth.dev/profile", "other"}}}}}}},
      {"role", "/rules", {{"rules", Json::array()}}},
      {"rolebinding", "/subjects", {{"subjects", Json::array({other})}}},
      {"clusterrolebinding", "/subjects", {{"subjects", Json::array({other})}}},
      {"serviceaccount", "/automountServiceAccountToken", {{"automountServiceAccountToken", true}}},
      {"networkpolicy", "/spec/policyTypes", {{"spec", {{"policyTypes", {"Ingress"}}}}}},
  };
  for (const Edit& edit : edits) {
    SCOPED_TRACE(edit.kind + edit.pointer);
    const bool is_global = edit.kind == "clusterrolebinding";
    const std::string name = is_global ? "berth:drift:base" : "berth-drift";
    const std::string ns = is_global ? "" : kNamespace;
    const Json wanted = At(cluster_.Get(edit.kind, name, ns), edit.pointer);
    ASSERT_FALSE(wanted.is_null());
    cluster_.Patch(edit.kind, name, ns, edit.patch);
    EXPECT_TRUE(Eventually(edit.kind + " repaired", kRepairLimit, [&]() -> std::string {
      const Json now = At(cluster_.Get(edit.kind, name, ns), edit.pointer);
      return now == wanted ? "" : now.dump();
    }));
  }
}

TEST_F(Rendering, RemovesAddedFieldsWithinTwoSeconds) {
  CreateProfile("added");
  struct Edit {
    std::string kind, pointer;
    Json patch;
  };
  const auto of_pods = [](Json spec) { return Json{{"spec", {{"template", {{"spec", spec}}}}}}; };
  Json containers =
      At(cluster_.Get("deployment", "berth-added", kNamespace), "/spec/template/spec/containers");
  ASSERT_EQ(containers.size(), 1u);
  containers[0]["env"].push_back({{"name", "LD_PRELOAD"}, {"value", "/tmp/evil.so"}});
  const Json with_variable = containers;
  containers[0].erase("env");
  containers.push_back({{"name", "evil"}, {"image", "evil"}});
  Json ports = At(cluster_.Get("service", "berth-added", kNamespace), "/spec/ports");
  ports.push_back({{"name", "evil"}, {"port", 8443}});
  const std::vector<Edit> edits = {
      {"deployment", "/spec/template/spec/containers", of_pods({{"containers", containers}})},
      {"deployment", "/spec/template/spec/containers", of_pods({{"containers", with_variable}})},
      {"deployment", "/spec/template/spec/hostNetwork", of_pods({{"hostNetwork", true}})},
      {"deployment", "/spec/template/spec/hostPID", of_pods({{"hostPID", true}})},
      {"deployment", "/spec/paused", {{"spec", {{"paused", true}}}}},
      {"service", "/spec/externalIPs", {{"spec", {{"externalIPs", {"192.0.2.1"}}}}}},
      {"service", "/spec/ports", {{"spec", {{"ports", ports}}}}},
      {"serviceaccount", "/imagePullSecrets", {{"imagePullSecrets", {{{"name", "evil"}}}}}},
      {"configmap", "/data/evil", {{"data", {{"evil", "x"}}}}},
  };
  for (const Edit& edit : edits) {
    SCOPED_TRACE(edit.kind + edit.pointer + edit.patch.dump());
    const auto now = [&] {
      return At(cluster_.Get(edit.kind, "berth-added", kNamespace), edit.pointer);
    };
    const Json wanted = now();
    cluster_.Patch(edit.kind, "berth-added", kNamespace, edit.patch);
    EXPECT_TRUE(Eventually(edit.kind + " repaired", kRepairLimit,
                           [&]() -> std::string { return now() == wanted ? "" : now().dump(); }));
  }
  // Later notes about the same object join the series of the first.
  EXPECT_TRUE(Eventually("an event", seconds(5), [&]() -> std::string {
    const std::string events = cluster_.List("event", "default").dump();
    const char* const note =
        "Deployment berth-system/berth-added: spec.template.spec.containers[name=evil] was added "
        "by field manager ";
    return events.find(note) == std::string::npos ? "none" : "";
  }));
}

TEST_F(Rendering, KeepsFieldsOfOtherManagers) {
  CreateProfile("unowned");
  cluster_.Patch("deployment", "berth-unowned", kNamespace,
                 {{"metadata", {{"annotations", {{"example.com/note", "mine"}}}}}});
  cluster_.Patch("deployment", "berth-unowned", kNamespace, {{"spec", {{"replicas", 3}}}});
  EXPECT_TRUE(Eventually("replicas repaired", kRepairLimit, [&]() -> std::string {
    const Json now = At(cluster_.Get("deployment", "berth-unowned", kNamespace), "/spec/replicas");
    return now == 1 ? "" : now.dump();
  }));
  EXPECT_EQ(At(cluster_.Get("deployment", "berth-unowned", kNamespace),
               "/metadata/annotations/example.com~1note"),
            "mine");
}

TEST_F(Rendering, WritesNothingWithoutChanges) {
  CreateProfile("quiet");
  const auto versions = [&] {
    std::string all = At(Profile("quiet"), "/metadata/resourceVersion").dump();
    for (const ObjectName& object : RenderedFor("quiet")) {
      // The Deployment's controller writes its status.
      const std::string field = object.kind == "deployment" ? "generation" : "resourceVersion";
      all += " " + object.kind + "=" +
             At(cluster_.Get(object.kind, object.name, object.ns), "/metadata/" + field).dump();
    }
    return all;
  };
  // Waits until the Deployment's status is stable.
  EXPECT_TRUE(EventuallyHas("quiet", "Reconciling", "True", "NoReadyScheduler"));
  const std::string before = versions();
  EXPECT_TRUE(Always("no new version", seconds(3), [&]() -> std::string {
    const std::string now = versions();
    return now == before ? "" : now + " instead of " + before;
  }));
}

TEST_F(Rendering, DoesNotAdoptAnObjectOfAnotherOwner) {
  const Json data = {{"a", "b"}};
  cluster_.Create("configmap", kNamespace,
                  {{"metadata", {{"name", "berth-taken"}}}, {"data", data}});
  profiles_.emplace_back("taken");
  cluster_.Apply({{"apiVersion", "berth.dev/v1alpha1"},
                  {"kind", "SchedulerProfile"},
                  {"metadata", {{"name", "taken"}}}});
  EXPECT_TRUE(EventuallyHas("taken", "Stalled", "True", "NotOwned"));
  EXPECT_EQ(At(cluster_.Get("configmap", "berth-taken", kNamespace), "/data"), data);
  EXPECT_TRUE(EventuallyHas("taken", "Ready", "False", "NotOwned"));

  cluster_.Delete("configmap", "berth-taken", kNamespace);
  PatchSpec("taken", {{"podMaxBackoffSeconds", 20}});  // a change triggers a reconcile at once
  EXPECT_TRUE(EventuallyHas("taken", "Ready", "False", "NoReadyScheduler"));
}

TEST_F(Rendering, DoesNotServeANameOfAnotherProfile) {
  const auto serves = [this](const std::string& profile, const std::string& name) {
    return Rendered(profile, "scheduler-config.yaml").find("schedulerName: " + name + "\n") !=
           std::string::npos;
  };
  CreateProfile("elder", {{"aliases", {"shared-name", "shared-alias"}}});
  CreateProfile("younger", {{"aliases", {"shared-alias"}}});
  EXPECT_TRUE(EventuallyHas("younger", "Stalled", "True", "NameTaken"));
  EXPECT_FALSE(serves("younger", "shared-alias"));

  // The other profile has no running scheduler that could take over the name.
  CreateProfile("shared-name");
  EXPECT_TRUE(EventuallyHas("shared-name", "Ready", "False", "NoReadyScheduler"));
  EXPECT_FALSE(serves("shared-name", "shared-name"));
  EXPECT_TRUE(serves("elder", "shared-name"));

  cluster_.Delete("sprof", "elder");
  EXPECT_TRUE(Eventually("the names of the deleted profile", seconds(10), [&]() -> std::string {
    if (!serves("shared-name", "shared-name")) return "shared-name is not served";
    return serves("younger", "shared-alias") ? "" : "shared-alias is not served";
  }));
}

TEST_F(Rendering, SuspendedProfileKeepsObjectsButNoScheduler) {
  CreateProfile("paused");
  const auto replicas_become = [&](int wanted) {
    return Eventually("replicas " + std::to_string(wanted), seconds(2), [&]() -> std::string {
      const Json now = At(cluster_.Get("deployment", "berth-paused", kNamespace), "/spec/replicas");
      return now == wanted ? "" : now.dump();
    });
  };
  PatchSpec("paused", {{"suspend", true}});
  EXPECT_TRUE(replicas_become(0));
  // A pod that the ReplicaSet was about to create may still appear and be deleted.
  EXPECT_TRUE(Eventually("suspended and not Ready", seconds(10), [&]() -> std::string {
    const Json profile = Profile("paused");
    const bool is_suspended = Condition(profile, "Suspended").value("status", "") == "True";
    return is_suspended && Condition(profile, "Ready").empty() ? "" : profile["status"].dump();
  }));
  for (const ObjectName& object : RenderedFor("paused")) {
    EXPECT_FALSE(cluster_.Get(object.kind, object.name, object.ns).is_null()) << object.kind;
  }
  PatchSpec("paused", {{"suspend", false}});
  EXPECT_TRUE(replicas_become(1));
  EXPECT_TRUE(EventuallyHas("paused", "Ready", "False", "NoReadyScheduler"));
  EXPECT_TRUE(Condition(Profile("paused"), "Suspended").empty());
}

TEST_F(Rendering, DisruptionBudgetExistsOnlyWithReplicas) {
  CreateProfile("replicas", {{"deployment", {{"replicas", 2}}}});
  const auto budget = [&] {
    return cluster_.Get("poddisruptionbudget", "berth-replicas", kNamespace);
  };
  EXPECT_TRUE(Eventually("the budget", seconds(2),
                         [&]() -> std::string { return budget().is_null() ? "missing" : ""; }));
  PatchSpec("replicas", {{"deployment", {{"replicas", 1}}}});
  EXPECT_TRUE(Eventually("no budget", seconds(2),
                         [&]() -> std::string { return budget().is_null() ? "" : "there"; }));
}

TEST_F(Rendering, DeletingTheProfileDeletesItsObjects) {
  CreateProfile("gone");
  SchedulerProcess scheduler(cluster_, "gone");
  EXPECT_TRUE(EventuallyApplied("gone"));
  EXPECT_EQ(scheduler.process().Stop(), 0);

  const std::vector<ObjectName> objects = RenderedFor("gone");
  cluster_.Delete("sprof", "gone");
  EXPECT_TRUE(Eventually("removal", kGarbageCollection, [&]() -> std::string {
    for (const ObjectName& object : objects) {
      if (!cluster_.Get(object.kind, object.name, object.ns).is_null()) {
        return object.kind + " is left";
      }
    }
    return "";
  }));
  EXPECT_TRUE(cluster_.List("clusterrolebinding", "", "berth.dev/profile=gone").empty());
  EXPECT_TRUE(Always("nothing comes back", seconds(1), [&]() -> std::string {
    return cluster_.Get("configmap", "berth-gone", kNamespace).is_null() ? "" : "ConfigMap is back";
  }));
}

TEST_F(Rendering, LeaseIsDeletedWithTheProfileWithoutAnOperator) {
  CreateProfile("abandoned");
  SchedulerProcess scheduler(cluster_, "abandoned");
  EXPECT_TRUE(EventuallyApplied("abandoned"));
  EXPECT_EQ(scheduler.process().Stop(), 0);
  EXPECT_EQ(cluster_.StopOperator(), 0) << cluster_.operator_process().Output();
  cluster_.Delete("sprof", "abandoned");
  EXPECT_TRUE(Eventually("removal", kGarbageCollection, [&]() -> std::string {
    return cluster_.Get("lease", "berth-abandoned", kNamespace).is_null() ? "" : "Lease is left";
  }));
  cluster_.StartOperator();
  CreateProfile("successor");  // waits until the operator reconciles
}

TEST_F(Rendering, RestartedOperatorCorrectsDrift) {
  CreateProfile("restart");
  EXPECT_EQ(cluster_.StopOperator(), 0) << cluster_.operator_process().Output();
  cluster_.Patch("deployment", "berth-restart", kNamespace, {{"spec", {{"replicas", 4}}}});
  cluster_.Delete("service", "berth-restart", kNamespace);
  cluster_.StartOperator();
  EXPECT_TRUE(Eventually("repair", seconds(10), [&]() -> std::string {
    if (cluster_.Get("service", "berth-restart", kNamespace).is_null()) return "no Service";
    const Json now = At(cluster_.Get("deployment", "berth-restart", kNamespace), "/spec/replicas");
    return now == 1 ? "" : "replicas are " + now.dump();
  }));
}

}  // namespace
}  // namespace berth::integration
