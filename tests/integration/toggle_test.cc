// SPDX-License-Identifier: Apache-2.0
// Enables and disables plugins from the command line as a user who may only write profiles, while
// another field manager applies the same profile.
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

class Toggling : public ProfileTest {
 protected:
  static void SetUpTestSuite() {
    Cluster& cluster = Cluster::Instance();
    cluster.Apply({{"apiVersion", "v1"},
                   {"kind", "ServiceAccount"},
                   {"metadata", {{"name", "toggler"}, {"namespace", "default"}}}});
    const Json account = {
        {"kind", "ServiceAccount"}, {"name", "toggler"}, {"namespace", "default"}};
    cluster.Apply({{"apiVersion", "rbac.authorization.k8s.io/v1"},
                   {"kind", "ClusterRoleBinding"},
                   {"metadata", {{"name", "toggler"}}},
                   {"roleRef",
                    {{"apiGroup", "rbac.authorization.k8s.io"},
                     {"kind", "ClusterRole"},
                     {"name", "berth:schedulerprofiles-editor"}}},
                   {"subjects", Json::array({account})}});
  }
  static void TearDownTestSuite() {
    Cluster::Instance().Delete("clusterrolebinding", "toggler");
    Cluster::Instance().Delete("serviceaccount", "toggler", "default");
  }

  // Applies the profile as its owner; may be repeated.
  void Sync(const Json& plugins) {
    profiles_ = {"toggled"};
    cluster_.Apply({{"apiVersion", "berth.dev/v1alpha1"},
                    {"kind", "SchedulerProfile"},
                    {"metadata", {{"name", "toggled"}}},
                    {"spec", {{"plugins", plugins}}}});
  }

  ProcessOutcome Berth(Arguments arguments) {
    arguments.insert(arguments.begin(), BerthBinary().string());
    arguments.insert(arguments.end(), {"--profile", "toggled", "--kubeconfig", kubeconfig_});
    return integration::Run(arguments);
  }

  Json Plugins() { return At(Profile("toggled"), "/spec/plugins"); }
  // Waits until status.plugins, the active plugins, match.
  testing::AssertionResult EventuallyRuns(const std::string& plugin, bool runs) {
    return Eventually("status.plugins", seconds(30), [&]() -> std::string {
      const Json plugins = At(Profile("toggled"), "/status/plugins");
      bool found = false;
      for (const Json& each : plugins) found |= each["name"] == plugin;
      const bool is_known = !plugins.empty();
      return is_known && found == runs ? "" : plugins.dump();
    });
  }

  const std::string kubeconfig_ = cluster_.control_plane().KubeconfigOf("default", "toggler");
};

TEST_F(Toggling, PersistsWhileAnotherManagerApplies) {
  const Json applied = {
      {"score", {{"enabled", Json::array({{{"name", "NodeAffinity"}, {"weight", 5}}})}}}};
  Sync(applied);
  EXPECT_TRUE(EventuallyRuns("NodePorts", true));

  const ProcessOutcome off = Berth({"disable", "NodePorts"});
  EXPECT_EQ(off.exit_code, 0) << off.err;
  EXPECT_TRUE(EventuallyRuns("NodePorts", false));
  Sync(applied);
  EXPECT_EQ(At(Plugins(), "/multiPoint/disabled/0/name"), "NodePorts");

  const ProcessOutcome on = Berth({"enable", "NodePorts"});
  EXPECT_EQ(on.exit_code, 0) << on.err;
  EXPECT_TRUE(EventuallyRuns("NodePorts", true));
  EXPECT_EQ(Plugins(), applied) << "as before";
}

