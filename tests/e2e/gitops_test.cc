// SPDX-License-Identifier: Apache-2.0
// Another client manages a folder of profiles, like GitOps tools: it applies them repeatedly with
// its own field manager, changes them, and prunes them. No client reverts the changes of another.
#include <fstream>
#include <map>

#include "tests/e2e/harness/cluster_test.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;

class GitOps : public ClusterTest {
 protected:
  void Write(const std::string& name, const std::string& spec) {
    std::ofstream(repository_.path() / (name + ".yaml"))
        << "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\nmetadata:\n  name: " << name
        << "\nspec: " << spec << "\n";
    if (std::ranges::find(profiles_, name) == profiles_.end()) profiles_.push_back(name);
  }

  void Remove(const std::string& name) { remove(repository_.path() / (name + ".yaml")); }

  std::string Sync() {
    const ProcessOutcome outcome = cluster_.Type(
        "KUBECTL_APPLYSET=true kubectl apply --server-side --field-manager=gitops --prune "
        "--applyset=configmap/repository -n " +
        ns_ + " -f " + repository_.path().string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }

  // Versions that change if any client writes to the profiles, other than their status and Leases.
  std::map<std::string, std::string> Versions() {
    std::map<std::string, std::string> versions;
    for (const std::string& profile : profiles_) {
      const std::string name = "berth-" + profile;
      for (const char* kind : {"configmap", "deployment", "role", "service", "networkpolicy"}) {
        const Json object = cluster_.Get(kind, name, kNamespace);
        const bool has_status =
            object.contains("status") && object["metadata"].contains("generation");
        versions[std::string(kind) + " " + name] =
            At(object, has_status ? "/metadata/generation" : "/metadata/resourceVersion").dump();
      }
      versions[profile] = At(cluster_.Get("sprof", profile), "/metadata/generation").dump();
    }
    return versions;
  }

  const integration::TemporaryFolder repository_;
};

TEST_F(GitOps, AppliesChangesAndPrunesProfilesWithoutConflicts) {
  for (const char* name : {"git-a", "git-b", "git-c"}) Write(name, "{}");
  Sync();
  for (const char* name : {"git-a", "git-b", "git-c"}) EXPECT_TRUE(EventuallyReady(name));

  const auto before = Versions();
  for (int i = 0; i < 3; ++i) Sync();
  EXPECT_TRUE(integration::Always("no writes", seconds(5), [&]() -> std::string {
    return Versions() == before ? "" : "something was written";
  }));

  Write("git-a", "{plugins: {score: {disabled: [{name: ImageLocality}]}}}");
  Remove("git-c");
  EXPECT_NE(Sync().find("git-c pruned"), std::string::npos);
  EXPECT_TRUE(EventuallyReady("git-a"));
  EXPECT_TRUE(EventuallyReady("git-b"));
  EXPECT_TRUE(Eventually("the end of git-c", seconds(60), [&]() -> std::string {
    if (!cluster_.Get("deployment", "berth-git-c", kNamespace).is_null()) return "Deployment";
    return SchedulerPods("git-c").empty() ? "" : "pods";
  }));
  const Json managers = At(cluster_.Get("sprof", "git-a"), "/metadata/managedFields");
  for (const Json& entry : managers) {
    if (entry.value("manager", "") == "berth-operator") {
      EXPECT_EQ(entry.value("subresource", ""), "status") << "the operator only writes the status";
    }
  }
}

}  // namespace
}  // namespace berth::e2e
