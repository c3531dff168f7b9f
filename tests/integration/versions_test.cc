// SPDX-License-Identifier: Apache-2.0
// Differences between the releases of Kubernetes that Berth supports. `make test-versions` runs
// these tests, and other tests of this program, on each release.
#include <algorithm>
#include <fstream>

#include "api/kubernetes_version.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "controllers/kube_scheduler_release.h"
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

class Versions : public ProfileTest {
 protected:
  // Marks pods ready, like a kubelet, until the profile is Ready for its generation.
  testing::AssertionResult MakeReady(const std::string& profile) {
    return Eventually(profile + " to be Ready", seconds(30), [&]() -> std::string {
      cluster_.MarkPodsReady(kNamespace, "berth.dev/profile=" + profile);
      const Json object = Profile(profile);
      const Json ready = Condition(object, "Ready");
      const bool is_current =
          At(ready, "/observedGeneration") == At(object, "/metadata/generation");
      return is_current && ready.value("status", "") == "True"
                 ? ""
                 : At(object, "/status/conditions").dump();
    });
  }

  const api::KubernetesVersion server_ = cluster_.control_plane().Version();
};

TEST_F(Versions, AcceptsTheWholeManifest) {
  const Json kind = cluster_.Get("customresourcedefinition", "schedulerprofiles.berth.dev");
  for (const Json& condition : At(kind, "/status/conditions")) {
    const std::string type = condition.value("type", "");
    const bool is_good = type == "Established" || type == "NamesAccepted";
    EXPECT_EQ(condition.value("status", ""), is_good ? "True" : "False") << condition;
  }
  const std::string manifest = ReadFile(SourceFile("deploy/install.yaml").string()).value_or("");
  for (const std::string& text : Must("install.yaml", yaml::DocumentsToJson(manifest))) {
    const Json object = Json::parse(text);
    if (object["kind"] == "CustomResourceDefinition") {
      // An API server drops fields that it does not know.
      EXPECT_EQ(At(object, "/spec/versions/0/schema"), At(kind, "/spec/versions/0/schema"));
      EXPECT_EQ(At(object, "/spec/versions/0/selectableFields"),
                At(kind, "/spec/versions/0/selectableFields"));
    }
    // The controller manager type-checks expressions.
    const bool is_checked = cluster_.control_plane().IsReal();
    if (object["kind"] != "ValidatingAdmissionPolicy" || !is_checked) continue;
    const std::string name = object["metadata"]["name"];
    EXPECT_TRUE(
        Eventually("policy " + name + " to be type-checked", seconds(15), [&]() -> std::string {
          const Json policy = cluster_.Get("validatingadmissionpolicy", name);
          if (At(policy, "/status/observedGeneration").is_null()) return "not yet";
          const Json warnings = At(policy, "/status/typeChecking/expressionWarnings");
          return warnings.is_null() ? "" : warnings.dump();
        }));
  }
}

TEST_F(Versions, PlacesAndRejectsPodsAndTogglesAPlugin) {
  CreateProfile("release");
  AddNode("release-1", "4");
  SchedulerProcess scheduler(cluster_, "release");
  EXPECT_TRUE(MakeReady("release")) << scheduler.Output();
  AddPod("release-small", "release", "1");
  EXPECT_TRUE(EventuallyBound("release-small", "release-1")) << scheduler.Output();
  AddPod("release-large", "release", "100");
  EXPECT_TRUE(EventuallyRejected(
      "release-large",
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 "
      "Preemption is not helpful for scheduling."));
  PatchSpec("release",
            {{"plugins", {{"filter", {{"disabled", {{{"name", "NodeResourcesFit"}}}}}}}}});
  EXPECT_TRUE(EventuallyApplied("release"));
  EXPECT_TRUE(EventuallyBound("release-large", "release-1"));
  EXPECT_TRUE(scheduler.process().IsRunning()) << "the plugin is toggled without a restart";
  EXPECT_TRUE(MakeReady("release"));
  EXPECT_EQ(scheduler.process().Stop(), 0);
  EXPECT_EQ(scheduler.Output().find("orbidden"), std::string::npos) << scheduler.Output();
}

TEST_F(Versions, DeletedProfileLeavesNoObjects) {
  CreateProfile("gone");
  EXPECT_TRUE(Eventually("a pod", seconds(15), [&]() -> std::string {
    return cluster_.List("pod", kNamespace, "berth.dev/profile=gone").empty() ? "none" : "";
  }));
  cluster_.Delete("sprof", "gone");
  for (const char* kind :
       {"deployment", "replicaset", "pod", "configmap", "service", "serviceaccount", "lease",
        "role", "rolebinding", "networkpolicy", "clusterrolebinding"}) {
    const std::string ns = std::string(kind) == "clusterrolebinding" ? "" : kNamespace;
    EXPECT_TRUE(Eventually("no " + std::string(kind), kGarbageCollection, [&]() -> std::string {
      const Json left = cluster_.List(kind, ns, "berth.dev/profile=gone");
      return left.empty() ? "" : At(left, "/0/metadata").dump();
    }));
  }
}

