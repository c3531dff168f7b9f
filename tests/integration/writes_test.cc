// SPDX-License-Identifier: Apache-2.0
// Writes of the operator while another client writes the same objects, or admission rejects them.
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr seconds kRepairedWithin{2};

class Writes : public ProfileTest {
 protected:
  Json Replicas(const std::string& profile) {
    return At(cluster_.Get("deployment", "berth-" + profile, kNamespace), "/spec/replicas");
  }

  void Annotate(const std::string& profile, const Json& paused) {
    cluster_.Patch("sprof", profile, "",
                   {{"metadata", {{"annotations", {{"berth.dev/paused", paused}}}}}});
  }

  testing::AssertionResult EventuallyWarns(const std::string& profile, const std::string& text) {
    return Eventually("a warning with \"" + text + "\"", seconds(10), [&]() -> std::string {
      const std::string warnings = At(Profile(profile), "/status/warnings").dump();
      return warnings.find(text) == std::string::npos ? warnings : "";
    });
  }
};

TEST_F(Writes, KeepsManualChangesOfAPausedProfile) {
  CreateProfile("paused");
  Annotate("paused", "true");
  EXPECT_TRUE(EventuallyHas("paused", "Paused", "True", "Paused"));
  cluster_.Patch("deployment", "berth-paused", kNamespace, {{"spec", {{"replicas", 0}}}});
  cluster_.Delete("service", "berth-paused", kNamespace);
  EXPECT_TRUE(Always("left alone", seconds(3), [&]() -> std::string {
    if (Replicas("paused") != 0) return Replicas("paused").dump() + " replicas";
    return cluster_.Get("service", "berth-paused", kNamespace).is_null() ? "" : "a new Service";
  }));
  const Json profile = Profile("paused");
  EXPECT_TRUE(Condition(profile, "Reconciling").empty()) << profile.dump(1);
  EXPECT_TRUE(Condition(profile, "Ready").empty()) << profile.dump(1);

  Annotate("paused", nullptr);
  EXPECT_TRUE(Eventually("repaired", kRepairedWithin, [&]() -> std::string {
    if (Replicas("paused") != 1) return Replicas("paused").dump() + " replicas";
    return cluster_.Get("service", "berth-paused", kNamespace).is_null() ? "no Service" : "";
  }));
  EXPECT_TRUE(EventuallyHas("paused", "Ready", "False", "NoReadyScheduler"));
}

TEST_F(Writes, ReportsAFieldManagerThatKeepsChangingAField) {
  CreateProfile("contested");
  const auto scale = [&] {
    cluster_.Patch("deployment", "berth-contested", kNamespace, {{"spec", {{"replicas", 7}}}});
  };
  for (int i = 0; i < 5; ++i) {
    scale();
    ASSERT_TRUE(Eventually("repaired", kRepairedWithin, [&]() -> std::string {
      return Replicas("contested") == 1 ? "" : "not yet";
    }));
  }
  scale();
  EXPECT_TRUE(EventuallyWarns("contested",
                              "spec.replicas of Deployment berth-system/berth-contested is changed "
                              "again and again by field "
                              "manager "));
  EXPECT_TRUE(EventuallyHas("contested", "Reconciling", "True", "Contested"));
  EXPECT_EQ(Replicas("contested"), 7);
}

TEST_F(Writes, DoesNotReportServerDefaultsAsAdmissionDrift) {
  CreateProfile("as-written");
  EXPECT_TRUE(EventuallyHas("as-written", "Valid", "True", "Valid"));
  EXPECT_EQ(At(Profile("as-written"), "/status/warnings").dump().find("admission"),
            std::string::npos);
}

// Features that sandbox/apiserver does not serve.
class RealControlPlane : public Writes {
 protected:
  void SetUp() override {
    if (!cluster_.control_plane().IsReal()) GTEST_SKIP() << "needs a real control plane";
  }
};

