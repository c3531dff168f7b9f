// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/in_memory_control_plane.h"

#include <stdexcept>

#include "client/kubeconfig.h"
#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

constexpr std::chrono::seconds kMemoryStartLimit{30};
constexpr const char* kFaults = "/berth-faults";

void MustBeTaken(const ApiAnswer& answer) {
  if (answer.code != 200) throw std::runtime_error("cannot set a fault: " + answer.body);
}

// Returns the EndpointSlice that kube-apiserver publishes for its address.
Json SliceOf(const std::string& url) {
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  return {{"apiVersion", "discovery.k8s.io/v1"},
          {"kind", "EndpointSlice"},
          {"metadata",
           {{"name", "kubernetes"}, {"labels", {{"kubernetes.io/service-name", "kubernetes"}}}}},
          {"addressType", "IPv4"},
          {"endpoints", Json::array({{{"addresses", Json::array({"192.0.2.1"})}}})},
          {"ports", Json::array({{{"name", "https"}, {"port", port}, {"protocol", "TCP"}}})}};
}

}  // namespace

InMemoryControlPlane::InMemoryControlPlane(Controllers controllers) {
  api_server_ = std::make_unique<Process>(
      Arguments{SandboxBinary(), "apiserver", "--port", "0", "--enable-faults", "--tls-cert-file",
                FileName("apiserver.crt"), "--tls-private-key-file", FileName("apiserver.key"),
                "--client-ca-file", FileName("ca.crt")},
      folder() / "apiserver.log");
  AwaitServer();
  if (controllers == Controllers::kRun) StartSimulation();
}

InMemoryControlPlane::~InMemoryControlPlane() {
  simulation_.reset();
  client_.reset();
  api_server_->Kill();  // no graceful stop: it has no state to save
}

// The first line that the server prints is its address; it accepts requests by then.
void InMemoryControlPlane::AwaitServer() {
  std::string output;
  PollUntil(kMemoryStartLimit, [&] {
    output = api_server_->Output();
    return output.find('\n') != std::string::npos || !api_server_->IsRunning();
  });
  if (!output.starts_with("https://")) {
    throw std::runtime_error("berth-sandbox apiserver is not ready:\n" + output);
  }
  ServeAt(output.substr(0, output.find('\n')));
  const ApiAnswer published =
      api().Send("POST", ApiAccess::PathOf("endpointslice", "", "default"), SliceOf(url()));
  if (published.code != 201) throw std::runtime_error("EndpointSlice: " + published.body);
}

void InMemoryControlPlane::StartSimulation() {
  const client::ClientConfig config =
      Must("admin", client::LoadKubeconfig({admin_kubeconfig()}, ""));
  client_ = Must("admin", client::Client::Create(config, {.component = "simulation"}, clock_));
  simulation_ = std::make_unique<simulation::Simulation>(
      *client_, clock_,
      simulation::SimulationOptions{.root_ca = authority().certificate(), .kubelet = {}});
  simulation_->Start();
}

void InMemoryControlPlane::BeginOutage() {
  MustBeTaken(api().Send("POST", kFaults, {{"action", "drop"}}));
  MustBeTaken(api().Send("POST", std::string(kFaults) + "/cut"));
}

void InMemoryControlPlane::EndOutage() { MustBeTaken(api().Send("DELETE", kFaults)); }

}  // namespace berth::integration
