// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/real_control_plane.h"

#include <fstream>
#include <stdexcept>
#include <utility>

#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

constexpr std::chrono::seconds kRealStartLimit{60};

// No client connects to it; the API server creates no EndpointSlice for a loopback address.
constexpr const char* kAdvertised = "192.0.2.1";

std::string Loopback(const std::string& scheme, int port) {
  return scheme + "://127.0.0.1:" + std::to_string(port);
}

}  // namespace

RealControlPlane::RealControlPlane(Controllers controllers, const std::vector<std::string>& without,
                                   Arguments more)
    : more_arguments_(std::move(more)) {
  // No node controller runs that would remove the not-ready taint of a new node.
  disabled_admission_ = "TaintNodesByCondition";
  for (const std::string& plugin : without) disabled_admission_ += "," + plugin;
  const std::vector<int> ports = FreePorts(4);
  etcd_port_ = ports[0];
  etcd_peer_port_ = ports[1];
  api_port_ = ports[2];
  manager_port_ = ports[3];
  // Not a client: its key signs the tokens of ServiceAccounts.
  WriteIdentity("service-accounts", Must("certificates", authority().IssueClient("signer", {})));
  ServeAt(Loopback("https", api_port_));
  ConfigureAdmission(controllers);
  StartEtcd();
  StartApiServer();
  if (controllers == Controllers::kRun) StartControllerManager();
}

RealControlPlane::~RealControlPlane() {
  // No state has to be saved, so a graceful stop is not necessary.
  for (Process* process : {controller_manager_.get(), api_server_.get(), etcd_.get()}) {
    if (process != nullptr) process->Kill();
  }
}

void RealControlPlane::ConfigureAdmission(Controllers controllers) const {
  std::ofstream file(FileName("admission.yaml"));
  file << "apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n";
  if (controllers == Controllers::kNone) return;
  file << R"(plugins:
- name: ResourceQuota
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ResourceQuotaConfiguration
    limitedResources:
    - resource: pods
      matchScopes: [{scopeName: PriorityClass, operator: In, values: [system-cluster-critical]}]
)";
}

void RealControlPlane::StartEtcd() {
  const std::string client = Loopback("http", etcd_port_);
  const std::string peer = Loopback("http", etcd_peer_port_);
  etcd_ = std::make_unique<Process>(
      Arguments{ControlPlaneBinary("etcd"), "--data-dir", FileName("etcd"), "--listen-client-urls",
                client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster", "default=" + peer,
                "--unsafe-no-fsync", "--log-level", "error"},
      folder() / "etcd.log");
}

void RealControlPlane::StartApiServer() {
  Arguments arguments{ControlPlaneBinary("kube-apiserver"),
                      "--etcd-servers",
                      Loopback("http", etcd_port_),
                      "--bind-address",
                      "127.0.0.1",
                      "--advertise-address",
                      kAdvertised,
                      "--secure-port",
                      std::to_string(api_port_),
                      "--cert-dir",
                      FileName(""),
                      "--tls-cert-file",
                      FileName("apiserver.crt"),
                      "--tls-private-key-file",
                      FileName("apiserver.key"),
                      "--client-ca-file",
                      FileName("ca.crt"),
                      "--service-account-key-file",
                      FileName("service-accounts.crt"),
                      "--service-account-signing-key-file",
                      FileName("service-accounts.key"),
                      "--service-account-issuer",
                      "https://kubernetes.default.svc",
                      "--authorization-mode",
                      "Node,RBAC",
                      "--service-cluster-ip-range",
                      "10.0.0.0/24",
                      "--allow-privileged=true",
                      "--disable-admission-plugins",
                      disabled_admission_,
                      "--enable-admission-plugins",
                      "OwnerReferencesPermissionEnforcement",
                      "--admission-control-config-file",
                      FileName("admission.yaml")};
  arguments.insert(arguments.end(), more_arguments_.begin(), more_arguments_.end());
  api_server_ = std::make_unique<Process>(arguments, folder() / "apiserver.log");
  const bool ready = PollUntil(kRealStartLimit, [this] {
    return !api_server_->IsRunning() || api().Send("GET", "/readyz").code == 200;
  });
  if (!ready || !api_server_->IsRunning()) {
    throw std::runtime_error("kube-apiserver is not ready:\n" + api_server_->Output());
  }
}

void RealControlPlane::BeginOutage() {
  api_server_->Kill();
  api_server_.reset();
}

void RealControlPlane::StartControllerManager() {
  WriteIdentity("manager", Must("certificates",
                                authority().IssueClient("system:kube-controller-manager", {})));
  WriteCertificateKubeconfig("manager");
  const std::string kubeconfig = FileName("manager.kubeconfig");
  controller_manager_ = std::make_unique<Process>(
      Arguments{ControlPlaneBinary("kube-controller-manager"), "--kubeconfig", kubeconfig,
                "--authentication-kubeconfig", kubeconfig, "--authorization-kubeconfig", kubeconfig,
                "--service-account-private-key-file", FileName("service-accounts.key"),
                "--root-ca-file", FileName("ca.crt"), "--use-service-account-credentials=true",
                "--bind-address", "127.0.0.1", "--secure-port", std::to_string(manager_port_),
                "--leader-elect=false", "--enable-hostpath-provisioner=true",
                std::string("--controllers=*,-node-lifecycle-controller,-node-ipam-controller,") +
                    "-taint-eviction-controller"},
      folder() / "controller-manager.log");
}

}  // namespace berth::integration
