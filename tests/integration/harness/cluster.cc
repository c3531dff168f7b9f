// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/cluster.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "base/file.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"

namespace berth::integration {
namespace {

constexpr std::chrono::seconds kInstallLimit{30};
constexpr const char* kManifest = "deploy/install.yaml";
constexpr const char* kInstallVariable = "BERTH_TEST_INSTALL";

// InstallEnvironment holds the only cluster while tests run.
class InstallEnvironment final : public testing::Environment {
 public:
  void SetUp() override { cluster = std::make_unique<Cluster>(); }
  void TearDown() override {
    if (cluster) {
      EXPECT_EQ(cluster->StopOperator(), 0) << cluster->operator_process().Output();
      cluster->JudgeStatuses();
      cluster->Uninstall();
    }
    cluster.reset();
  }

  static inline std::unique_ptr<Cluster> cluster;
};

[[maybe_unused]] const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new InstallEnvironment);  // GoogleTest owns it

}  // namespace

Cluster::Cluster() : Cluster(ControlPlane::Start()) {}

Cluster::Cluster(std::unique_ptr<ControlPlane> control_plane)
    : Objects(control_plane->api()), control_plane_(std::move(control_plane)) {
  Install();
  statuses_ = std::make_unique<StatusWatch>(control_plane_->admin_kubeconfig());
  StartOperator();
}

Cluster& Cluster::Instance() { return *InstallEnvironment::cluster; }

void Cluster::ApplyFile(const std::string& path) {
  const std::string manifest = Must(path, ReadFile(SourceFile(path).string()));
  for (const std::string& text : Must(path, yaml::DocumentsToJson(manifest))) {
    const Json object = Json::parse(text);
    const ApiAnswer answer = control_plane_->api().Apply(object);
    if (answer.code != 200 && answer.code != 201) {
      throw std::runtime_error(path + ": " + object.value("kind", "") + ": " + answer.body);
    }
  }
}

void Cluster::ApplyWithKubectl(const std::string& way) {
  Arguments arguments = {"apply", "-f", SourceFile(kManifest)};
  if (way == "server-side") {
    arguments.insert(arguments.begin() + 1, "--server-side");
  } else if (way != "client-side") {
    throw std::runtime_error("BERTH_TEST_INSTALL is \"" + way +
                             "\"; allowed: client-side, server-side");
  }
  const ProcessOutcome outcome = control_plane_->Kubectl(arguments);
  if (outcome.exit_code != 0 || !outcome.err.empty()) {
    throw std::runtime_error("kubectl apply ends with " + std::to_string(outcome.exit_code) +
                             ":\n" + outcome.err);
  }
}

void Cluster::Uninstall() {
  if (std::getenv(kInstallVariable) == nullptr) return;
  Kubectl({"delete", "-f", SourceFile(kManifest), "--timeout=120s"});
  const std::string manifest = Must(kManifest, ReadFile(SourceFile(kManifest).string()));
  for (const std::string& text : Must(kManifest, yaml::DocumentsToJson(manifest))) {
    const Json object = Json::parse(text);
    const Json& metadata = object["metadata"];
    const std::string path =
        ApiAccess::PathOf(ToLower(object.value("kind", "")), metadata.value("name", ""),
                          metadata.value("namespace", ""));
    EXPECT_EQ(control_plane_->api().Send("GET", path).code, 404) << path;
  }
}

void Cluster::Install() {
  const char* const way = std::getenv(kInstallVariable);
  if (way != nullptr) {
    ApplyWithKubectl(way);
  } else {
    ApplyFile(kManifest);
  }
  const auto ready = Eventually("the kind and the account", kInstallLimit, [this]() -> std::string {
    const Json kind = Get("customresourcedefinition", "schedulerprofiles.berth.dev");
    if (Condition(kind, "Established").value("status", "") != "True") return "no SchedulerProfiles";
    // Pods are rejected until their ServiceAccount exists.
    return Get("serviceaccount", "default", "default").is_null() ? "no ServiceAccount" : "";
  });
  if (!ready) throw std::runtime_error(ready.message());
}

void Cluster::StartOperator() {
  const auto kubeconfig = control_plane_->KubeconfigOf(kNamespace, "berth-operator");
  const std::string log = "operator-" + std::to_string(++operator_runs_) + ".log";
  operator_ = std::make_unique<Process>(
      Arguments{BerthBinary(), "operator", "--kubeconfig", kubeconfig, "--metrics-bind-address=0",
                "--health-probe-bind-address=0", "--allowed-images=example.com/*",
                "--allowed-cluster-roles=boundary-reader"},
      control_plane_->folder() / log);
}

