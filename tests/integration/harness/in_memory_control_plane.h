// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/clock.h"
#include "client/client.h"
#include "sandbox/simulation/simulation.h"
#include "tests/integration/harness/control_plane.h"

namespace berth::integration {

// InMemoryControlPlane is `berth-sandbox apiserver` as a process of its own, with TLS and client
// certificates as the real one has them, and the controllers of sandbox/simulation/ in this
// process.
class InMemoryControlPlane final : public ControlPlane {
 public:
  explicit InMemoryControlPlane(Controllers controllers);
  ~InMemoryControlPlane() override;

  // The server keeps nothing when it ends, so it goes on and breaks off every connection instead.
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
