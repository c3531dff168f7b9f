// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/cluster.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "api/discovery.h"
#include "base/file.h"
#include "client/kubeconfig.h"
#include "controllers/api_server_ports.h"
#include "controllers/render.h"
#include "http/server/server.h"

namespace berth::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchedulerHost = ".255.254";  // in the network of the pods
constexpr int kSchedulerPort = 10259;
constexpr std::chrono::seconds kGrace(5);
constexpr const char* kSchedulerConfig =
    "apiVersion: kubescheduler.config.k8s.io/v1\n"
    "kind: KubeSchedulerConfiguration\n"
    "leaderElection:\n"
    "  leaderElect: false\n";

struct Address {
  std::string host;
  std::string port = "443";
};

Result<Address> AddressOf(const std::string& server) {
  constexpr std::string_view kScheme = "https://";
  if (!server.starts_with(kScheme)) {
    return ConfigError("server: found \"" + server +
                       "\", allowed: https://HOST:PORT, since pods reach it only through TLS");
  }
  std::string host = server.substr(kScheme.size());
  host = host.substr(0, host.find('/'));
  const size_t colon = host.rfind(':');
  if (colon == std::string::npos) return Address{.host = host};
  return Address{.host = host.substr(0, colon), .port = host.substr(colon + 1)};
}

// Returns the EndpointSlice in which a kube-apiserver publishes its address and port.
std::string SliceOf(const Address& server) {
  constexpr const char* kForm =
      R"({{"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
          "metadata": {{"name": "{}", "labels": {{"kubernetes.io/service-name": "kubernetes"}}}},
          "addressType": "IPv4", "endpoints": [{{"addresses": ["{}"]}}],
          "ports": [{{"name": "https", "port": {}, "protocol": "TCP"}}]}})";
  return fmt::format(kForm, controllers::kApiServerSlice, server.host, server.port);
}

Result<std::string> TextOf(const http::Pem& pem) {
  return pem.data.empty() ? ReadFile(pem.file) : Result<std::string>(pem.data);
}

// Returns the first half of a loopback network that no other demo uses, so that several can run at
// once: each has its scheduler at the same host address of its own network.
Result<std::string> FreeNetwork() {
  constexpr int kFirst = 77, kLast = 127;
  std::string why;
  for (int i = kFirst; i <= kLast; ++i) {
    std::string network = "127." + std::to_string(i);
    const auto probe =
        http::Server::Start({.address = network + kSchedulerHost, .port = kSchedulerPort},
                            [](const http::Request&) { return http::Response{.code = 404}; });
    if (probe) return network;
    why = probe.error().message();
  }
  return ConfigError("no free loopback address for the pods: " + why);
}

// Returns the program for pods with the berth image: the one next to this program.
std::string BerthProgram() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "berth" : (path.parent_path() / "berth").string();
}

}  // namespace

Result<std::unique_ptr<ScratchFolder>> ScratchFolder::Create() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "berth-demo-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) {
    return ConfigError("cannot create a folder for temporary files at " + name);
  }
  return std::unique_ptr<ScratchFolder>(new ScratchFolder(name));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

DemoCluster::~DemoCluster() {
  if (scheduler_) scheduler_->Stop(kGrace);
  if (simulation_) simulation_->Stop(kGrace);
}

Result<std::unique_ptr<DemoCluster>> DemoCluster::Start(const std::string& kubeconfig,
                                                        const Clock& clock) {
  BERTH_TRY(std::unique_ptr<ScratchFolder> folder, ScratchFolder::Create());
  std::unique_ptr<DemoCluster> cluster(new DemoCluster(std::move(folder)));
  BERTH_TRY_VOID(cluster->Connect(kubeconfig, clock));
  BERTH_TRY_VOID(cluster->StartSimulation(clock));
  BERTH_TRY_VOID(cluster->StartScheduler(clock));
  return cluster;
}

Result<void> DemoCluster::Connect(const std::string& kubeconfig, const Clock& clock) {
  if (kubeconfig.empty()) {
    BERTH_TRY(local_, LocalServer::Start(folder(), clock));
    kubeconfig_ = local_->kubeconfig();
  } else {
    kubeconfig_ = fs::absolute(kubeconfig);
  }
  BERTH_TRY(config_, client::LoadClientConfig({.kubeconfig = kubeconfig_.string()}));
  BERTH_TRY(client_, client::Client::Create(config_, {.component = "demo"}, clock));
  return local_ ? PublishServer() : Result<void>();
}

// Lets the operator detect the port that schedulers connect to.
Result<void> DemoCluster::PublishServer() {
  BERTH_TRY(const Address server, AddressOf(config_.server));
  auto created = client_->Call(
      client::CreateRequest(api::EndpointSlice::kResource,
                            std::string(controllers::kApiServerSliceNamespace), SliceOf(server)));
  if (!created) return Fail(created.error().With("publish the address of the API server"));
  return {};
}

Result<void> DemoCluster::StartSimulation(const Clock& clock) {
  BERTH_TRY(const Address address, AddressOf(config_.server));
  BERTH_TRY(network_, FreeNetwork());
  BERTH_TRY(std::string authority, TextOf(config_.tls.ca));
  simulation_ = std::make_unique<simulation::Simulation>(
      *client_, clock,
      simulation::SimulationOptions{.root_ca = std::move(authority),
                                    .kubelet = {.berth_image = controllers::DefaultSchedulerImage(),
                                                .processes = {.berth = BerthProgram(),
                                                              .folder = folder().string(),
                                                              .api_host = address.host,
                                                              .api_port = address.port,
                                                              .network = network_}}});
  simulation_->Start();
  return {};
}

Result<void> DemoCluster::StartScheduler(const Clock& clock) {
  const std::string address = network_ + kSchedulerHost;
  const std::string config = (folder() / "default-scheduler.yaml").string();
  BERTH_TRY_VOID(WriteFile(config, kSchedulerConfig));
  api::Container container;
  container.name = "default-scheduler";
  container.readiness_probe.emplace().http_get.emplace() = {.path = "/readyz",
                                                            .port = IntOrString(kSchedulerPort)};
  container.readiness_probe.Edit().period_seconds = 1;
  BERTH_TRY(simulation::ContainerProbes probes,
            simulation::ContainerProbes::Create(container, address));
  scheduler_ = std::make_unique<simulation::ContainerRunner>(
      simulation::ContainerRunner::Options{
          .initial = {.name = container.name},
          .launch = {.arguments = {BerthProgram(), "scheduler", "--config=" + config,
                                   "--kubeconfig=" + kubeconfig_.string(),
                                   "--bind-address=" + address,
                                   "--secure-port=" + std::to_string(kSchedulerPort)},
                     .environment = {},
                     .log = (folder() / "default-scheduler.log").string()},
          .restart_policy = "Always"},
      std::move(probes), clock, [] {});
  return {};
}

std::string DemoCluster::SchedulerError() const {
  const simulation::ContainerView view = scheduler_->view();
  if (view.ready) return "";
  return view.message.empty() ? "not ready yet" : view.message;
}

}  // namespace berth::sandbox