std::optional<int> Cluster::StopOperator() { return operator_->Stop(); }

ProcessOutcome Cluster::Kubectl(const Arguments& arguments, const std::string& input) {
  return Succeeded(arguments, control_plane_->Kubectl(arguments, input));
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
    // The pod may have been deleted since the list.
    PatchIfPresent("pod", pod["metadata"]["name"], ns,
                   {{"status", {{"phase", "Running"}, {"conditions", Json::array({ready})}}}},
                   "status");
  }
}

namespace {

// Returns the arguments of the rendered container, with its files in `folder`.
Arguments ArgumentsOf(const Json& deployment, const std::filesystem::path& folder, int port) {
  Arguments arguments;
  for (const Json& rendered : At(deployment, "/spec/template/spec/containers/0/args")) {
    const std::string argument = rendered;
    if (argument.starts_with("--config=")) {
      arguments.push_back("--config=" + (folder / "scheduler-config.yaml").string());
    } else if (argument.starts_with("--secure-port=")) {
      arguments.push_back("--secure-port=" + std::to_string(port));
    } else {
      arguments.push_back(argument);
    }
  }
  return arguments;
}

// Each process that uses the files of a folder has its own log.
std::filesystem::path NewLog(const std::filesystem::path& folder) {
  for (int run = 1;; ++run) {
    auto log = folder / ("scheduler-" + std::to_string(run) + ".log");
    if (!exists(log)) return log;
  }
}

// A kube-scheduler ignores its --kubeconfig flag if it has a configuration file.
void AddConnection(const std::filesystem::path& config, const std::filesystem::path& kubeconfig) {
  Json text = Json::parse(
      Must("configuration", yaml::ToJson(Must("configuration", ReadFile(config.string())))));
  text["clientConnection"]["kubeconfig"] = kubeconfig;
  std::ofstream(config) << text;
}

}  // namespace

SchedulerProcess::SchedulerProcess(Cluster& cluster, const std::string& profile,
                                   const std::map<std::string, std::string>& files) {
  const std::string name = "berth-" + profile;
  const ControlPlane& plane = cluster.control_plane();
  const Json deployment = cluster.Get("deployment", name, kNamespace);
  const std::string config_map =
      At(deployment, "/spec/template/spec/volumes/0/configMap/name").get<std::string>();
  const auto folder = plane.folder() / config_map;
  std::filesystem::create_directories(folder);
  const Json data = At(cluster.Get("configmap", config_map, kNamespace), "/data");
  for (const auto& [key, text] : data.items()) {
    std::ofstream(folder / key) << text.get<std::string>();
  }
  for (const auto& [key, text] : files) std::ofstream(folder / key) << text;
  const auto kubeconfig = plane.KubeconfigOf(kNamespace, name);
  const int port = FreePorts(1).front();
  Arguments arguments = ArgumentsOf(deployment, folder, port);
  const bool is_berth = At(deployment, "/spec/template/spec/containers/0/command").is_null();
  if (is_berth) {
    arguments.insert(arguments.begin(), BerthBinary());
    arguments.insert(arguments.end(), {"--kubeconfig", kubeconfig});
  } else {
    AddConnection(folder / "scheduler-config.yaml", kubeconfig);
    arguments.insert(arguments.begin(), ControlPlaneBinary("kube-scheduler"));
    // In a cluster it uses its own account to authenticate and authorize its clients.
    for (const char* asks : {"--authentication-kubeconfig", "--authorization-kubeconfig"}) {
      arguments.insert(arguments.end(), {asks, kubeconfig});
    }
  }
  const Json container = At(deployment, "/spec/template/spec/containers/0");
  live_path_ = TextAt(container, "/livenessProbe/httpGet/path");
  ready_path_ = TextAt(container, "/readinessProbe/httpGet/path");
  const Json scheme = At(container, "/readinessProbe/httpGet/scheme");
  url_ = (scheme == "HTTPS" ? "https" : "http") + ("://127.0.0.1:" + std::to_string(port));
  process_ = std::make_unique<Process>(arguments, NewLog(folder));
}

int SchedulerProcess::Answer(const std::string& path) const {
  // Skips certificate verification, like a kubelet.
  const auto transport = Must(
      "health port", http::CreateTransport({.url = url_, .tls = {.insecure_skip_verify = true}}));
  const auto response = transport->Call({.target = path});
  return response ? response->code : 0;
}

}  // namespace berth::integration