TEST_F(Toggling, FailsOnConflictsUnlessForced) {
  const Json applied = {
      {"score", {{"enabled", Json::array({{{"name", "NodeAffinity"}, {"weight", 5}}})}}}};
  Sync(applied);
  const ProcessOutcome stopped = Berth({"weight", "NodeAffinity", "9"});
  EXPECT_EQ(stopped.exit_code, 1);
  EXPECT_NE(stopped.err.find("spec.plugins.score.enabled[name=NodeAffinity].weight is owned by "),
            std::string::npos)
      << stopped.err;
  EXPECT_NE(stopped.out.find("      - name: NodeAffinity\n        weight: 9\n"), std::string::npos)
      << stopped.out;
  EXPECT_EQ(Plugins(), applied);

  const ProcessOutcome forced = Berth({"weight", "NodeAffinity", "9", "--force"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_EQ(At(Plugins(), "/score/enabled/0/weight"), 9);
  Sync(applied);
  EXPECT_EQ(Plugins(), applied) << "the owner reverts it";
}

TEST_F(Toggling, ServerDryRunWritesNothing) {
  Sync(Json::object());
  const ProcessOutcome dry = Berth({"disable", "NodePorts", "--dry-run=server"});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_TRUE(At(Plugins(), "/multiPoint").is_null());
}

constexpr const char* kPodGroups = "podgroups.scheduling.x-k8s.io";

// Enables and disables Coscheduling while gangs wait; their workers request one CPU each.
class TogglingOfGangs : public Toggling {
 protected:
  void SetUp() override {
    cluster_.ApplyFile("deploy/podgroups.yaml");
    ASSERT_TRUE(Eventually("the kind PodGroup", seconds(10), [this]() -> std::string {
      const Json kind = cluster_.Get("customresourcedefinition", kPodGroups);
      return Condition(kind, "Established").value("status", "") == "True" ? "" : kind.dump();
    }));
  }
  void TearDown() override {
    Toggling::TearDown();
    cluster_.Delete("customresourcedefinition", kPodGroups);
    for (const char* role : {"berth:podgroups-editor", "berth:podgroups-viewer"}) {
      cluster_.Delete("clusterrole", role);
    }
  }

  void AddGang(const std::string& name, int workers) {
    cluster_.Create("podgroup", "default",
                    {{"apiVersion", "scheduling.x-k8s.io/v1alpha1"},
                     {"kind", "PodGroup"},
                     {"metadata", {{"name", name}}},
                     {"spec", {{"minMember", workers}}}});
    for (int i = 0; i < workers; ++i) {
      pods_.push_back(name + "-" + std::to_string(i));
      const Json container = {{"name", "c"},
                              {"image", "registry.k8s.io/pause:3.10"},
                              {"resources", {{"requests", {{"cpu", "1"}}}}}};
      cluster_.Create(
          "pod", "default",
          {{"apiVersion", "v1"},
           {"kind", "Pod"},
           {"metadata",
            {{"name", pods_.back()}, {"labels", {{"scheduling.x-k8s.io/pod-group", name}}}}},
           {"spec", {{"schedulerName", "toggled"}, {"containers", Json::array({container})}}}});
    }
  }
  void Toggle(const std::string& verb) {
    const ProcessOutcome outcome = Berth({verb, "Coscheduling"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(EventuallyRuns("Coscheduling", verb == "enable"));
    EXPECT_TRUE(EventuallyRuns("PrioritySort", verb == "disable"));
  }

  // Returns an error unless this many workers of the gang have nodes and the other workers report
  // why they wait.
  std::string PlacedComplaint(const std::string& gang, int wanted) {
    int placed = 0;
    for (const Json& pod :
         cluster_.List("pod", "default", "scheduling.x-k8s.io/pod-group=" + gang)) {
      const bool has_node = !TextAt(pod, "/spec/nodeName").empty();
      placed += has_node ? 1 : 0;
      const bool is_rejected =
          Condition(pod, "PodScheduled").value("reason", "") == "Unschedulable";
      if (!has_node && !is_rejected) return pod.dump();
    }
    return placed == wanted ? "" : std::to_string(placed) + " are placed";
  }
  testing::AssertionResult EventuallyPlaced(const std::string& gang, int wanted) {
    return Eventually(gang + " has " + std::to_string(wanted) + " placed", seconds(20),
                      [&] { return PlacedComplaint(gang, wanted); });
  }
};

TEST_F(TogglingOfGangs, TakesEffectOnWaitingPods) {
  Sync(Json::object());
  EXPECT_TRUE(EventuallyRendered("toggled"));
  AddNode("toggled-1", "2");
  AddGang("three", 3);
  Toggle("enable");
  const SchedulerProcess scheduler(cluster_, "toggled");
  EXPECT_TRUE(EventuallyApplied("toggled"));
  EXPECT_TRUE(EventuallyPlaced("three", 0));

  Toggle("disable");
  EXPECT_TRUE(EventuallyApplied("toggled"));
  EXPECT_TRUE(EventuallyPlaced("three", 2)) << "placed as single pods";
  AddGang("two", 2);
  EXPECT_TRUE(EventuallyPlaced("two", 0));

  Toggle("enable");
  EXPECT_TRUE(EventuallyApplied("toggled"));
  AddNode("toggled-2", "1");
  EXPECT_TRUE(EventuallyPlaced("three", 3)) << "complete with one more";
  AddNode("toggled-3", "1");
  EXPECT_TRUE(
      Always("nothing of a gang of two", seconds(3), [this] { return PlacedComplaint("two", 0); }));
  AddNode("toggled-4", "1");
  EXPECT_TRUE(EventuallyPlaced("two", 2));
}

}  // namespace
}  // namespace berth::integration
