// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Pods : public HandlerTest {
 protected:
  Answered Bind(const std::string& pod, const std::string& node, const std::string& uid = {}) {
    json binding = {{"metadata", {{"name", pod}}}, {"target", {{"kind", "Node"}, {"name", node}}}};
    if (!uid.empty()) binding["metadata"]["uid"] = uid;
    return Send("POST", Path(pod) + "/binding", binding);
  }
  static std::string Path(const std::string& name) { return std::string(kPods) + "/" + name; }
};

TEST_F(Pods, BindingSetsNodeOnce) {
  Send("POST", kPods, Pod("a"));
  Send("PATCH", Path("a") + "/status", {{"status", {{"nominatedNodeName", "n9"}}}}, kMerge);
  EXPECT_EQ(Bind("a", "n1", "other").code, 409);
  ASSERT_EQ(Bind("a", "n1").code, 201);
  const auto bound = Send("GET", Path("a"));
  EXPECT_EQ(bound.body["spec"]["nodeName"], "n1");
  EXPECT_FALSE(bound.body["status"].contains("nominatedNodeName"));
  EXPECT_EQ(bound.body["status"]["conditions"][0]["type"], "PodScheduled");
  const auto again = Bind("a", "n2");
  EXPECT_EQ(again.code, 409);
  EXPECT_EQ(again.message(),
            "Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to "
            "node \"n1\"");
}

TEST_F(Pods, BindingRejectsPodWithGates) {
  json pod = Pod("a");
  pod["spec"]["schedulingGates"] = {{{"name", "g"}}};
  const auto made = Send("POST", kPods, pod);
  EXPECT_EQ(made.body["status"]["conditions"][0]["reason"], "SchedulingGated");
  EXPECT_EQ(Bind("a", "n").code, 409);
}

TEST_F(Pods, DeletionWaitsForTheNode) {
  Send("POST", kPods, Pod("a"));
  Bind("a", "n1");
  const auto going = Send("DELETE", Path("a"));
  EXPECT_EQ(going.body["metadata"]["deletionGracePeriodSeconds"], 30);
  EXPECT_EQ(going.body["metadata"]["deletionTimestamp"], "2026-01-01T00:00:30Z");
  EXPECT_EQ(Send("DELETE", Path("a"), {{"gracePeriodSeconds", 5}})
                .body["metadata"]["deletionGracePeriodSeconds"],
            5);
  EXPECT_EQ(Send("DELETE", Path("a"), {{"gracePeriodSeconds", 0}}).code, 200);
  EXPECT_EQ(Send("GET", Path("a")).code, 404);
}

TEST_F(Pods, UnboundPodsAreDeletedAtOnce) {
  Send("POST", kPods, Pod("a"));
  EXPECT_EQ(Send("DELETE", Path("a")).body["kind"], "Pod");
  EXPECT_EQ(Send("GET", Path("a")).code, 404);
}

TEST_F(Pods, StatusAndSpecHaveSeparateEndpoints) {
  Send("POST", kPods, Pod("a"));
  EXPECT_EQ(Send("PATCH", Path("a"), {{"status", {{"phase", "Running"}}}}, kMerge)
                .body["status"]["phase"],
            "Pending");
  EXPECT_EQ(Send("PATCH", Path("a") + "/status", {{"status", {{"phase", "Running"}}}}, kMerge)
                .body["status"]["phase"],
            "Running");
  EXPECT_EQ(Send("PATCH", Path("a"), {{"spec", {{"nodeName", "x"}}}}, kMerge).code, 422);
}

TEST_F(Pods, EvictionRespectsBudget) {
  const std::string budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  Send("POST", kPods, Pod("a"));
  Bind("a", "n1");
  Send("PATCH", Path("a") + "/status", {{"status", {{"phase", "Running"}}}}, kMerge);
  Send("POST", budgets,
       {{"metadata", {{"name", "b"}}},
        {"spec", {{"minAvailable", 1}, {"selector", {{"matchLabels", {{"app", "web"}}}}}}}});
  const auto rejected = Send("POST", Path("a") + "/eviction", {{"metadata", {{"name", "a"}}}});
  EXPECT_EQ(rejected.code, 429);
  EXPECT_EQ(rejected.message(),
            "Cannot evict pod as it would violate the pod's disruption budget.");
  EXPECT_EQ(rejected.body["details"]["causes"][0]["reason"], "DisruptionBudget");
  EXPECT_EQ(rejected.body["details"]["retryAfterSeconds"], 10);
  Send("PATCH", budgets + "/b/status",
       {{"status", {{"observedGeneration", 1}, {"disruptionsAllowed", 1}}}}, kMerge);
  EXPECT_EQ(Send("POST", Path("a") + "/eviction", {{"metadata", {{"name", "a"}}}}).code, 201);
  const auto pod = Send("GET", Path("a"));
  EXPECT_TRUE(pod.body["metadata"].contains("deletionTimestamp"));
  EXPECT_EQ(pod.body["status"]["conditions"].back()["type"], "DisruptionTarget");
  const auto budget = Send("GET", budgets + "/b");
  EXPECT_EQ(budget.body["status"]["disruptionsAllowed"], 0);
  EXPECT_TRUE(budget.body["status"]["disruptedPods"].contains("a"));
  EXPECT_EQ(budget.body["status"]["conditions"][0]["reason"], "InsufficientPods");
}

TEST_F(Pods, ScaleReadsAndWritesReplicas) {
  const std::string path = "/apis/apps/v1/namespaces/default/deployments";
  const json spec = {
      {"selector", {{"matchLabels", {{"a", "b"}}}}},
      {"template",
       {{"metadata", {{"labels", {{"a", "b"}}}}},
        {"spec", {{"containers", json::array({{{"name", "c"}, {"image", "x"}}})}}}}}};
  ASSERT_EQ(Send("POST", path, {{"metadata", {{"name", "d"}}}, {"spec", spec}}).code, 201);
  const auto scale = Send("GET", path + "/d/scale");
  EXPECT_EQ(scale.body["spec"]["replicas"], 1);
  EXPECT_EQ(scale.body["status"]["selector"], "a=b");
  EXPECT_EQ(Send("PATCH", path + "/d/scale", {{"spec", {{"replicas", 4}}}}, kMerge)
                .body["spec"]["replicas"],
            4);
  const auto scaled = Send("GET", path + "/d");
  EXPECT_EQ(scaled.body["spec"]["replicas"], 4);
  EXPECT_EQ(scaled.body["metadata"]["generation"], 2);
}

}  // namespace
}  // namespace berth::apiserver
