// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/integration/harness/cluster.h"
#include "tests/integration/harness/kubectl.h"

namespace berth::integration {

// Returns a SchedulerProfile for the standard input of kubectl; without a spec if it is null. It is
// JSON, which every kubectl reads: before 1.35 kubectl takes YAML that begins with "{" for JSON.
std::string ManifestOf(const std::string& name, const Json& spec);

// ProfileTest is the base of suites: it deletes the objects of a test, and prints the operator's
// log if the test failed.
class ProfileTest : public testing::Test {
 protected:
  void TearDown() override;

  // Creates a SchedulerProfile with that spec and waits until it is rendered.
  void CreateProfile(const std::string& name, const Json& spec = Json());
  void PatchSpec(const std::string& profile, const Json& spec);
  void AddNode(const std::string& name, const std::string& cpu,
               const Json& labels = Json::object());
  void AddPod(const std::string& name, const std::string& scheduler, const std::string& cpu,
              const Json& spec = Json::object());

  Json Profile(const std::string& name) { return cluster_.Get("sprof", name); }
  // Returns the ConfigMap's text under that key, or an empty text.
  std::string Rendered(const std::string& profile, const std::string& key);
  // Returns an annotation of the scheduler on its Lease: "berth.dev/<key>".
  std::string Reported(const std::string& profile, const std::string& key);

  // Returns the lines about corrected drift in the operator's output from that byte on.
  std::vector<std::string> CorrectionsSince(size_t start);

  // Waits for the Deployment of this profile. The operator applies the ServiceAccount, its
  // permissions and the configuration before it.
  testing::AssertionResult EventuallyRendered(const std::string& profile);
  testing::AssertionResult EventuallyBound(const std::string& pod, const std::string& node);
  // Waits for a PodScheduled condition with reason Unschedulable and a message with this prefix;
  // the result of PostFilter follows.
  testing::AssertionResult EventuallyRejected(const std::string& pod, const std::string& message);
  // Waits for a condition of the profile with that status and reason, for its generation.
  testing::AssertionResult EventuallyHas(const std::string& profile, const std::string& type,
                                         const std::string& status, const std::string& reason);
  testing::AssertionResult EventuallyApplied(const std::string& profile);

  Cluster& cluster_ = Cluster::Instance();
  std::vector<std::string> profiles_, pods_, nodes_;  // deleted at the end
};

}  // namespace berth::integration
