// SPDX-License-Identifier: Apache-2.0
#include "operator/demo/cluster.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "client/kubeconfig.h"
#include "controllers/render.h"

namespace berth::operator_ {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchedulerAddress = "127.77.255.254";
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
                       "\", allowed: https://HOST:PORT, since pods reach it through TLS alone");
  }
  std::string host = server.substr(kScheme.size());
  host = host.substr(0, host.find('/'));
  const size_t colon = host.rfind(':');
  if (colon == std::string::npos) return Address{.host = host};
  return Address{.host = host.substr(0, colon), .port = host.substr(colon + 1)};
}

Result<std::string> TextOf(const http::Pem& pem) {
  return pem.data.empty() ? ReadFile(pem.file) : Result<std::string>(pem.data);
}

std::string OwnProgram() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "berth" : path.string();
}

}  // namespace

Result<std::unique_ptr<ScratchFolder>> ScratchFolder::Create() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "berth-demo-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr) {
    return ConfigError("cannot make a folder for temporary files at " + name);
  }
  return std::unique_ptr<ScratchFolder>(new ScratchFolder(name));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

DemoCluster::DemoCluster(client::ClientConfig config, std::unique_ptr<ScratchFolder> folder,
                         std::unique_ptr<client::Client> client)
    : config_(std::move(config)), folder_(std::move(folder)), client_(std::move(client)) {}

DemoCluster::~DemoCluster() {
  if (scheduler_) scheduler_->Stop(kGrace);
  if (simulation_) simulation_->Stop(kGrace);
}

Result<std::unique_ptr<DemoCluster>> DemoCluster::Start(const std::string& kubeconfig,
                                                        const Clock& clock) {
  BERTH_TRY(client::ClientConfig config, client::LoadClientConfig({.kubeconfig = kubeconfig}));
  BERTH_TRY(const Address address, AddressOf(config.server));
  BERTH_TRY(std::string authority, TextOf(config.tls.ca));
  BERTH_TRY(std::unique_ptr<ScratchFolder> folder, ScratchFolder::Create());
  BERTH_TRY(std::unique_ptr<client::Client> client,
            client::Client::Create(config, {.component = "demo"}, clock));
  std::unique_ptr<DemoCluster> cluster(
      new DemoCluster(std::move(config), std::move(folder), std::move(client)));
  cluster->simulation_ = std::make_unique<simulation::Simulation>(
      cluster->client(), clock,
      simulation::SimulationOptions{.root_ca = std::move(authority),
                                    .kubelet = {.berth_image = controllers::DefaultSchedulerImage(),
                                                .processes = {.berth = OwnProgram(),
                                                              .folder = cluster->folder().string(),
                                                              .api_host = address.host,
                                                              .api_port = address.port}}});
  cluster->simulation_->Start();
  BERTH_TRY_VOID(cluster->StartScheduler(kubeconfig, clock));
  return cluster;
}

Result<void> DemoCluster::StartScheduler(const std::string& kubeconfig, const Clock& clock) {
  const std::string config = (folder() / "default-scheduler.yaml").string();
  BERTH_TRY_VOID(WriteFile(config, kSchedulerConfig));
  api::Container container;
  container.name = "default-scheduler";
  container.readiness_probe.emplace().http_get.emplace() = {.path = "/readyz",
                                                            .port = IntOrString(kSchedulerPort)};
  container.readiness_probe.Edit().period_seconds = 1;
  BERTH_TRY(simulation::ContainerProbes probes,
            simulation::ContainerProbes::Create(container, kSchedulerAddress));
  scheduler_ = std::make_unique<simulation::ContainerRunner>(
      simulation::ContainerRunner::Options{
          .initial = {.name = container.name},
          .launch = {.arguments = {OwnProgram(), "scheduler", "--config=" + config,
                                   "--kubeconfig=" + fs::absolute(kubeconfig).string(),
                                   "--bind-address=" + std::string(kSchedulerAddress),
                                   "--secure-port=" + std::to_string(kSchedulerPort)},
                     .environment = {},
                     .log = (folder() / "default-scheduler.log").string()},
          .restart_policy = "Always"},
      std::move(probes), clock, [] {});
  return {};
}

std::string DemoCluster::SchedulerProblem() const {
  const simulation::ContainerView view = scheduler_->view();
  if (view.ready) return "";
  return view.message.empty() ? "not ready yet" : view.message;
}

}  // namespace berth::operator_
