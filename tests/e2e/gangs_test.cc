// SPDX-License-Identifier: Apache-2.0
// Gangs with kubelets: either all pods of a PodGroup run, or none has a node.
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/yaml/yaml.h"
#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_stream.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;

constexpr const char* kPodGroups = "podgroups.scheduling.x-k8s.io";
constexpr const char* kLabel = "scheduling.x-k8s.io/pod-group";
constexpr int kSeats = 4;  // per node; a pod uses one

// PodGroupKind installs the CustomResourceDefinition if the cluster has none, and removes it after
// all tests. An API server keeps watches of a deleted definition open for a minute or two, without
// events of a recreated one.
class PodGroupKind final : public testing::Environment {
 public:
  static void Install() {
    RealCluster& cluster = RealCluster::Instance();
    if (!cluster.Get("customresourcedefinition", kPodGroups).is_null()) return;
    const std::string file = integration::SourceFile("deploy/podgroups.yaml");
    const auto documents =
        integration::Must(file, yaml::DocumentsToJson(integration::Must(file, ReadFile(file))));
    cluster.Apply(Json::parse(documents.front()));
    cluster.Kubectl({"wait", "--for=condition=Established", std::string("crd/") + kPodGroups});
    is_ours_ = true;
  }
  void TearDown() override {
    if (is_ours_) RealCluster::Instance().Delete("customresourcedefinition", kPodGroups);
  }

 private:
  static inline bool is_ours_ = false;
};

[[maybe_unused]] const testing::Environment* const kPodGroupKind =
    testing::AddGlobalTestEnvironment(new PodGroupKind);  // GoogleTest owns it

// Two gangs, red and blue; each needs all seats of all nodes.
class Gangs : public ClusterTest {
 protected:
  void SetUp() override {
    ClusterTest::SetUp();
    PodGroupKind::Install();
    CreateProfile(ns_, {{"plugins",
                         {{"multiPoint",
                           {{"disabled", Json::array({{{"name", "PrioritySort"}}})},
                            {"enabled", Json::array({{{"name", "Coscheduling"}}})}}}}}});
    ASSERT_TRUE(EventuallyReady(ns_));
    for (const Json& node : cluster_.List("node", "")) {
      const bool is_ready = Condition(node, "Ready").value("status", "") == "True";
      if (is_ready && At(node, "/spec/taints").is_null()) {
        nodes_.push_back(TextAt(node, "/metadata/name"));
      }
    }
    ASSERT_FALSE(nodes_.empty());
    // Any client may set a resource that kubelets do not manage.
    for (const std::string& node : nodes_) SetSeats(node, std::to_string(kSeats));
    size_ = kSeats * static_cast<int>(nodes_.size());
  }
  void TearDown() override {
    for (const std::string& node : nodes_) SetSeats(node, nullptr);
    if (HasFailure()) {
      std::cerr << cluster_.TryKubectl({"get", "podgroups", "-n", ns_, "-o", "yaml"}).out;
    }
    ClusterTest::TearDown();
  }

  std::string Seat() const { return "example.com/" + ns_; }
  void SetSeats(const std::string& node, const Json& seats) {
    cluster_.Patch(
        "node", node, "",
        {{"status", {{"capacity", {{Seat(), seats}}}, {"allocatable", {{Seat(), seats}}}}}},
        "status");
  }
  void AddGroup(const std::string& gang) {
    cluster_.Create("podgroup", ns_,
                    {{"apiVersion", "scheduling.x-k8s.io/v1alpha1"},
                     {"kind", "PodGroup"},
                     {"metadata", {{"name", gang}}},
                     {"spec", {{"minMember", size_}}}});
  }
  static std::string Member(const std::string& gang, int i) {
    return gang + "-" + std::to_string(i);
  }
  std::vector<std::string> Members(const std::string& gang) const {
    std::vector<std::string> members;
    for (int i = 0; i < size_; ++i) members.push_back(Member(gang, i));
    return members;
  }
  void AddMember(const std::string& gang, int i) {
    Json pod = PausePod(ns_, Member(gang, i), ns_);
    pod["metadata"]["labels"][kLabel] = gang;
    Json& resources = pod["spec"]["containers"][0]["resources"];
    resources["requests"][Seat()] = "1";
    resources["limits"][Seat()] = "1";
    cluster_.Create("pod", ns_, pod);
  }
  void DeleteMembers(const std::string& gang, int from, int to) {
    for (int i = from; i < to; ++i) cluster_.Delete("pod", Member(gang, i), ns_);
  }

