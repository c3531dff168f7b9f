// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "tests/e2e/harness/pod_stream.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

// A test that needs tools inside of containers is left out where no image has any.
#define NEEDS_TOOLS()                  \
  if (cluster_.images().tools.empty()) \
  GTEST_SKIP() << "BERTH_E2E_TOOLS_IMAGE is not set: an image with /bin/busybox for user 65532"

// OperatorRuns: within a minute the operator has that many pods, all ready, and one of them leads.
testing::AssertionResult OperatorRuns(int replicas = 1);
std::string OperatorLeader();  // name of the pod

// ExpectProfilesEnd: there are no profiles, and within some time no pods of schedulers and no
// namespaces of tests any more.
void ExpectProfilesEnd();

// ExpectNothingLeft: within a minute all is gone that is called after Berth, of the kinds that its
// installation and its profiles bring.
void ExpectNothingLeft();

// ClusterTest is the base of suites: a test has a namespace of its own, and what it made is deleted
// after it, without waiting for its end. Requires: Berth is installed.
class ClusterTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // CreateProfile applies a SchedulerProfile.
  void CreateProfile(const std::string& name, const Json& spec = Json::object());
  void PatchSpec(const std::string& profile, const Json& spec);
  testing::AssertionResult EventuallyReady(const std::string& profile);
  testing::AssertionResult EventuallyHas(const std::string& profile, const std::string& type,
                                         const std::string& status, const std::string& reason,
                                         std::chrono::seconds limit = std::chrono::seconds(30));
  // EventuallyRun: all these pods of the test's namespace are bound and ready.
  testing::AssertionResult EventuallyRun(const std::vector<std::string>& pods,
                                         std::chrono::seconds limit = std::chrono::seconds(60));
  // AwaitPlacements waits until so many more pods of the test's namespace are placed.
  void AwaitPlacements(size_t more);
  // ExpectEverythingRuns ends a stream of pods: each one was placed, once, by one scheduler after the
  // other, and runs. Each has an event that says so, but for so many.
  void ExpectEverythingRuns(PodStream& stream, size_t may_lack_event = 0);
  // RunScript makes a pod that runs a script with a volume at /data, and waits for its good end.
  // `spec` adds to the pod's. Gives what it printed. Requires: an image of tools was given.
  std::string RunScript(const std::string& name, const std::string& scheduler, const Json& volume,
                        const std::string& script, const Json& spec = Json::object());
  // SchedulerPods are those of the profile that are not being deleted.
  std::vector<Json> SchedulerPods(const std::string& profile);
  // Containers gives one line per container that runs for the profile: pod, id and restarts.
  std::set<std::string> Containers(const std::string& profile);

  RealCluster& cluster_ = RealCluster::Instance();
  std::string ns_;
  std::vector<std::string> profiles_;  // to be removed
};

}  // namespace berth::e2e
