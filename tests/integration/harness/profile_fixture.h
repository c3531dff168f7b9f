// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/integration/harness/cluster.h"
#include "tests/integration/harness/kubectl.h"

namespace berth::integration {

// ManifestOf is a SchedulerProfile for the standard input of kubectl; without a spec if it is null.
// It is JSON, which any kubectl reads: before 1.35 it takes YAML that begins with "{" for JSON.
std::string ManifestOf(const std::string& name, const Json& spec);

// ProfileTest is the base of suites: it removes what a test made, and shows the operator's log when
// the test failed.
class ProfileTest : public testing::Test {
 protected:
  void TearDown() override;

  // CreateProfile makes a SchedulerProfile with that spec and waits until it is rendered.
  void CreateProfile(const std::string& name, const Json& spec = Json());
  void PatchSpec(const std::string& profile, const Json& spec);
  void AddNode(const std::string& name, const std::string& cpu,
               const Json& labels = Json::object());
  void AddPod(const std::string& name, const std::string& scheduler, const std::string& cpu,
              const Json& spec = Json::object());

  Json Profile(const std::string& name) { return cluster_.Get("sprof", name); }
  // Rendered is the ConfigMap's text under that key, empty without one.
  std::string Rendered(const std::string& profile, const std::string& key);
  // Reported is an annotation that the scheduler of the profile put on its Lease:
  // "berth.dev/<key>".
  std::string Reported(const std::string& profile, const std::string& key);

  // EventuallyRendered: the Deployment of this very profile exists. The operator applies the
  // ServiceAccount, its rights and the configuration before it.
  testing::AssertionResult EventuallyRendered(const std::string& profile);
  testing::AssertionResult EventuallyBound(const std::string& pod, const std::string& node);
  // EventuallyRejected: the pod's condition PodScheduled is Unschedulable, and its message begins so;
  // the result of PostFilter follows.
  testing::AssertionResult EventuallyRejected(const std::string& pod, const std::string& message);
  // EventuallyHas: the profile has the condition with that status and reason, for its generation.
  testing::AssertionResult EventuallyHas(const std::string& profile, const std::string& type,
                                         const std::string& status, const std::string& reason);
  testing::AssertionResult EventuallyApplied(const std::string& profile);

  Cluster& cluster_ = Cluster::Instance();
  std::vector<std::string> profiles_, pods_, nodes_;  // to be removed
};

}  // namespace berth::integration
