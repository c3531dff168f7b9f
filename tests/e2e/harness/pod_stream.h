// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// PausePod is a pod that does nothing; `spec` adds to its spec.
Json PausePod(const std::string& ns, const std::string& name, const std::string& scheduler,
              const Json& spec = Json::object());

// PodStream makes pods that name a scheduler, one after the other, as people do all day.
class PodStream {
 public:
  PodStream(RealCluster& cluster, std::string ns, std::string scheduler,
            std::chrono::milliseconds pause, Json spec = Json::object());
  ~PodStream() { Stop(); }
  PodStream(const PodStream&) = delete;
  PodStream& operator=(const PodStream&) = delete;

  // Stop ends it; afterwards Names() are the pods that were made, and Refusals() what the API server
  // said no to.
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
  std::vector<std::string> names_;       // of the thread until it has ended
  std::vector<std::string> rejections_;  // likewise
  std::jthread thread_;
};

// Placement is one event Scheduled.
struct Placement {
  std::string pod;
  std::string by;    // the instance that reports it: one process
  std::string when;  // event time; texts compare as times do
};

// PlacementsIn gives those of a namespace, the earliest first.
std::vector<Placement> PlacementsIn(RealCluster& cluster, const std::string& ns);

// NeverTwoAtOnce: each instance has done its part when the next one begins, and no pod was placed
// twice.
testing::AssertionResult NeverTwoAtOnce(const std::vector<Placement>& placements);

}  // namespace berth::e2e
