// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

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

// Controllers says whether kube-controller-manager runs, and `kubectl proxy` for
// ControlPlane::api().
enum class Controllers { kRun, kNone };

// ControlPlane is a real etcd, kube-apiserver and kube-controller-manager on free ports of the
// loopback, in a folder of its own that goes with it. There is no kubelet and no kube-scheduler.
// The binaries are those of scripts/controlplane-build, in $BERTH_CONTROLPLANE.
class ControlPlane {
 public:
  // Starts it and waits until it is ready. Throws with the log of what failed.
  explicit ControlPlane(Controllers controllers = Controllers::kRun);
  ~ControlPlane();

  // Folder is a place for the files of a test.
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::filesystem::path admin_kubeconfig() const { return folder() / "admin.kubeconfig"; }
  std::string server() const { return "https://127.0.0.1:" + std::to_string(api_port_); }
  std::filesystem::path ca() const { return folder() / "ca.crt"; }
  static std::filesystem::path Binary(const std::string& name);

  // The API server alone may go away and come back, on the same port and data.
  void StopApiServer();
  void StartApiServer();

  // Api is admin's short way to objects.
  ApiAccess api() const { return ApiAccess(proxy_port_); }

  // Kubectl runs the pinned kubectl as admin.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {}) const;
  // WriteKubeconfig makes a kubeconfig for a bearer token.
  std::filesystem::path WriteKubeconfig(const std::string& name, const std::string& token) const;

 private:
  void MakeCertificates() const;
  void MakeCertificate(const std::string& name, const std::string& subject,
                       const std::string& alternative_names) const;
  void WriteCertificateKubeconfig(const std::string& name) const;
  void StartEtcd();
  void StartControllerManager();
  void StartProxy();

  const TemporaryFolder folder_;
  int etcd_port_ = 0, etcd_peer_port_ = 0, api_port_ = 0, manager_port_ = 0, proxy_port_ = 0;
  std::unique_ptr<Process> etcd_, api_server_, controller_manager_, proxy_;
};

// SourceFile is a file of the repository; BerthBinary the program under test.
std::filesystem::path SourceFile(const std::string& path);
std::filesystem::path BerthBinary();

}  // namespace berth::integration
