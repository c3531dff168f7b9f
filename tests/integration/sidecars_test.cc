// SPDX-License-Identifier: Apache-2.0
// Extenders as sidecars of the scheduler: their rendering, and the requests to localhost.
#include "http/server/server.h"
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

// Returns an extender server that filters out all nodes but one.
std::unique_ptr<http::Server> ExtenderThatLeaves(const std::string& node) {
  const std::string answer = Json{{"NodeNames", {node}}}.dump();
  auto server = http::Server::Start({.max_body_bytes = 1 << 20}, [answer](const http::Request&) {
    return http::Response{
        .code = 200, .headers = {{"Content-Type", "application/json"}}, .body = answer};
  });
  if (!server) throw std::runtime_error(server.error().message());
  return *std::move(server);
}

Json SidecarAt(int port) {
  return {{"name", "extender"}, {"image", "example.com/extender:1"}, {"port", port}};
}

// Returns a spec with a sidecar on that port and an extender on it.
Json SpecWith(int port) {
  return {{"deployment", {{"sidecars", Json::array({SidecarAt(port)})}}},
          {"extenders", Json::array({{{"urlPrefix", "http://localhost:" + std::to_string(port)},
                                      {"filterVerb", "filter"},
                                      {"nodeCacheCapable", true}}})}};
}

class Sidecars : public ProfileTest {
 protected:
  Json Containers(const std::string& profile) {
    return At(cluster_.Get("deployment", "berth-" + profile, kNamespace),
              "/spec/template/spec/containers");
  }

  // Runs a scheduler for the profile and expects it to place four pods on this one of two nodes.
  void ExpectAllAt(const std::string& node, const std::string& profile) {
    const SchedulerProcess scheduler(cluster_, profile);
    for (int i = 0; i < 4; ++i) {
      const std::string pod = profile + "-" + std::to_string(i);
      AddPod(pod, profile, "100m");
      EXPECT_TRUE(EventuallyBound(pod, node)) << scheduler.Output();
    }
  }

  testing::AssertionResult EventuallyContainers(const std::string& profile, size_t count) {
    return Eventually("the containers", seconds(10), [&]() -> std::string {
      return Containers(profile).size() == count ? "" : Containers(profile).dump();
    });
  }
};

// The namespace admits only restricted pods; the real API server enforces that.
TEST_F(Sidecars, RunInPodsThatAreAdmittedWithoutTheToken) {
  CreateProfile("beside", SpecWith(8888));
  Json pods;
  EXPECT_TRUE(Eventually("a pod of the Deployment", seconds(10), [&]() -> std::string {
    pods = cluster_.List("pod", kNamespace, "berth.dev/profile=beside");
    if (!pods.empty()) return "";
    return cluster_.Get("deployment", "berth-beside", kNamespace)["status"].dump();
  }));
  ASSERT_FALSE(pods.empty());
  const Json containers = At(pods.at(0), "/spec/containers");
  ASSERT_EQ(containers.size(), 2u) << containers.dump(1);
  EXPECT_EQ(At(containers, "/0/name"), "scheduler");
  EXPECT_EQ(At(containers, "/1/name"), "extender");
  EXPECT_TRUE(At(containers, "/1/volumeMounts").is_null()) << containers.dump(1);
  EXPECT_EQ(At(pods.at(0), "/spec/automountServiceAccountToken"), false);
}

TEST_F(Sidecars, AreRemovedWithTheirPartOfTheProfile) {
  CreateProfile("left", SpecWith(8888));
  EXPECT_TRUE(EventuallyContainers("left", 2));
  Json other = SidecarAt(8888);
  other["image"] = "example.com/extender:2";
  PatchSpec("left", {{"deployment", {{"sidecars", Json::array({other})}}}});
  EXPECT_TRUE(Eventually("the new image", seconds(10), [&]() -> std::string {
    const Json containers = Containers("left");
    return At(containers, "/1/image") == "example.com/extender:2" ? "" : containers.dump();
  }));
  PatchSpec("left", {{"deployment", {{"sidecars", nullptr}}}, {"extenders", nullptr}});
  EXPECT_TRUE(EventuallyContainers("left", 1));
  EXPECT_EQ(At(Containers("left"), "/0/name"), "scheduler");
}

// Runs a scheduler with the rendered arguments and configuration, next to a sidecar that a kubelet
// would start.
TEST_F(Sidecars, AreCalledOnLocalhost) {
  AddNode("beside-1", "4");
  AddNode("beside-2", "4");
  const auto extender = ExtenderThatLeaves("beside-2");
  CreateProfile("asks", SpecWith(extender->port()));
  ExpectAllAt("beside-2", "asks");
}

TEST_F(Sidecars, AreCalledByAKubeScheduler) {
  if (!cluster_.control_plane().IsReal()) GTEST_SKIP() << "a kube-scheduler needs the real one";
  AddNode("stock-1", "4");
  AddNode("stock-2", "4");
  const auto extender = ExtenderThatLeaves("stock-2");
  Json spec = SpecWith(extender->port());
  spec["engine"] = {{"type", "KubeScheduler"}};
  CreateProfile("stock-asks", spec);
  EXPECT_TRUE(EventuallyContainers("stock-asks", 2));
  ExpectAllAt("stock-2", "stock-asks");
}

}  // namespace
}  // namespace berth::integration
