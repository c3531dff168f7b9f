// SPDX-License-Identifier: Apache-2.0
// Berth counts pods that it did not place, whichever component placed them.
#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_stream.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;

// Only one pod of a node can use a host port, whatever other pods run in the cluster. Each test
// uses another port, because a kubelet frees a port only after its pod has ended.
constexpr int kFirstPort = 39471;

class ByHand : public ClusterTest {
 protected:
  void SetUp() override {
    ClusterTest::SetUp();
    static int tests = 0;
    port_ = kFirstPort + tests++;
    CreateProfile(ns_);
    ASSERT_TRUE(EventuallyReady(ns_));
    for (const Json& node : cluster_.List("node", "")) {
      const bool is_ready = Condition(node, "Ready").value("status", "") == "True";
      if (is_ready && At(node, "/spec/taints").is_null()) node_ = TextAt(node, "/metadata/name");
    }
    ASSERT_FALSE(node_.empty());
  }

  // Returns a pod that uses the host port of its node.
  Json Taking(const std::string& name, const std::string& scheduler, const Json& spec) const {
    Json pod = PausePod(ns_, name, scheduler, spec);
    pod["spec"]["containers"][0]["ports"] = {{{"containerPort", port_}, {"hostPort", port_}}};
    return pod;
  }
  Json OnNode() const {
    return {{"nodeSelector",
             {{"kubernetes.io/hostname",
               At(cluster_.Get("node", node_), "/metadata/labels/kubernetes.io~1hostname")}}}};
  }
  // Expects a pod of Berth to wait for the port until `release` has freed it.
  void ExpectCounted(const std::function<void()>& release) {
    cluster_.Create("pod", ns_, Taking("waits", ns_, OnNode()));
    EXPECT_TRUE(Eventually("the rejection", seconds(30), [&]() -> std::string {
      const Json scheduled = Condition(cluster_.Get("pod", "waits", ns_), "PodScheduled");
      const std::string message = scheduled.value("message", "");
      const bool is_rejected =
          message.find("1 node(s) didn't have free ports for the requested pod ports") !=
          std::string::npos;
      return is_rejected ? "" : scheduled.dump();
    }));
    release();
    EXPECT_TRUE(EventuallyRun({"waits"}));
  }

  std::string node_;
  int port_ = 0;
};

TEST_F(ByHand, CountsAPodWithANodeName) {
  cluster_.Create("pod", ns_, Taking("direct", "nobody", {{"nodeName", node_}}));
  ASSERT_TRUE(EventuallyRun({"direct"}));
  ExpectCounted([this] { cluster_.Delete("pod", "direct", ns_); });
}

TEST_F(ByHand, CountsADaemonSetOfTheDefaultScheduler) {
  Json pod = Taking("", "default-scheduler", OnNode());
  pod["metadata"] = {{"labels", {{"app", "daemons"}}}};
  cluster_.Create("daemonset", ns_,
                  {{"apiVersion", "apps/v1"},
                   {"kind", "DaemonSet"},
                   {"metadata", {{"name", "daemons"}}},
                   {"spec",
                    {{"selector", {{"matchLabels", {{"app", "daemons"}}}}},
                     {"template", {{"metadata", pod["metadata"]}, {"spec", pod["spec"]}}}}}});
  ASSERT_TRUE(Eventually("the pod of the DaemonSet", seconds(60), [&]() -> std::string {
    const Json status = At(cluster_.Get("daemonset", "daemons", ns_), "/status");
    return status.value("numberReady", 0) == 1 ? "" : status.dump();
  }));
  ExpectCounted([this] { cluster_.Delete("daemonset", "daemons", ns_); });
}

TEST_F(ByHand, CountsAStaticPod) {
  NEEDS_TOOLS();
  const std::string kubelet = integration::ApiAccess::PathOf("node", node_, "");
  const auto settings = cluster_.api().Send("GET", kubelet + "/proxy/configz");
  ASSERT_EQ(settings.code, 200) << settings.body;
  const std::string folder = TextAt(Json::parse(settings.body), "/kubeletconfig/staticPodPath");
  if (folder.empty()) GTEST_SKIP() << "the kubelets of this cluster run no static pods";

  // A pod with a node name, without any scheduler, changes the folder on its node as root.
  const auto change = [&](const std::string& name, const std::string& script) {
    RunScript(name, "nobody", {{"hostPath", {{"path", folder}, {"type", "Directory"}}}}, script,
              {{"nodeName", node_}, {"securityContext", {{"runAsUser", 0}}}});
  };
  const std::string file = "/data/" + ns_ + ".json", begun = "/data/." + ns_;
  const Json pod = Taking("fixed", "nobody", Json::object());
  change("writes", "cat >" + begun + " <<'END'\n" + pod.dump() + "\nEND\nmv " + begun + " " + file);
  const bool runs = static_cast<bool>(EventuallyRun({"fixed-" + node_}));
  EXPECT_TRUE(runs);
  const auto remove = [&] { change("removes", "rm " + file); };
  if (runs) {
    ExpectCounted(remove);
  } else {
    remove();
  }
}

}  // namespace
}  // namespace berth::e2e
