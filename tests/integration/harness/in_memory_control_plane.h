// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/clock.h"
#include "client/client.h"
#include "sandbox/simulation/simulation.h"
#include "tests/integration/harness/control_plane.h"

namespace berth::integration {

// InMemoryControlPlane runs `berth-sandbox apiserver` as a separate process, with TLS and client
// certificates like the real one. The controllers of sandbox/simulation/ run in this process.
class InMemoryControlPlane final : public ControlPlane {
 public:
  explicit InMemoryControlPlane(Controllers controllers);
  ~InMemoryControlPlane() override;

  // The server would lose its objects if it stopped, so it keeps running and breaks every
  // connection.
  void BeginOutage() override;
  void EndOutage() override;
  bool IsReal() const override { return false; }

 private:
  void AwaitServer();
  void StartSimulation();

  const SystemClock clock_;
  std::unique_ptr<Process> api_server_;
  std::unique_ptr<client::Client> client_;
  std::unique_ptr<simulation::Simulation> simulation_;
};

}  // namespace berth::integration
