// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "tests/e2e/harness/pod_stream.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// Skips tests that need tools inside of containers if no image has them.
#define NEEDS_TOOLS()                  \
  if (cluster_.images().tools.empty()) \
  GTEST_SKIP() << "BERTH_E2E_TOOLS_IMAGE is not set: an image with /bin/busybox for user 65532"

// Waits up to a minute until the operator has that many pods, all ready, and one of them leads.
testing::AssertionResult OperatorRuns(int replicas = 1);
std::string OperatorLeader();  // name of the pod

// Waits until there are no profiles, no scheduler pods and no test namespaces.
void ExpectProfilesEnd();

// Waits up to a minute until no object with Berth's name is left, of the kinds of an installation
// and its profiles.
void ExpectNothingLeft();

// ClusterTest is the base of suites: each test has its own namespace, and its objects are deleted
// afterwards, without waiting. Requires: Berth is installed.
class ClusterTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Applies a SchedulerProfile.
  void CreateProfile(const std::string& name, const Json& spec = Json::object());
  void PatchSpec(const std::string& profile, const Json& spec);
  testing::AssertionResult EventuallyReady(const std::string& profile);
  testing::AssertionResult EventuallyHas(const std::string& profile, const std::string& type,
                                         const std::string& status, const std::string& reason,
                                         std::chrono::seconds limit = std::chrono::seconds(30));
  // Waits until all these pods of the test's namespace are bound and ready.
  testing::AssertionResult EventuallyRun(const std::vector<std::string>& pods,
                                         std::chrono::seconds limit = std::chrono::seconds(60));
  // Waits until this many more pods of the test's namespace are placed.
  void AwaitPlacements(size_t more);
  // Stops a stream of pods and expects that each pod was placed once, by one scheduler at a time,
  // and runs. All but `may_lack_event` pods have a Scheduled event.
  void ExpectEverythingRuns(PodStream& stream, size_t may_lack_event = 0);
  // Creates a pod that runs a script with a volume at /data, and waits for its success. `spec` adds
  // to the pod's spec. Returns the output. Requires: a tools image is set.
  std::string RunScript(const std::string& name, const std::string& scheduler, const Json& volume,
                        const std::string& script, const Json& spec = Json::object());
  // Returns the profile's scheduler pods, without terminating ones.
  std::vector<Json> SchedulerPods(const std::string& profile);
  // Returns one line per running container of the profile: pod, id and restarts.
  std::set<std::string> Containers(const std::string& profile);

  RealCluster& cluster_ = RealCluster::Instance();
  std::string ns_;
  std::vector<std::string> profiles_;  // deleted at the end
};

}  // namespace berth::e2e
