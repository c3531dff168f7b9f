// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/cluster.h"

#include <fstream>
#include <stdexcept>

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
  StartOperator();
}

Cluster& Cluster::Instance() { return *InstallEnvironment::cluster; }

void Cluster::Install() {
  for (const Arguments& step :
       {Arguments{"apply", "--server-side", "-f", SourceFile("deploy/install.yaml")},
        Arguments{"wait", "--for=condition=Established", "--timeout=30s",
                  "crd/schedulerprofiles.berth.dev"}}) {
    const ProcessOutcome outcome = control_plane_.Kubectl(step);
    if (outcome.exit_code != 0) throw std::runtime_error(Line(step) + ": " + outcome.err);
  }
  // Pods are refused until the controller manager has made the account they run under.
  const auto account = Eventually("ServiceAccount default", kInstallLimit, [this]() -> std::string {
    return Get("serviceaccount", "default", "default").is_null() ? "not there" : "";
  });
  if (!account) throw std::runtime_error(account.message());
}

void Cluster::StartOperator() {
  const auto kubeconfig =
      control_plane_.WriteKubeconfig("operator", TokenOf(kNamespace, "berth-operator"));
  const std::string log = "operator-" + std::to_string(++operator_runs_) + ".log";
  operator_ = std::make_unique<Process>(
      Arguments{BerthBinary(), "operator", "--kubeconfig", kubeconfig, "--metrics-bind-address=0",
                "--health-probe-bind-address=0"},
      control_plane_.folder() / log);
}

std::optional<int> Cluster::StopOperator() { return operator_->Stop(); }

ProcessOutcome Cluster::Kubectl(const Arguments& arguments, const std::string& input) {
  ProcessOutcome outcome = control_plane_.Kubectl(arguments, input);
  if (outcome.exit_code != 0) ADD_FAILURE() << Line(arguments) << ": " << outcome.err;
  return outcome;
}

void Cluster::Apply(const Json& object) {
  Kubectl({"apply", "--server-side", "--force-conflicts", "-f", "-"}, object.dump());
}

ApiAnswer Cluster::Send(const std::string& method, const std::string& path, const Json& body) {
  ApiAnswer answer = control_plane_.api().Send(method, path, body);
  const bool fine = (answer.code >= 200 && answer.code < 300) ||
                    (answer.code == 404 && (method == "GET" || method == "DELETE"));
  if (!fine) {
    ADD_FAILURE() << method << " " << path << ": " << answer.code << " " << answer.body;
  }
  return answer;
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
