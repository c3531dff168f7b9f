// SPDX-License-Identifier: Apache-2.0
// Deletion of profiles: the garbage collector's work is no drift, and the names of a deleted profile
// stay in use as long as its scheduler may bind pods.
#include "base/strings.h"
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr int kProfiles = 6;

class Deletion : public ProfileTest {
 protected:
  // Creates profiles PREFIX-0, PREFIX-1, … and deletes all of them at once.
  std::vector<std::string> DeleteMany(const std::string& prefix, const std::string& cascade) {
    std::vector<std::string> names;
    for (int i = 0; i < kProfiles; ++i) names.push_back(prefix + "-" + std::to_string(i));
    for (const std::string& name : names) CreateProfile(name);
    Arguments arguments = {"delete", "sprof", "--cascade=" + cascade};
    arguments.insert(arguments.end(), names.begin(), names.end());
    cluster_.Kubectl(arguments);
    return names;
  }
  // Deletes a scheduler as the operator advises.
  void DeleteOrphan(const std::string& profile) {
    cluster_.Kubectl({"delete", "deployments,clusterrolebindings", "--all-namespaces", "-l",
                      "berth.dev/profile=" + profile});
  }
};

TEST_F(Deletion, NoObjectIsWrittenAgain) {
  NEEDS_KUBECTL();
  for (const char* cascade : {"background", "foreground", "orphan"}) {
    SCOPED_TRACE(cascade);
    const size_t start = cluster_.operator_process().Output().size();
    const auto names = DeleteMany(std::string("gone-") + cascade, cascade);
    const bool is_kept = std::string(cascade) == "orphan";
    EXPECT_TRUE(Eventually("end of the deletion", seconds(60), [&]() -> std::string {
      for (const std::string& name : names) {
        const Json deployment = cluster_.Get("deployment", "berth-" + name, kNamespace);
        if (deployment.is_null() == is_kept) return name;
        if (is_kept && deployment.at("metadata").contains("ownerReferences")) return name;
      }
      return "";
    }));
    EXPECT_TRUE(Always("nothing is written again", seconds(2), [&]() -> std::string {
      for (const std::string& name : names) {
        const Json deployment = cluster_.Get("deployment", "berth-" + name, kNamespace);
        if (deployment.is_null() == is_kept) return name;
        if (is_kept && deployment.at("metadata").contains("ownerReferences")) return name;
      }
      return Join(CorrectionsSince(start), "\n");
    }));
    for (const std::string& name : names) {
      for (const char* kind : {"service", "serviceaccount", "configmap", "role", "lease"}) {
        EXPECT_EQ(cluster_.Get(kind, "berth-" + name, kNamespace).is_null(), !is_kept)
            << kind << " of " << name;
      }
      DeleteOrphan(name);
    }
  }
}

TEST_F(Deletion, OrphanKeepsItsNamesUntilItIsDeleted) {
  NEEDS_KUBECTL();
  CreateProfile("old", {{"aliases", {"old-alias"}}});
  CreateProfile("taker", {{"aliases", {"old", "old-alias"}}});
  cluster_.Kubectl({"delete", "sprof", "old", "--cascade=orphan"});
  EXPECT_TRUE(EventuallyHas("taker", "Stalled", "True", "NameTaken"));
  EXPECT_EQ(cluster_.StopOperator(), 0) << cluster_.operator_process().Output();
  cluster_.StartOperator();
  CreateProfile("later");  // waits until the operator reconciles
  EXPECT_TRUE(Always("the names stay", seconds(2), [&]() -> std::string {
    const Json names = At(Profile("taker"), "/status/scheduler/names");
    return names == Json{"taker"} ? "" : names.dump();
  }));
  EXPECT_TRUE(EventuallyHas("taker", "Stalled", "True", "NameTaken"));
  EXPECT_TRUE(Eventually("an event", seconds(10), [&]() -> std::string {
    for (const Json& event : cluster_.List("event", kNamespace)) {
      if (event.value("reason", "") == "SchedulerOrphaned") return "";
    }
    return "none";
  }));
  DeleteOrphan("old");
  EXPECT_TRUE(Eventually("the names", seconds(10), [&]() -> std::string {
    const Json names = At(Profile("taker"), "/status/scheduler/names");
    return names == Json{"taker", "old", "old-alias"} ? "" : names.dump();
  }));
}

}  // namespace
}  // namespace berth::integration
