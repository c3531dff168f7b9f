// SPDX-License-Identifier: Apache-2.0
// An extender as a sidecar in the scheduler's pod.
#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_view.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;

// An extender as a shell script, for one connection: only the node NODE fits.
constexpr const char* kAnswer = R"(length=0
while read -r line; do
  line=${line%?}
  case $line in "") break ;; [Cc]ontent-[Ll]ength:*) length=${line#*:} ;; esac
done
/bin/busybox head -c $length >/dev/null
answer='{"NodeNames":["NODE"]}'
printf 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n' ${#answer}
printf 'Connection: close\r\n\r\n%s' "$answer"
)";

// Sidecars runs tests with an operator that allows the tools image.
class Sidecars : public ClusterTest {
 protected:
  void SetUp() override {
    ClusterTest::SetUp();
    NEEDS_TOOLS();
    PatchArguments(R"({"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": )" +
                   Json("--allowed-images=" + cluster_.images().tools).dump() + "}");
    is_allowed_ = true;
  }

  void TearDown() override {
    ClusterTest::TearDown();
    if (!is_allowed_) return;
    const Json arguments = At(cluster_.Get("deployment", "berth-operator", kNamespace),
                              "/spec/template/spec/containers/0/args");
    PatchArguments(R"({"op": "remove", "path": "/spec/template/spec/containers/0/args/)" +
                   std::to_string(arguments.size() - 1) + "\"}");
  }

  Json Extender(const std::string& node) const {
    std::string script = kAnswer;
    script.replace(script.find("NODE\"]"), 4, node);
    return {{"name", "extender"},
            {"image", cluster_.images().tools},
            {"command", {"/bin/busybox", "nc", "-ll", "-p", "8888", "-e"}},
            {"args", {"/bin/busybox", "sh", "-c", script}},
            {"port", 8888}};
  }

  // Waits for Ready; until then the profile must never be Stalled.
  void ExpectAtWork(const std::string& profile) {
    std::string stalled;
    EXPECT_TRUE(Eventually(profile + " to be Ready", seconds(60), [&]() -> std::string {
      const Json object = cluster_.Get("sprof", profile);
      if (!Condition(object, "Stalled").empty()) stalled = Condition(object, "Stalled").dump();
      const Json ready = Condition(object, "Ready");
      const bool is_ready = ready.value("status", "") == "True" &&
                            At(ready, "/observedGeneration") == At(object, "/metadata/generation");
      return is_ready ? "" : At(object, "/status").dump();
    }));
    EXPECT_EQ(stalled, "");
  }

 private:
  void PatchArguments(const std::string& operation) {
    cluster_.Kubectl({"patch", "-n", kNamespace, "deployment/berth-operator", "--type=json", "-p",
                      "[" + operation + "]"});
    cluster_.Kubectl({"rollout", "status", "-n", kNamespace, "deployment/berth-operator"});
    ASSERT_TRUE(OperatorRuns());
  }

  bool is_allowed_ = false;
};

TEST_F(Sidecars, AddsAndRemovesAnExtenderOfARunningScheduler) {
  CreateProfile("beside");
  ASSERT_TRUE(EventuallyReady("beside"));
  const std::string node = TextAt(cluster_.List("node", "").front(), "/metadata/name");
  const Json asks = Json::array({{{"urlPrefix", "http://localhost:8888/scheduler"},
                                  {"filterVerb", "filter"},
                                  {"nodeCacheCapable", true}}});
  PatchSpec("beside",
            {{"deployment", {{"sidecars", Json::array({Extender(node)})}}}, {"extenders", asks}});
  ExpectAtWork("beside");
  for (const char* pod : {"asked-1", "asked-2", "asked-3", "asked-4"}) {
    cluster_.Create("pod", ns_, PausePod(ns_, pod, "beside"));
  }
  EXPECT_TRUE(EventuallyRun({"asked-1", "asked-2", "asked-3", "asked-4"}));
  for (const Json& pod : cluster_.List("pod", ns_)) EXPECT_EQ(TextAt(pod, "/spec/nodeName"), node);

  const auto pods = SchedulerPods("beside");
  ASSERT_EQ(pods.size(), 1U);
  const std::string seen =
      LookInside(cluster_, kNamespace, TextAt(pods.front(), "/metadata/name"), "extender",
                 "/bin/busybox grep Uid: /proc/1/status; /bin/busybox cat /proc/1/mounts");
  EXPECT_NE(seen.find("Uid:\t65532\t65532"), std::string::npos) << seen;
  EXPECT_EQ(seen.find("serviceaccount"), std::string::npos) << "it sees the token: " << seen;
  EXPECT_EQ(seen.find("/etc/berth"), std::string::npos) << seen;

  PatchSpec("beside", {{"deployment", {{"sidecars", nullptr}}}, {"extenders", nullptr}});
  ExpectAtWork("beside");
  for (const Json& pod : SchedulerPods("beside")) {
    EXPECT_EQ(At(pod, "/spec/containers").size(), 1U) << pod.dump();
  }
}

}  // namespace
}  // namespace berth::e2e
