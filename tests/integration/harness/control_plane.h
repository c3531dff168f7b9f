// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "api/kubernetes_version.h"
#include "base/error.h"
#include "client/client_config.h"
#include "http/crypto/certificates.h"
#include "tests/integration/harness/api_access.h"
#include "tests/integration/harness/process.h"

namespace berth::integration {

// TemporaryFolder is a new folder; the destructor removes it with its content.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Controllers selects whether the controllers run: for Deployments, ServiceAccounts, namespaces and
// garbage collection.
enum class Controllers { kRun, kNone };

// ControlPlane is a Kubernetes API server on a free port of the loopback interface. Its files are
// in a folder that the destructor removes. It has no kubelet and no scheduler. Callers need not
// know the implementation: RealControlPlane or InMemoryControlPlane.
class ControlPlane {
 public:
  // Starts the control plane that $BERTH_TEST_SERVER names and waits until it is ready: "memory"
  // (the default) or "real". Throws with the log of the failed program.
  static std::unique_ptr<ControlPlane> Start();

  virtual ~ControlPlane() = default;

  // A folder for the files of a test.
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path admin_kubeconfig() const { return folder() / "admin.kubeconfig"; }

  // The address of the API server: "https://127.0.0.1:PORT".
  const std::string& url() const { return url_; }

  // Access to objects as admin.
  const ApiAccess& api() const { return *api_; }

  // Simulates an outage of the API server: connections break, and requests get no response until
  // EndOutage. The objects stay.
  virtual void BeginOutage() = 0;
  virtual void EndOutage() = 0;

  // Reports whether kube-apiserver and kube-controller-manager run: with DaemonSets, quotas and
  // mutating policies.
  virtual bool IsReal() const = 0;

  // Version returns the API server's version; throws if it does not answer with one.
  api::KubernetesVersion Version() const;

  // Kubectl runs kubectl as admin. Requires: KubectlMissing() is empty.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {}) const;

  // Creates a kubeconfig for a ServiceAccount like a user, with `berth kubeconfig`. Throws the
  // error of that command.
  std::filesystem::path KubeconfigOf(const std::string& ns,
                                     const std::string& service_account) const;

 protected:
  // Creates the certificates: ca.crt, apiserver.{crt,key} and admin.{crt,key} in the folder.
  ControlPlane();

  // Sets the address of the API server: writes the admin kubeconfig and opens api().
  void ServeAt(std::string url);
  std::string FileName(const std::string& name) const { return (folder() / name).string(); }
  void WriteIdentity(const std::string& name, const http::CertificateAndKey& identity) const;
  // The connection to the API server without credentials.
  client::ClientConfig AnonymousConfig() const;
  // Writes NAME.kubeconfig for NAME.crt and NAME.key.
  void WriteCertificateKubeconfig(const std::string& name) const;
  const http::CertificateAuthority& authority() const { return *authority_; }

 private:
  const TemporaryFolder folder_;
  std::unique_ptr<http::CertificateAuthority> authority_;
  std::string url_;
  std::unique_ptr<ApiAccess> api_;
};

// SourceFile is a file of the repository; BerthBinary the program under test; SandboxBinary the
// program with the in-memory API server; ControlPlaneBinary a program of
// scripts/controlplane-build, which may be missing.
std::filesystem::path SourceFile(const std::string& path);
std::filesystem::path BerthBinary();
std::filesystem::path SandboxBinary();
std::filesystem::path ControlPlaneBinary(const std::string& name);

// Returns the value of a result, or throws its error prefixed with `what`.
template <class T>
T Must(const std::string& what, Result<T> result) {
  if (!result) throw std::runtime_error(what + ": " + result.error().message());
  return std::move(*result);
}

}  // namespace berth::integration
