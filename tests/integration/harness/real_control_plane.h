// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/integration/harness/control_plane.h"

namespace berth::integration {

// RealControlPlane runs etcd, kube-apiserver and kube-controller-manager of
// scripts/controlplane-build, in $BERTH_CONTROLPLANE. With controllers it admits pods of
// system-cluster-critical only if a quota covers them, like some providers.
class RealControlPlane final : public ControlPlane {
 public:
  // `without` lists more admission plugins of the API server to disable, `more` its additional
  // arguments.
  explicit RealControlPlane(Controllers controllers, const std::vector<std::string>& without = {},
                            Arguments more = {});
  ~RealControlPlane() override;

  // Kills the API server; EndOutage starts it again with the same port and etcd.
  void BeginOutage() override;
  void EndOutage() override { StartApiServer(); }
  bool IsReal() const override { return controller_manager_ != nullptr; }

 private:
  void ConfigureAdmission(Controllers controllers) const;
  void StartEtcd();
  void StartApiServer();
  void StartControllerManager();

  std::string disabled_admission_;  // plugins, by commas
  const Arguments more_arguments_;  // of the API server
  int etcd_port_ = 0, etcd_peer_port_ = 0, api_port_ = 0, manager_port_ = 0;
  std::unique_ptr<Process> etcd_, api_server_, controller_manager_;
};

}  // namespace berth::integration
