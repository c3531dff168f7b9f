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

Json At(const Json& object, const std::string& pointer) {
  const Json::json_pointer path(pointer);
  return object.contains(path) ? object.at(path) : Json();
}

Json Condition(const Json& object, const std::string& type) {
  for (const Json& condition : At(object, "/status/conditions")) {
    if (condition.value("type", "") == type) return condition;
  }
  return Json::object();
}

Cluster::Cluster() {
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
  const auto kubeconfig =
      control_plane_->WriteKubeconfig("operator", TokenOf(kNamespace, "berth-operator"));
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

ApiAnswer Cluster::Accepted(const std::string& what, ApiAnswer answer) {
  if (answer.code < 200 || answer.code > 299) {
    ADD_FAILURE() << what << ": " << answer.code << " " << answer.body;
  }
  return answer;
}

ApiAnswer Cluster::Send(const std::string& method, const std::string& path, const Json& body) {
  ApiAnswer answer = control_plane_->api().Send(method, path, body);
  if (answer.code == 404 && (method == "GET" || method == "DELETE")) return answer;
  return Accepted(method + " " + path, std::move(answer));
}

void Cluster::Apply(const Json& object) {
  Accepted("apply " + object.dump(), control_plane_->api().Apply(object));
}

void Cluster::Create(const std::string& kind, const std::string& ns, const Json& object) {
  Send("POST", ApiAccess::PathOf(kind, "", ns), object);
}

void Cluster::Patch(const std::string& kind, const std::string& name, const std::string& ns,
                    const Json& patch, const std::string& subresource) {
  const std::string path = ApiAccess::PathOf(kind, name, ns);
  Send("PATCH", subresource.empty() ? path : path + "/" + subresource, patch);
}

void Cluster::Delete(const std::string& kind, const std::string& name, const std::string& ns) {
  Json options = {{"propagationPolicy", "Background"}};
  if (kind == "pod") options["gracePeriodSeconds"] = 0;
  Send("DELETE", ApiAccess::PathOf(kind, name, ns), options);
}

Json Cluster::Get(const std::string& kind, const std::string& name, const std::string& ns) {
  const ApiAnswer answer = Send("GET", ApiAccess::PathOf(kind, name, ns));
  return answer.code == 200 ? Json::parse(answer.body) : Json();
}

Json Cluster::List(const std::string& kind, const std::string& ns, const std::string& selector) {
  std::string path = ApiAccess::PathOf(kind, "", ns);
  if (!selector.empty()) path += "?labelSelector=" + selector;
  const ApiAnswer answer = Send("GET", path);
  return answer.code == 200 ? Json::parse(answer.body).at("items") : Json::array();
}

std::string Cluster::TokenOf(const std::string& ns, const std::string& service_account) {
  const ApiAnswer answer =
      Send("POST", ApiAccess::PathOf("serviceaccount", service_account, ns) + "/token",
           {{"apiVersion", "authentication.k8s.io/v1"},
            {"kind", "TokenRequest"},
            {"spec", {{"expirationSeconds", 3600}}}});
  return answer.code == 201 ? Json::parse(answer.body)["status"]["token"] : "";
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
  const Json node = At(Get("pod", pod, "default"), "/spec/nodeName");
  return node.is_string() ? node.get<std::string>() : "";
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
  const auto kubeconfig = plane.WriteKubeconfig(name, cluster.TokenOf(kNamespace, name));
  process_ = std::make_unique<Process>(
      Arguments{BerthBinary(), "scheduler", "--config", folder / "scheduler-config.yaml",
                "--config-map", std::string(kNamespace) + "/" + name, "--kubeconfig", kubeconfig,
                "--secure-port", "0"},
      folder / "scheduler.log");
}

}  // namespace berth::integration
