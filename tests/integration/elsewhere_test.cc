// SPDX-License-Identifier: Apache-2.0
// Berth in another namespace, from another registry, installed as described in deploy/README.md.
#include <fstream>

#include "tests/integration/harness/cluster.h"
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr const char* kElsewhere = "schedulers";
constexpr const char* kImage =
    "registry.example.com:5000/mirror/berth"
    "@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
constexpr seconds kLimit{60};  // kube-controller-manager has just started

// All kinds of objects that an installation or a profile may create, by their kubectl names.
constexpr const char* kKinds =
    "namespaces,customresourcedefinitions,validatingadmissionpolicies,"
    "validatingadmissionpolicybindings,clusterroles,clusterrolebindings,roles,rolebindings,"
    "serviceaccounts,resourcequotas,configmaps,services,networkpolicies,poddisruptionbudgets,"
    "leases,"
    "deployments,replicasets,pods,schedulerprofiles";

// Uses its own control plane, because a cluster can have only one installation.
class Elsewhere : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_KUBECTL();
    plane_ = ControlPlane::Start();
  }

  void TearDown() override {
    if (HasFailure() && operator_) std::cout << operator_->Output();
  }

  // Returns the output of kubectl; the test fails if kubectl fails.
  std::string Kubectl(const Arguments& arguments, const std::string& input = {}) {
    const ProcessOutcome outcome = plane_->Kubectl(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }

  void Kustomize(const std::string& name, const std::string& kustomization) {
    const auto folder = plane_->folder() / name;
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(SourceFile("deploy/managed-namespace.yaml"),
                               folder / "managed-namespace.yaml");
    std::ofstream(folder / "kustomization.yaml") << kustomization;
    Kubectl({"apply", "--server-side", "-k", folder});
  }

  Json List(const std::string& kind, const std::string& ns, const std::string& component) {
    const ApiAnswer answer =
        plane_->api().Send("GET", ApiAccess::PathOf(kind, "", ns) +
                                      "?labelSelector=app.kubernetes.io/component=" + component);
    return answer.code == 200 ? Json::parse(answer.body).at("items") : Json::array();
  }

  // Returns the pods of a Deployment once its controller has created them, so they were admitted.
  Json EventuallyPod(const std::string& ns, const std::string& component) {
    Json pods;
    EXPECT_TRUE(Eventually("a pod of " + component + " in " + ns, kLimit, [&]() -> std::string {
      pods = List("pod", ns, component);
      if (!pods.empty()) return "";
      std::string failure = "none; ReplicaSets:";
      for (const Json& set : List("deployment", ns, component)) {
        failure += At(set, "/status/conditions").dump();
      }
      return failure;
    }));
    return pods.empty() ? Json() : pods[0];
  }

  // Checks that the quotas of an installation protect other namespaces.
  void ExpectCriticalPodsAreRejectedIn(const std::string& ns) {
    const Json container = {{"name", "c"}, {"image", "registry.k8s.io/pause:3.10"}};
    const ApiAnswer answer = plane_->api().Send(
        "POST", ApiAccess::PathOf("pod", "", ns),
        {{"apiVersion", "v1"},
         {"kind", "Pod"},
         {"metadata", {{"name", "critical"}}},
         {"spec",
          {{"priorityClassName", "system-cluster-critical"}, {"containers", {container}}}}});
    EXPECT_NE(answer.body.find("insufficient quota to match these scopes"), std::string::npos)
        << answer.body;
  }

  // Starts the operator while the API server is down, and ends the outage once the operator has
  // noticed it.
  void StartOperator(const std::string& pod) {
    const auto kubeconfig = plane_->KubeconfigOf(kElsewhere, "berth-operator");
    plane_->BeginOutage();
    operator_ = std::make_unique<Process>(
        Arguments{BerthBinary(), "operator", "--leader-elect", "--kubeconfig", kubeconfig,
                  "--metrics-bind-address=0", "--health-probe-bind-address=0",
                  std::string("--allowed-namespaces=team,") + kElsewhere},
        plane_->folder() / "operator.log",
        Variables{{"POD_NAME", pod}, {"POD_NAMESPACE", kElsewhere}});
    EXPECT_TRUE(Eventually("a log message about the outage", kLimit, [&] {
      const bool says = operator_->Output().find("Lost the API server") != std::string::npos;
      return says ? std::string() : operator_->Output();
    }));
    plane_->EndOutage();
    EXPECT_TRUE(operator_->IsRunning());
  }

  std::unique_ptr<ControlPlane> plane_;
  std::unique_ptr<Process> operator_;
};

TEST_F(Elsewhere, InstallationUsesItsOwnNamespaceAndImage) {
  const std::string deploy = std::filesystem::relative(
      SourceFile("deploy"), std::filesystem::canonical(plane_->folder()) / "elsewhere");
  Kustomize("elsewhere", "resources: [" + deploy + "]\nnamespace: " + kElsewhere +
                             "\nimages: [{name: berth, newName: "
                             "'registry.example.com:5000/mirror/berth', digest: '" +
                             std::string(kImage).substr(std::string(kImage).find('@') + 1) +
                             "'}]\n");
  Kubectl(
      {"wait", "--for=condition=Established", "--timeout=30s", "crd/schedulerprofiles.berth.dev"});
  const Json manager = EventuallyPod(kElsewhere, "operator");
  EXPECT_EQ(At(manager, "/spec/containers/0/image"), kImage);
  EXPECT_EQ(At(manager, "/spec/securityContext/runAsUser"), Json());
  StartOperator(At(manager, "/metadata/name"));

  Kubectl({"create", "-f", "-"}, ManifestOf("here", Json::object()));
  const Json scheduler = EventuallyPod(kElsewhere, "scheduler");
  EXPECT_EQ(At(scheduler, "/metadata/labels/berth.dev~1profile"), "here");
  EXPECT_EQ(At(scheduler, "/spec/containers/0/image"), kImage);
  EXPECT_EQ(At(scheduler, "/spec/securityContext/runAsUser"), Json());

  Kubectl({"create", "namespace", "team"});
  Kustomize("team",
            "resources: [managed-namespace.yaml]\nnamespace: team\npatches:\n"
            "- target: {kind: RoleBinding, name: berth-operator}\n  patch: |\n"
            "    - {op: replace, path: /subjects/0/namespace, value: " +
                std::string(kElsewhere) + "}\n");
  Kubectl({"create", "-f", "-"}, ManifestOf("there", {{"namespace", "team"}}));
  EXPECT_EQ(At(EventuallyPod("team", "scheduler"), "/spec/containers/0/image"), kImage);

  if (plane_->IsReal()) ExpectCriticalPodsAreRejectedIn("default");
  EXPECT_NE(Kubectl({"get", "lease", "berth-operator", "-n", kElsewhere, "-o",
                     "jsonpath={.spec.holderIdentity}"}),
            "");
  const std::string all = Kubectl({"get", kKinds, "-A", "-o", "yaml"});
  EXPECT_EQ(all.find("berth-system"), std::string::npos)
      << all.substr(all.find("berth-system") - 500, 1000);
  EXPECT_EQ(operator_->Stop(), 0) << operator_->Output();
}

}  // namespace
}  // namespace berth::integration
