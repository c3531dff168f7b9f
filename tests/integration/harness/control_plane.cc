// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/control_plane.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr seconds kStartLimit{60};

std::filesystem::path FromEnvironment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return std::filesystem::absolute(value != nullptr ? value : otherwise);
}

// FreePorts holds all of them open at once, so they differ.
template <size_t kCount>
std::array<int, kCount> FreePorts() {
  std::array<int, kCount> ports{}, sockets{};
  for (size_t i = 0; i < kCount; ++i) {
    sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(sockets[i], reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(sockets[i], reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no free port");
    }
    ports[i] = ntohs(address.sin_port);
  }
  for (const int socket : sockets) close(socket);
  return ports;
}

void Write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

void MustRun(const Arguments& arguments) {
  const ProcessOutcome outcome = Run(arguments);
  if (outcome.exit_code != 0) throw std::runtime_error(arguments[0] + ": " + outcome.err);
}

std::string KubeconfigText(const std::string& server, const std::string& ca,
                           const std::string& user) {
  return "apiVersion: v1\nkind: Config\n"
         "clusters: [{name: c, cluster: {server: \"" +
         server + "\", certificate-authority: \"" + ca +
         "\"}}]\n"
         "users: [{name: u, user: " +
         user +
         "}]\n"
         "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n";
}

}  // namespace

std::filesystem::path SourceFile(const std::string& path) {
  return std::filesystem::absolute(path);  // tests run in the root of the repository
}

std::filesystem::path BerthBinary() {
  return FromEnvironment("BERTH_BINARY_DIR", "build/release") / "berth";
}

std::filesystem::path ControlPlane::Binary(const std::string& name) {
  return FromEnvironment("BERTH_CONTROLPLANE", "build/controlplane") / name;
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "berth-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ControlPlane::ControlPlane(Controllers controllers) {
  const auto ports = FreePorts<5>();
  etcd_port_ = ports[0];
  etcd_peer_port_ = ports[1];
  api_port_ = ports[2];
  manager_port_ = ports[3];
  proxy_port_ = ports[4];
  MakeCertificates();
  WriteCertificateKubeconfig("admin");
  WriteCertificateKubeconfig("manager");
  StartEtcd();
  StartApiServer();
  if (controllers == Controllers::kNone) return;
  StartControllerManager();
  StartProxy();
}

ControlPlane::~ControlPlane() {
  // Nothing of it is to be kept, so nobody waits for a graceful end.
  for (Process* process :
       {proxy_.get(), controller_manager_.get(), api_server_.get(), etcd_.get()}) {
    if (process != nullptr) process->Kill();
  }
}

void ControlPlane::MakeCertificates() const {
  MustRun({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
           "/CN=test-ca", "-keyout", folder() / "ca.key", "-out", folder() / "ca.crt"});
  MakeCertificate("apiserver", "/CN=kube-apiserver", "DNS:localhost,IP:127.0.0.1,IP:10.0.0.1");
  MakeCertificate("admin", "/O=system:masters/CN=admin", "");
  MakeCertificate("manager", "/CN=system:kube-controller-manager", "");
  MustRun({"openssl", "genrsa", "-out", folder() / "sa.key", "2048"});
}

void ControlPlane::MakeCertificate(const std::string& name, const std::string& subject,
                                   const std::string& alternative_names) const {
  const std::string base = (folder() / name).string();
  MustRun({"openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", subject, "-keyout",
           base + ".key", "-out", base + ".csr"});
  std::string extensions = "extendedKeyUsage=clientAuth,serverAuth\n";
  if (!alternative_names.empty()) extensions += "subjectAltName=" + alternative_names + "\n";
  Write(base + ".ext", extensions);
  MustRun({"openssl", "x509", "-req", "-days", "2", "-in", base + ".csr", "-CA",
           folder() / "ca.crt", "-CAkey", folder() / "ca.key", "-CAcreateserial", "-extfile",
           base + ".ext", "-out", base + ".crt"});
}

void ControlPlane::WriteCertificateKubeconfig(const std::string& name) const {
  const std::string base = (folder() / name).string();
  Write(base + ".kubeconfig", KubeconfigText(server(), ca(),
                                             "{client-certificate: \"" + base +
                                                 ".crt\", client-key: \"" + base + ".key\"}"));
}

