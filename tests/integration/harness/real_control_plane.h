// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/integration/harness/control_plane.h"

namespace berth::integration {

// RealControlPlane is the etcd, kube-apiserver and kube-controller-manager of
// scripts/controlplane-build, in $BERTH_CONTROLPLANE. With controllers it is like some providers' and
// admits pods of system-cluster-critical only where a quota counts them.
class RealControlPlane final : public ControlPlane {
 public:
  // `without` names further admission plugins of the API server that are off.
  explicit RealControlPlane(Controllers controllers, const std::vector<std::string>& without = {});
  ~RealControlPlane() override;

  // The API server is killed, and started again on the same port and etcd.
  void BeginOutage() override;
  void EndOutage() override { StartApiServer(); }
  bool IsReal() const override { return controller_manager_ != nullptr; }

 private:
  void ConfigureAdmission(Controllers controllers) const;
  void StartEtcd();
  void StartApiServer();
  void StartControllerManager();

  std::string disabled_admission_;  // plugins, by commas
  int etcd_port_ = 0, etcd_peer_port_ = 0, api_port_ = 0, manager_port_ = 0;
  std::unique_ptr<Process> etcd_, api_server_, controller_manager_;
};

}  // namespace berth::integration
