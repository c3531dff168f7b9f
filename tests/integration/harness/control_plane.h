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

// TemporaryFolder is a new folder that goes with its content.
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

// Controllers says whether what a cluster has beside its API server runs: the controllers of
// Deployments, ServiceAccounts, namespaces and owned objects.
enum class Controllers { kRun, kNone };

// ControlPlane is a Kubernetes API server on a free port of the loopback, with its files in a
// folder of its own that goes with it. There is no kubelet and no scheduler. Whoever holds one need
// not know which implementation it is: RealControlPlane or InMemoryControlPlane.
class ControlPlane {
 public:
  // Start starts the one that $BERTH_TEST_SERVER names and waits until it is ready: "memory", also
  // when the variable is not set, or "real". Throws with the log of what failed.
  static std::unique_ptr<ControlPlane> Start();

  virtual ~ControlPlane() = default;

  // Folder is a place for the files of a test.
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path admin_kubeconfig() const { return folder() / "admin.kubeconfig"; }

  // Url is where the API server listens: "https://127.0.0.1:PORT".
  const std::string& url() const { return url_; }

  // Api is admin's short way to objects.
  const ApiAccess& api() const { return *api_; }

  // BeginOutage makes the API server go away: what is connected is cut off, and nobody gets an
  // answer until EndOutage. Its objects stay.
  virtual void BeginOutage() = 0;
  virtual void EndOutage() = 0;

  // IsReal says whether kube-apiserver and kube-controller-manager run: with DaemonSets, quotas and
  // policies that change objects.
  virtual bool IsReal() const = 0;

  // Version returns the API server's version; throws if it does not answer with one.
  api::KubernetesVersion Version() const;

  // Kubectl runs kubectl as admin. Requires: KubectlMissing() is empty.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {}) const;

  // KubeconfigOf makes one for a ServiceAccount, as a user does: `berth kubeconfig`. Throws what that
  // says when it fails.
  std::filesystem::path KubeconfigOf(const std::string& ns,
                                     const std::string& service_account) const;

 protected:
  // Makes the certificates: ca.crt, apiserver.{crt,key} and admin.{crt,key} in the folder.
  ControlPlane();

  // ServeAt is called once it is known where the API server listens: it writes admin's kubeconfig
  // and opens api().
  void ServeAt(std::string url);
  std::string FileName(const std::string& name) const { return (folder() / name).string(); }
  void WriteIdentity(const std::string& name, const http::CertificateAndKey& identity) const;
  // The way to the API server, without saying who comes.
  client::ClientConfig AnonymousConfig() const;
  // WriteCertificateKubeconfig makes NAME.kubeconfig for NAME.crt and NAME.key.
  void WriteCertificateKubeconfig(const std::string& name) const;
  const http::CertificateAuthority& authority() const { return *authority_; }

 private:
  const TemporaryFolder folder_;
  std::unique_ptr<http::CertificateAuthority> authority_;
  std::string url_;
  std::unique_ptr<ApiAccess> api_;
};

// SourceFile is a file of the repository; BerthBinary the program under test, SandboxBinary the one
// with the in-memory API server; ControlPlaneBinary a program of scripts/controlplane-build, which
// need not be there.
std::filesystem::path SourceFile(const std::string& path);
std::filesystem::path BerthBinary();
std::filesystem::path SandboxBinary();
std::filesystem::path ControlPlaneBinary(const std::string& name);

// Must gives the value of a result, or throws its error with `what` in front.
template <class T>
T Must(const std::string& what, Result<T> result) {
  if (!result) throw std::runtime_error(what + ": " + result.error().message());
  return std::move(*result);
}

}  // namespace berth::integration
