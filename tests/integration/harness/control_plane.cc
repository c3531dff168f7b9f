// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/control_plane.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "client/kubeconfig.h"
#include "tests/integration/harness/in_memory_control_plane.h"
#include "tests/integration/harness/kubectl.h"
#include "tests/integration/harness/objects.h"
#include "tests/integration/harness/real_control_plane.h"

namespace berth::integration {
namespace {

std::filesystem::path FromEnvironment(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return std::filesystem::absolute(value != nullptr ? value : otherwise);
}

void Write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

}  // namespace

std::filesystem::path SourceFile(const std::string& path) {
  return std::filesystem::absolute(path);  // tests run in the root of the repository
}

std::filesystem::path BerthBinary() {
  return FromEnvironment("BERTH_BINARY_DIR", "build/quick") / "berth";
}

std::filesystem::path SandboxBinary() {
  return FromEnvironment("BERTH_BINARY_DIR", "build/quick") / "berth-sandbox";
}

std::filesystem::path ControlPlaneBinary(const std::string& name) {
  return FromEnvironment("BERTH_CONTROLPLANE", "build/controlplane") / name;
}

TemporaryFolder::TemporaryFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "berth-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot create a temporary folder");
  path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::unique_ptr<ControlPlane> ControlPlane::Start() {
  const char* const variable = std::getenv("BERTH_TEST_SERVER");
  const std::string which = variable != nullptr ? variable : "memory";
  if (which == "real") return std::make_unique<RealControlPlane>(Controllers::kRun);
  if (which == "memory") return std::make_unique<InMemoryControlPlane>(Controllers::kRun);
  throw std::runtime_error("BERTH_TEST_SERVER is \"" + which + "\"; allowed: memory, real");
}

ControlPlane::ControlPlane()
    : authority_(Must("certificates", http::CertificateAuthority::Create("test-ca"))) {
  Write(folder() / "ca.crt", authority_->certificate());
  WriteIdentity("apiserver",
                Must("certificates", authority_->IssueServer("kube-apiserver", {"localhost"},
                                                             {"127.0.0.1", "10.0.0.1"})));
  WriteIdentity("admin",
                Must("certificates", authority_->IssueClient("admin", {"system:masters"})));
}

void ControlPlane::ServeAt(std::string url) {
  url_ = std::move(url);
  WriteCertificateKubeconfig("admin");
  api_ = std::make_unique<ApiAccess>(admin_kubeconfig());
}

void ControlPlane::WriteIdentity(const std::string& name,
                                 const http::CertificateAndKey& identity) const {
  Write(folder() / (name + ".crt"), identity.certificate);
  Write(folder() / (name + ".key"), identity.key);
}

client::ClientConfig ControlPlane::AnonymousConfig() const {
  client::ClientConfig config{.server = url_};
  config.tls.ca.file = FileName("ca.crt");
  return config;
}

void ControlPlane::WriteCertificateKubeconfig(const std::string& name) const {
  const std::string base = FileName(name);
  client::ClientConfig config = AnonymousConfig();
  config.tls.certificate.file = base + ".crt";
  config.tls.key.file = base + ".key";
  Write(base + ".kubeconfig", client::KubeconfigText(config));
}

api::KubernetesVersion ControlPlane::Version() const {
  const ApiAnswer answer = api().Send("GET", "/version");
  const Json document = Json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
  const auto version = api::ParseKubernetesVersion(TextAt(document, "/gitVersion"));
  if (!version) throw std::runtime_error("/version: " + answer.body);
  return *version;
}

ProcessOutcome ControlPlane::Kubectl(const Arguments& arguments, const std::string& input) const {
  Arguments all{KubectlBinary(), "--kubeconfig", admin_kubeconfig(), "--cache-dir",
                folder() / "kubectl-cache"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Run(all, input);
}

std::filesystem::path ControlPlane::KubeconfigOf(const std::string& ns,
                                                 const std::string& service_account) const {
  std::filesystem::path path = folder() / (ns + "." + service_account + ".kubeconfig");
  const ProcessOutcome outcome =
      Run({BerthBinary(), "kubeconfig", "--kubeconfig", admin_kubeconfig(), "--service-account",
           ns + "/" + service_account, "--output", path});
  if (outcome.exit_code != 0) throw std::runtime_error("berth kubeconfig: " + outcome.err);
  return path;
}

}  // namespace berth::integration
