// SPDX-License-Identifier: Apache-2.0
#include "tests/samples/machines.h"

#include <fstream>
#include <stdexcept>
#include <utility>

#include "base/file.h"
#include "client/kubeconfig.h"
#include "controllers/render.h"
#include "tests/integration/harness/wait.h"
#include "tests/samples/own_network.h"

namespace berth::integration {
namespace {

constexpr const char* kNodes[] = {"node-1", "node-2", "node-10"};
constexpr std::chrono::seconds kStartLimit{20};
constexpr std::chrono::seconds kEndLimit{5};
constexpr const char* kSwitch = "10.64.0.254/24";  // in the address range of a fleet's nodes
constexpr const char* kPrometheus = "/usr/bin/prometheus";
constexpr const char* kExporter = "/usr/bin/prometheus-node-exporter";
constexpr const char* kPods = "pods";  // folder of their volumes and logs

std::unique_ptr<client::Client> ClientOf(const ControlPlane& control_plane, const Clock& clock) {
  const auto config =
      Must("admin", client::LoadKubeconfig({control_plane.admin_kubeconfig().string()}, ""));
  return Must("admin", client::Client::Create(config, {.component = "machines"}, clock));
}

// Returns the program that wraps `program` in a pod.
std::string InPod(const std::filesystem::path& folder, const std::filesystem::path& program) {
  std::filesystem::create_directories(folder / "real");
  create_symlink(program, folder / "real" / program.filename());
  create_symlink(SourceFile("tests/samples/in-pod"), folder / program.filename());
  return folder / program.filename();
}

simulation::NodeDescription DescriptionOf(const std::string& name) {
  return {.name = name,
          .allocatable = {{"cpu", Quantity::FromValue(4)},
                          {"memory", Quantity::FromValue(int64_t{16} << 30)}},
          .labels = {},
          .taints = {},
          .images = {}};
}

// Adds the nodes to the fleet; returns their networks.
Result<std::unique_ptr<NodeNetworks>> AddNodes(simulation::NodeFleet& fleet,
                                               const std::filesystem::path& folder) {
  for (const char* name : kNodes) fleet.Add(DescriptionOf(name));
  BERTH_TRY(auto networks, NodeNetworks::Create(kSwitch));
  for (const std::string name : kNodes) {
    BERTH_TRY_VOID(networks->Add(name, fleet.AddressOf(name), folder / (name + "-network.log")));
  }
  return networks;
}

simulation::KubeletOptions KubeletOptionsFor(const ControlPlane& control_plane,
                                             const NodeNetworks* networks) {
  const auto programs = control_plane.folder() / "programs", pods = control_plane.folder() / kPods;
  std::filesystem::create_directory(pods);
  const std::string& url = control_plane.url();
  const size_t host = url.find("://") + 3, colon = url.rfind(':');
  std::map<std::string, std::vector<std::string>> host_networks;
  for (const char* name : kNodes) {
    if (networks != nullptr) host_networks[name] = networks->Enter(name);
  }
  return {.berth_image = controllers::DefaultSchedulerImage(),
          .processes = {.berth = InPod(programs, BerthBinary()),
                        .commands = {{"kube-scheduler",
                                      InPod(programs, ControlPlaneBinary("kube-scheduler"))},
                                     {"/qos-sample-scheduler", InPod(programs, OwnKubeScheduler())},
                                     {"python3", InPod(programs, "/usr/bin/python3")},
                                     {"prometheus", InPod(programs, kPrometheus)},
                                     {"node_exporter", InPod(programs, kExporter)}},
                        .folder = pods,
                        .api_host = url.substr(host, colon - host),
                        .api_port = url.substr(colon + 1),
                        .network = kOwnNetwork,
                        .host_networks = std::move(host_networks),
                        .readiness_period = 1}};
}

std::string SelectorOf(const Json& service) {
  const Json labels = At(service, "/spec/selector");
  std::string selector;
  for (const auto& [key, value] : labels.items()) {
    selector += (selector.empty() ? "" : ",") + key + "=" + value.get<std::string>();
  }
  return selector;
}

}  // namespace

std::filesystem::path OwnKubeScheduler() {
  return SourceFile("build/own-kube-scheduler/qos-sample-scheduler");
}

Machines::Machines(const ControlPlane& control_plane, std::filesystem::path hosts)
    : control_plane_(control_plane),
      hosts_(std::move(hosts)),
      objects_(control_plane.api()),
      client_(ClientOf(control_plane, clock_)),
      pods_(*client_, {}, clock_),
      nodes_(*client_, {}, clock_),
      fleet_(*client_, clock_),
      networks_(AddNodes(fleet_, control_plane.folder())),
      kubelet_(*client_, fleet_, pods_, nodes_, clock_,
               KubeletOptionsFor(control_plane, networks_ ? networks_->get() : nullptr)) {
  fleet_.Start();
  nodes_.Start();
  pods_.Start();
  kubelet_.Start();
  StartScheduler();
  AwaitNodes();
}

Machines::~Machines() {
  scheduler_.reset();
  kubelet_.Stop(kEndLimit);
  fleet_.Stop();
  pods_.Stop();
  nodes_.Stop();
}

void Machines::StartScheduler() {
  const auto config = control_plane_.folder() / "default-scheduler.yaml";
  std::ofstream(config) << "apiVersion: kubescheduler.config.k8s.io/v1\n"
                           "kind: KubeSchedulerConfiguration\n"
                           "leaderElection: {leaderElect: false}\n";
  scheduler_ =
      std::make_unique<Process>(Arguments{BerthBinary(), "scheduler", "--config", config,
                                          "--kubeconfig", control_plane_.admin_kubeconfig(),
                                          "--secure-port", std::to_string(FreePorts(1).front())},
                                control_plane_.folder() / "default-scheduler.log");
}

void Machines::AwaitNodes() {
  const auto ready = Eventually("nodes and the account of pods", kStartLimit, [&]() -> std::string {
    for (const char* name : kNodes) {
      if (!IsReady(name)) return name;
    }
    return objects_.Get("serviceaccount", "default", "default").is_null() ? "no account" : "";
  });
  if (!ready) throw std::runtime_error(ready.message());
}

bool Machines::IsReady(const std::string& node) {
  return Condition(objects_.Get("node", node), "Ready").value("status", "") == "True";
}

void Machines::AddNode(const std::string& name) {
  fleet_.Add(DescriptionOf(name));
  const auto ready =
      Eventually("node " + name, kStartLimit, [&] { return IsReady(name) ? "" : "not ready"; });
  if (!ready) throw std::runtime_error(ready.message());
}

void Machines::RemoveNode(const std::string& name) { objects_.Delete("node", name); }

void Machines::PublishServices() {
  for (const Json& service : objects_.List("service", "")) {
    const std::string selector = SelectorOf(service);
    if (selector.empty()) continue;
    const std::string ns = TextAt(service, "/metadata/namespace");
    for (const Json& pod : objects_.List("pod", ns, selector)) {
      const std::string address = TextAt(pod, "/status/podIP");
      if (address.empty()) continue;
      addresses_[TextAt(service, "/metadata/name") + "." + ns + ".svc"] = address;
    }
  }
  std::ofstream file(hosts_);
  file << "127.0.0.1 localhost\n";
  for (const auto& [name, address] : addresses_) file << address << " " << name << "\n";
}

std::string Machines::WhyNoTraffic() const {
  if (!networks_) return networks_.error().message();
  for (const std::string program : {kPrometheus, kExporter}) {
    if (!std::filesystem::exists(program)) return program + " is missing (scripts/setup test)";
  }
  return "";
}

std::filesystem::path Machines::log_folder() const { return control_plane_.folder() / kPods; }

std::string Machines::Logs() const {
  std::string logs = "--- default-scheduler:\n" + scheduler_->Output();
  for (const auto& entry : std::filesystem::directory_iterator(log_folder())) {
    if (entry.path().extension() != ".log") continue;
    logs += "--- " + entry.path().stem().string() + ":\n" +
            ReadFile(entry.path().string()).value_or("");
  }
  return logs;
}

}  // namespace berth::integration