  // Returns the number of placed pods of each gang.
  std::map<std::string, int> Look() {
    std::map<std::string, int> placed = {{"red", 0}, {"blue", 0}};
    for (const Json& pod : cluster_.List("pod", ns_, kLabel)) {
      const bool has_node = !TextAt(pod, "/spec/nodeName").empty();
      placed[At(pod, "/metadata/labels")[kLabel]] += has_node ? 1 : 0;
    }
    return placed;
  }
  // Waits until one gang is placed completely; at no time may both gangs have nodes. Bindings are
  // sent together but executed one by one, so some may still be missing.
  testing::AssertionResult EventuallyWhole(std::string& whole) {
    bool both = false;
    const auto outcome = Eventually("a complete gang", seconds(60), [&]() -> std::string {
      const std::map<std::string, int> placed = Look();
      both |= placed.at("red") > 0 && placed.at("blue") > 0;
      for (const auto& [gang, count] : placed) {
        if (count == size_) whole = gang;
      }
      return !whole.empty() ? ""
                            : std::to_string(placed.at("red")) + " of red, " +
                                  std::to_string(placed.at("blue")) + " of blue";
    });
    EXPECT_FALSE(both) << "both gangs held a part of the room";
    return outcome;
  }
  testing::AssertionResult EventuallyReports(const std::string& gang, const std::string& phase,
                                             int running) {
    return Eventually("the status of " + gang, seconds(60), [&]() -> std::string {
      const Json status = At(cluster_.Get("podgroup", gang, ns_), "/status");
      const bool same = TextAt(status, "/phase") == phase && status.value("running", 0) == running;
      return same ? "" : status.dump();
    });
  }
  std::string WhyNone(const std::string& gang) {
    const int placed = Look().at(gang);
    return placed == 0 ? "" : std::to_string(placed) + " of " + gang + " have a node";
  }

  std::vector<std::string> nodes_;
  int size_ = 0;
};

TEST_F(Gangs, SecondGangRunsAfterTheFirstEnds) {
  AddGroup("red");
  AddGroup("blue");
  for (int i = 0; i < size_; ++i) {
    AddMember("red", i);
    AddMember("blue", i);
  }
  std::string first;
  ASSERT_TRUE(EventuallyWhole(first));
  const std::string second = first == "red" ? "blue" : "red";
  EXPECT_TRUE(EventuallyRun(Members(first)));
  EXPECT_TRUE(EventuallyReports(first, "Running", size_));
  EXPECT_TRUE(EventuallyReports(second, "Scheduling", 0));
  EXPECT_TRUE(Eventually("what the PodGroup says", seconds(10), [&]() -> std::string {
    for (const Json& event : cluster_.List("event", ns_)) {
      const bool is_of_group = TextAt(event, "/regarding/kind") == "PodGroup" &&
                               TextAt(event, "/regarding/name") == second;
      const bool says_why =
          TextAt(event, "/note").find("Insufficient " + Seat()) != std::string::npos;
      if (is_of_group && event.value("reason", "") == "FailedScheduling" && says_why) return "";
    }
    return "nothing";
  }));

  // Room for a part of the gang is not enough.
  DeleteMembers(first, 0, size_ / 2);
  EXPECT_TRUE(Eventually("room for half a gang", seconds(30), [&]() -> std::string {
    const int left = Look().at(first);
    return left == size_ - size_ / 2 ? "" : std::to_string(left);
  }));
  EXPECT_TRUE(Always("the gang waits", seconds(5), [&] { return WhyNone(second); }));

  DeleteMembers(first, size_ / 2, size_);
  std::string next;
  ASSERT_TRUE(Eventually("no pod of the first", seconds(30), [&] { return WhyNone(first); }));
  ASSERT_TRUE(EventuallyWhole(next));
  EXPECT_EQ(next, second);
  EXPECT_TRUE(EventuallyRun(Members(second)));
  EXPECT_TRUE(EventuallyReports(second, "Running", size_));
  EXPECT_TRUE(EventuallyReports(first, "Pending", 0));
}

}  // namespace
}  // namespace berth::e2e