std::filesystem::path ControlPlane::WriteKubeconfig(const std::string& name,
                                                    const std::string& token) const {
  const std::filesystem::path path = folder() / (name + ".kubeconfig");
  Write(path, KubeconfigText(server(), ca(), "{token: \"" + token + "\"}"));
  return path;
}

void ControlPlane::StartEtcd() {
  const std::string client = "http://127.0.0.1:" + std::to_string(etcd_port_);
  const std::string peer = "http://127.0.0.1:" + std::to_string(etcd_peer_port_);
  etcd_ = std::make_unique<Process>(
      Arguments{Binary("etcd"), "--data-dir", folder() / "etcd", "--listen-client-urls", client,
                "--advertise-client-urls", client, "--listen-peer-urls", peer,
                "--initial-advertise-peer-urls", peer, "--initial-cluster", "default=" + peer,
                "--unsafe-no-fsync", "--log-level", "error"},
      folder() / "etcd.log");
}

void ControlPlane::StartApiServer() {
  const std::string files = folder().string();
  api_server_ = std::make_unique<Process>(
      Arguments{Binary("kube-apiserver"), "--etcd-servers",
                "http://127.0.0.1:" + std::to_string(etcd_port_), "--bind-address", "127.0.0.1",
                "--advertise-address", "127.0.0.1", "--secure-port", std::to_string(api_port_),
                "--cert-dir", files, "--tls-cert-file", files + "/apiserver.crt",
                "--tls-private-key-file", files + "/apiserver.key", "--client-ca-file",
                files + "/ca.crt", "--service-account-key-file", files + "/sa.key",
                "--service-account-signing-key-file", files + "/sa.key", "--service-account-issuer",
                "https://kubernetes.default.svc", "--authorization-mode", "Node,RBAC",
                "--service-cluster-ip-range", "10.0.0.0/24", "--allow-privileged=true",
                // No node controller runs that would take the not-ready taint of a new node away.
                "--disable-admission-plugins", "TaintNodesByCondition",
                "--enable-admission-plugins", "OwnerReferencesPermissionEnforcement"},
      folder() / "apiserver.log");
  const bool ready = PollUntil(kStartLimit, [this] {
    return !api_server_->IsRunning() || Kubectl({"get", "--raw", "/readyz"}).exit_code == 0;
  });
  if (!ready || !api_server_->IsRunning()) {
    throw std::runtime_error("kube-apiserver is not ready:\n" + api_server_->Output());
  }
}

void ControlPlane::StopApiServer() {
  api_server_->Kill();
  api_server_.reset();
}

void ControlPlane::StartControllerManager() {
  const std::string kubeconfig = (folder() / "manager.kubeconfig").string();
  controller_manager_ = std::make_unique<Process>(
      Arguments{Binary("kube-controller-manager"), "--kubeconfig", kubeconfig,
                "--authentication-kubeconfig", kubeconfig, "--authorization-kubeconfig", kubeconfig,
                "--service-account-private-key-file", folder() / "sa.key", "--root-ca-file", ca(),
                "--use-service-account-credentials=true", "--bind-address", "127.0.0.1",
                "--secure-port", std::to_string(manager_port_), "--leader-elect=false",
                "--controllers=*,-node-lifecycle-controller,-node-ipam-controller,"
                "-taint-eviction-controller"},
      folder() / "controller-manager.log");
}

void ControlPlane::StartProxy() {
  proxy_ =
      std::make_unique<Process>(Arguments{Binary("kubectl"), "--kubeconfig", admin_kubeconfig(),
                                          "proxy", "--port", std::to_string(proxy_port_)},
                                folder() / "proxy.log");
  const bool ready = PollUntil(kStartLimit, [this] {
    return !proxy_->IsRunning() || api().Send("GET", "/readyz").code == 200;
  });
  if (!ready || !proxy_->IsRunning()) {
    throw std::runtime_error("kubectl proxy is not ready:\n" + proxy_->Output());
  }
}

ProcessOutcome ControlPlane::Kubectl(const Arguments& arguments, const std::string& input) const {
  Arguments all{Binary("kubectl"), "--kubeconfig", admin_kubeconfig(), "--cache-dir",
                folder() / "kubectl-cache"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Run(all, input);
}

}  // namespace berth::integration