TEST_F(RealControlPlane, ReportsPolicyMutationsWithoutRevertingThem) {
  cluster_.Kubectl({"apply", "-f", "-"}, R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: mirror}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
  matchConditions: [{name: one, expression: "object.metadata.name == 'berth-mirrored'"}]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >-
        [JSONPatch{op: "replace", path: "/spec/template/spec/containers/0/image", value: "mirror/berth"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: mirror}
spec: {policyName: mirror}
)");
  // The API server enforces the policy some time after its creation.
  ASSERT_TRUE(Eventually("the policy works", seconds(30), [&]() -> std::string {
    const std::string image = cluster_
                                  .Kubectl({"create", "deployment", "berth-mirrored", "--image=x",
                                            "-n", kNamespace, "--dry-run=server", "-o",
                                            "jsonpath={.spec.template.spec.containers[0].image}"})
                                  .out;
    return image == "mirror/berth" ? "" : image;
  }));
  CreateProfile("mirrored");
  EXPECT_TRUE(EventuallyWarns("mirrored",
                              "admission changes spec.template.spec.containers[0].image of "
                              "Deployment berth-system/berth-mirrored to \\\"mirror/berth\\\" "
                              "(registered for it: policy mirror)"));
  const auto version = [&] {
    return At(cluster_.Get("deployment", "berth-mirrored", kNamespace), "/metadata/generation");
  };
  const Json before = version();
  cluster_.Patch("deployment", "berth-mirrored", kNamespace,
                 {{"metadata", {{"labels", {{"example.com/note", "x"}}}}}});
  EXPECT_TRUE(Always("no fight", seconds(3),
                     [&]() -> std::string { return version() == before ? "" : version().dump(); }));
  EXPECT_EQ(cluster_.List("event", "default").dump().find("image was changed"), std::string::npos)
      << "no DriftRepaired event without a repair";
  cluster_.Kubectl({"delete", "mutatingadmissionpolicybinding,mutatingadmissionpolicy", "mirror"});
}

TEST_F(RealControlPlane, KeepsFieldsThatAPolicyAddsAndRemovesOthers) {
  cluster_.Kubectl({"apply", "-f", "-"}, R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: delay}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
  matchConditions: [{name: one, expression: "object.metadata.name == 'berth-delayed'"}]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >-
        [JSONPatch{op: "add", path: "/spec/minReadySeconds", value: 7}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: delay}
spec: {policyName: delay}
)");
  ASSERT_TRUE(Eventually("the policy works", seconds(30), [&]() -> std::string {
    const std::string added =
        cluster_
            .Kubectl({"create", "deployment", "berth-delayed", "--image=x", "-n", kNamespace,
                      "--dry-run=server", "-o", "jsonpath={.spec.minReadySeconds}"})
            .out;
    return added == "7" ? "" : "found " + added;
  }));
  CreateProfile("delayed");
  const std::string warning =
      "admission adds spec.minReadySeconds to Deployment berth-system/berth-delayed: 7";
  EXPECT_TRUE(EventuallyWarns("delayed", warning));
  const auto deployment = [&] { return cluster_.Get("deployment", "berth-delayed", kNamespace); };
  cluster_.Patch("deployment", "berth-delayed", kNamespace,
                 {{"spec", {{"template", {{"spec", {{"hostPID", true}}}}}}}});
  EXPECT_TRUE(Eventually("repaired", kRepairedWithin, [&]() -> std::string {
    return At(deployment(), "/spec/template/spec/hostPID").is_null() ? "" : "not yet";
  }));
  EXPECT_EQ(At(deployment(), "/spec/minReadySeconds"), 7);

  // A restarted operator learns the policy's fields by a write that changes nothing.
  const Json before = At(deployment(), "/metadata/generation");
  EXPECT_EQ(cluster_.StopOperator(), 0) << cluster_.operator_process().Output();
  cluster_.StartOperator();
  EXPECT_TRUE(Always("no change", seconds(3), [&]() -> std::string {
    const Json now = At(deployment(), "/metadata/generation");
    return now == before ? "" : now.dump();
  }));
  EXPECT_TRUE(EventuallyWarns("delayed", warning));
  EXPECT_EQ(At(deployment(), "/spec/minReadySeconds"), 7);
  cluster_.Kubectl({"delete", "mutatingadmissionpolicybinding,mutatingadmissionpolicy", "delay"});
}

TEST_F(RealControlPlane, ExceededQuotaHasItsOwnReason) {
  cluster_.Kubectl(
      {"create", "quota", "none", "-n", kNamespace, "--hard=count/poddisruptionbudgets.policy=0"});
  EXPECT_TRUE(Eventually("the quota is known", seconds(20), [&]() -> std::string {
    return cluster_.Kubectl(
                       {"get", "quota", "none", "-n", kNamespace, "-o", "jsonpath={.status.hard}"})
                   .out.empty()
               ? "not yet"
               : "";
  }));
  CreateProfile("over-quota", {{"deployment", {{"replicas", 2}}}});
  EXPECT_TRUE(EventuallyHas("over-quota", "Reconciling", "True", "QuotaExceeded"));
  cluster_.Kubectl({"delete", "quota", "none", "-n", kNamespace});
}

}  // namespace
}  // namespace berth::integration
