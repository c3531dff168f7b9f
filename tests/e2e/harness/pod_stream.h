// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// Returns a pod that does nothing; `spec` adds to its spec.
Json PausePod(const std::string& ns, const std::string& name, const std::string& scheduler,
              const Json& spec = Json::object());

// PodStream creates pods for a scheduler continuously.
class PodStream {
 public:
  PodStream(RealCluster& cluster, std::string ns, std::string scheduler,
            std::chrono::milliseconds pause, Json spec = Json::object());
  ~PodStream() { Stop(); }
  PodStream(const PodStream&) = delete;
  PodStream& operator=(const PodStream&) = delete;

  // Stops the stream. Afterwards Names() are the created pods, and Rejections() the errors of the
  // API server.
  void Stop();
  const std::vector<std::string>& Names() const { return names_; }
  const std::vector<std::string>& Rejections() const { return rejections_; }

 private:
  void Make(const std::stop_token& stop);

  RealCluster& cluster_;
  const std::string ns_;
  const std::string scheduler_;
  const std::chrono::milliseconds pause_;
  const Json spec_;
  std::vector<std::string> names_;       // owned by the thread until it has ended
  std::vector<std::string> rejections_;  // likewise
  std::jthread thread_;
};

// Placement is one Scheduled event.
struct Placement {
  std::string pod;
  std::string by;    // the reporting instance: one process
  std::string when;  // event time; comparable as text
};

// Returns the placements of a namespace, the earliest first.
std::vector<Placement> PlacementsIn(RealCluster& cluster, const std::string& ns);

// Checks that each instance stopped before the next one started, and that no pod was placed twice.
testing::AssertionResult NeverTwoAtOnce(const std::vector<Placement>& placements);

}  // namespace berth::e2e
