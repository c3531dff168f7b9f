// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/cluster.h"

#include <fstream>
#include <stdexcept>
#include <utility>

#include "base/file.h"
#include "base/yaml/yaml.h"

namespace berth::integration {
namespace {

constexpr std::chrono::seconds kInstallLimit{30};

// InstallEnvironment holds the one cluster for as long as tests run.
class InstallEnvironment final : public testing::Environment {
 public:
  void SetUp() override { cluster = std::make_unique<Cluster>(); }
  void TearDown() override {
    if (cluster) {
      EXPECT_EQ(cluster->StopOperator(), 0) << cluster->operator_process().Output();
      cluster->JudgeStatuses();
    }
    cluster.reset();
  }

  static inline std::unique_ptr<Cluster> cluster;
};

[[maybe_unused]] const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new InstallEnvironment);  // GoogleTest owns it

std::string Line(const Arguments& arguments) {
  std::string line = "kubectl";
  for (const std::string& argument : arguments) line += " " + argument;
  return line;
}

}  // namespace

Cluster::Cluster() : Cluster(ControlPlane::Start()) {}

Cluster::Cluster(std::unique_ptr<ControlPlane> control_plane)
    : Objects(control_plane->api()), control_plane_(std::move(control_plane)) {
  Install();
  statuses_ = std::make_unique<StatusWatch>(control_plane_->admin_kubeconfig());
  StartOperator();
}

Cluster& Cluster::Instance() { return *InstallEnvironment::cluster; }

// Install sends what `kubectl apply --server-side -f deploy/install.yaml` does, so that kubectl
// need not be there.
void Cluster::Install() {
  const std::string manifest =
      Must("install", ReadFile(SourceFile("deploy/install.yaml").string()));
  for (const std::string& text : Must("install", yaml::DocumentsToJson(manifest))) {
    const Json object = Json::parse(text);
    const ApiAnswer answer = control_plane_->api().Apply(object);
    if (answer.code != 200 && answer.code != 201) {
      throw std::runtime_error("install " + object.value("kind", "") + ": " + answer.body);
    }
  }
  const auto ready = Eventually("the kind and the account", kInstallLimit, [this]() -> std::string {
    const Json kind = Get("customresourcedefinition", "schedulerprofiles.berth.dev");
    if (Condition(kind, "Established").value("status", "") != "True") return "no SchedulerProfiles";
    // Pods are refused until the account that they run under is made.
    return Get("serviceaccount", "default", "default").is_null() ? "no ServiceAccount" : "";
  });
  if (!ready) throw std::runtime_error(ready.message());
}

void Cluster::StartOperator() {
  const auto kubeconfig = KubeconfigOf(kNamespace, "berth-operator");
  const std::string log = "operator-" + std::to_string(++operator_runs_) + ".log";
  operator_ = std::make_unique<Process>(
      Arguments{BerthBinary(), "operator", "--kubeconfig", kubeconfig, "--metrics-bind-address=0",
                "--health-probe-bind-address=0", "--allowed-images=example.com/*",
                "--allowed-cluster-roles=boundary-reader"},
      control_plane_->folder() / log);
}

std::optional<int> Cluster::StopOperator() { return operator_->Stop(); }

ProcessOutcome Cluster::Kubectl(const Arguments& arguments, const std::string& input) {
  ProcessOutcome outcome = control_plane_->Kubectl(arguments, input);
  if (outcome.exit_code != 0) ADD_FAILURE() << Line(arguments) << ": " << outcome.err;
  return outcome;
}

std::filesystem::path Cluster::KubeconfigOf(const std::string& ns,
                                            const std::string& service_account) {
  std::filesystem::path path =
      control_plane_->folder() / (ns + "." + service_account + ".kubeconfig");
  const ProcessOutcome outcome =
      Run({BerthBinary(), "kubeconfig", "--kubeconfig", control_plane_->admin_kubeconfig(),
           "--service-account", ns + "/" + service_account, "--output", path});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return path;
}

void Cluster::AddNode(const std::string& name, const std::string& cpu, const Json& labels) {
  Json all = {{"kubernetes.io/hostname", name}};
  all.update(labels);
  const Json room = {{"cpu", cpu}, {"memory", "32Gi"}, {"pods", "110"}};
  const Json ready = {{"type", "Ready"}, {"status", "True"}, {"reason", "KubeletReady"}};
  Create("node", "",
         {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", {{"name", name}, {"labels", all}}},
          {"status",
           {{"capacity", room}, {"allocatable", room}, {"conditions", Json::array({ready})}}}});
}

void Cluster::AddPod(const std::string& name, const std::string& scheduler, const std::string& cpu,
                     const Json& spec) {
  const Json container = {{"name", "c"},
                          {"image", "registry.k8s.io/pause:3.10"},
                          {"resources", {{"requests", {{"cpu", cpu}}}}}};
  Json pod = {{"apiVersion", "v1"},
              {"kind", "Pod"},
              {"metadata", {{"name", name}, {"namespace", "default"}}},
              {"spec", {{"schedulerName", scheduler}, {"containers", Json::array({container})}}}};
  pod["spec"].update(spec);
  Create("pod", "default", pod);
}

std::string Cluster::NodeOf(const std::string& pod) {
  return TextAt(Get("pod", pod, "default"), "/spec/nodeName");
}

void Cluster::MarkPodsReady(const std::string& ns, const std::string& selector) {
  const Json ready = {{"type", "Ready"}, {"status", "True"}};
  for (const Json& pod : List("pod", ns, selector)) {
    Patch("pod", pod["metadata"]["name"], ns,
          {{"status", {{"phase", "Running"}, {"conditions", Json::array({ready})}}}}, "status");
  }
}

SchedulerProcess::SchedulerProcess(Cluster& cluster, const std::string& profile,
                                   const std::map<std::string, std::string>& files) {
  const std::string name = "berth-" + profile;
  const ControlPlane& plane = cluster.control_plane();
  const auto folder = plane.folder() / name;
  std::filesystem::create_directories(folder);
  const Json data = At(cluster.Get("configmap", name, kNamespace), "/data");
  for (const auto& [key, text] : data.items()) {
    std::ofstream(folder / key) << text.get<std::string>();
  }
  for (const auto& [key, text] : files) std::ofstream(folder / key) << text;
  const auto kubeconfig = cluster.KubeconfigOf(kNamespace, name);
  process_ = std::make_unique<Process>(
      Arguments{BerthBinary(), "scheduler", "--config", folder / "scheduler-config.yaml",
                "--config-map", std::string(kNamespace) + "/" + name, "--kubeconfig", kubeconfig,
                "--secure-port", "0"},
      folder / "scheduler.log");
}

}  // namespace berth::integration