TEST_F(Versions, CelRulesAreAcceptedFromTheDocumentedRelease) {
  const std::string text = ReadFile("tests/cel/releases.yaml").value_or("");
  const Json releases = Json::parse(Must("releases.yaml", yaml::ToJson(text)));
  Json schema = releases["schema"];
  schema["properties"]["name"]["maxLength"] = 20;
  schema["properties"]["namespace"]["maxLength"] = 20;
  for (const Json& row : releases["rules"]) {
    schema["x-kubernetes-validations"] = {{{"rule", row["rule"]}}};
    const Json root = {{"type", "object"}, {"properties", {{"spec", schema}}}};
    const Json version = {{"name", "v1"},
                          {"served", true},
                          {"storage", true},
                          {"schema", {{"openAPIV3Schema", root}}}};
    const ApiAnswer answer = cluster_.control_plane().api().Send(
        "POST", ApiAccess::PathOf("customresourcedefinition", "", "") + "?dryRun=All",
        {{"apiVersion", "apiextensions.k8s.io/v1"},
         {"kind", "CustomResourceDefinition"},
         {"metadata", {{"name", "rules.example.com"}}},
         {"spec",
          {{"group", "example.com"},
           {"scope", "Cluster"},
           {"names", {{"plural", "rules"}, {"singular", "rule"}, {"kind", "Rule"}}},
           {"versions", {version}}}}});
    const bool is_accepted = server_.minor >= row["acceptedFrom"].get<unsigned>();
    EXPECT_EQ(answer.code, is_accepted ? 201 : 422) << row << "\n" << answer.body;
    if (is_accepted) continue;
    EXPECT_NE(answer.body.find(row["error"].get<std::string>()), std::string::npos) << answer.body;
  }
}

TEST_F(Versions, DefaultKubeSchedulerHasTheApiServersMinor) {
  CreateProfile("stock", {{"engine", {{"type", "KubeScheduler"}}}});
  const Json deployment = cluster_.Get("deployment", "berth-stock", kNamespace);
  EXPECT_EQ(At(deployment, "/spec/template/spec/containers/0/image"),
            controllers::KubeSchedulerImageFor(server_).value_or("none"));
}

// Settings for a kube-scheduler that some supported release does not know.
const char* const kSpecs[] = {
    "plugins: {multiPoint: {enabled: [{name: NodeDeclaredFeatures}]}}",
    "plugins: {filter: {disabled: [{name: NodeDeclaredFeatures}]}}",
    "plugins: {preEnqueue: {enabled: [{name: DefaultPreemption}]}}",
    "plugins: {score: {enabled: [{name: DynamicResources}]}}",
    "plugins: {filter: {enabled: [{name: DynamicResources}]}}",
    "plugins: {placementScore: {disabled: [{name: '*'}]}}",
    "plugins: {podGroupPostFilter: {disabled: [{name: '*'}]}}",
    "pluginConfig: [{name: DynamicResources, args: {filterTimeout: 5s}}]",
    "pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 5s}}]",
    "pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]",
    "{percentageOfNodesToScore: 50, podInitialBackoffSeconds: 2, podMaxBackoffSeconds: 20}",
};

// KubeSchedulerProcessVersions needs the real program, see engines_test.cc.
class KubeSchedulerProcessVersions : public Versions {
 protected:
  void SetUp() override {
    if (!cluster_.control_plane().IsReal()) {
      GTEST_SKIP() << "sandbox/ does not serve all requests of a kube-scheduler";
    }
  }
};

TEST_F(KubeSchedulerProcessVersions, ExitsAtStartForExactlyTheRejectedSpecs) {
  for (size_t i = 0; i < std::size(kSpecs); ++i) {
    SCOPED_TRACE(kSpecs[i]);
    Json spec = Json::parse(Must("spec", yaml::ToJson(kSpecs[i])));
    spec["engine"] = {{"type", "KubeScheduler"}};
    const auto decoded =
        Must("spec", json::Decode<crds::SchedulerProfileSpec>(spec.dump(), json::Mode::kStrict));
    const bool is_rejected =
        !controllers::ChooseKubeScheduler(decoded, "", server_).rejections.empty();

    // The operator does not validate a custom image, and the real program runs instead.
    const std::string name = "asks-" + std::to_string(i);
    spec["engine"]["image"] = "example.com/kube-scheduler:own";
    CreateProfile(name, spec);
    SchedulerProcess scheduler(cluster_, name);
    bool is_healthy = false;
    EXPECT_TRUE(Eventually("the kube-scheduler to be healthy or to end", seconds(30), [&] {
      is_healthy = scheduler.IsLive();
      return is_healthy || !scheduler.process().IsRunning() ? "" : "neither yet";
    }));
    EXPECT_EQ(is_healthy, !is_rejected) << scheduler.Output();

    if (!is_rejected) continue;
    PatchSpec(name, {{"engine", {{"image", ""}}}});
    EXPECT_TRUE(EventuallyHas(name, "Stalled", "True", "PluginNotServed"));
  }
}

}  // namespace
}  // namespace berth::integration
