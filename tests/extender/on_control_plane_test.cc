// SPDX-License-Identifier: Apache-2.0
// Compares a stock kube-scheduler that calls `berth extender` with Berth running the same plugins
// in process, on a real API server.
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "http/crypto/certificates.h"
#include "tests/integration/harness/objects.h"
#include "tests/integration/harness/real_control_plane.h"
#include "tests/integration/harness/wait.h"

namespace berth::extender {
namespace {

using integration::At;
using integration::Condition;
using integration::Eventually;
using integration::Json;
using integration::Process;
using integration::RealControlPlane;
using integration::TextAt;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr const char* kScheduler = "tested";
constexpr const char* kTooLong = "the pod's name has 13 characters, it must have fewer than 5";

// Plugins that both schedulers run in process: the pod must fit the node's resources.
Json OwnPlugins() {
  const Json all = Json::array({{{"name", "*"}}});
  return {{"multiPoint", {{"disabled", all}}},
          {"queueSort", {{"enabled", {{{"name", "PrioritySort"}}}}}},
          {"preFilter", {{"enabled", {{{"name", "NodeResourcesFit"}}}}}},
          {"filter", {{"enabled", {{{"name", "NodeResourcesFit"}}}}}},
          {"postFilter", {{"enabled", {{{"name", "DefaultPreemption"}}}}}},
          {"bind", {{"enabled", {{{"name", "DefaultBinder"}}}}}}};
}

Json ServedPlugins() {
  return {{"filter", {{"enabled", {{{"name", "PodNameLength"}}}}}},
          {"score", {{"enabled", {{{"name", "NodeNameLength"}}}}}}};
}

class ServedTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    control_plane_ = new RealControlPlane(integration::Controllers::kNone,
                                          {"Priority", "RuntimeClass", "ServiceAccount"});
  }
  static void TearDownTestSuite() { delete std::exchange(control_plane_, nullptr); }

  ServedTest() : objects_(control_plane_->api()), port_(integration::FreePorts(1).front()) {}
  ~ServedTest() override {
    for (const std::string& pod : pods_) objects_.Delete("pod", pod, "default");
    for (const std::string& node : nodes_) objects_.Delete("node", node);
  }

  std::string File(const std::string& name, const std::string& text) const {
    const auto path = control_plane_->folder() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::filesystem::path LogOf(const std::string& name) const {
    return control_plane_->folder() / (name + ".log");
  }
  std::string Url(const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port_);
  }

  // Returns an entry for the configurations of both the extender and the calling scheduler.
  Json Entry(bool node_cache_capable) const {
    return {{"urlPrefix", Url() + "/scheduler"},
            {"filterVerb", "predicates/test"},
            {"prioritizeVerb", "prioritize/test"},
            {"weight", 1},
            {"httpTimeout", "20s"},
            {"nodeCacheCapable", node_cache_capable}};
  }

  void Serve(Json entry, const Json& plugins, const integration::Arguments& more = {}) {
    entry.erase("tlsConfig");
    entry["plugins"] = plugins;
    const std::string config = File("extender.json", Json{{"apiVersion", "berth.dev/v1alpha1"},
                                                          {"kind", "ExtenderConfiguration"},
                                                          {"extenders", Json::array({entry})}}
                                                         .dump());
    integration::Arguments arguments = {
        integration::BerthBinary(), "extender", "--config", config, "--port",
        std::to_string(port_)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    extender_ = std::make_unique<Process>(arguments, LogOf("extender"));
    const bool knows_cluster = std::ranges::count(more, "--kubeconfig") > 0;
    ASSERT_TRUE(Eventually("the extender", seconds(30), [&]() -> std::string {
      const std::string output = extender_->Output();
      const bool is_up = output.find("Serving") != output.npos &&
                         (!knows_cluster || output.find("Synced") != output.npos);
      return is_up ? "" : output;
    }));
  }
  integration::Arguments WithCluster() const {
    return {"--kubeconfig", control_plane_->admin_kubeconfig()};
  }

  void Schedule(const std::string& program, const Json& plugins, const Json& extenders) {
    const std::string config = File(
        "scheduler.json",
        Json{{"apiVersion", "kubescheduler.config.k8s.io/v1"},
             {"kind", "KubeSchedulerConfiguration"},
             {"clientConnection", {{"kubeconfig", control_plane_->admin_kubeconfig().string()}}},
             {"leaderElection", {{"leaderElect", false}}},
             {"profiles", {{{"schedulerName", kScheduler}, {"plugins", plugins}}}},
             {"extenders", extenders}}
            .dump());
    integration::Arguments arguments = {integration::ControlPlaneBinary("kube-scheduler")};
    if (program == "berth") arguments = {integration::BerthBinary(), "scheduler"};
    arguments.insert(arguments.end(), {"--config", config, "--secure-port", "0", "-v", "4"});
    scheduler_ = std::make_unique<Process>(arguments, LogOf(program));
  }

  void AddNode(const std::string& name, const std::string& pods, const Json& labels = {}) {
    nodes_.push_back(name);
    objects_.Create("node", "", {{"metadata", {{"name", name}, {"labels", labels}}}});
    const Json room = {{"cpu", "4"}, {"memory", "8Gi"}, {"pods", pods}};
    objects_.Patch("node", name, "", {{"spec", {{"taints", nullptr}}}});
    objects_.Patch("node", name, "", {{"status", {{"capacity", room}, {"allocatable", room}}}},
                   "status");
  }
  void AddPod(const std::string& name, const Json& more = Json::object()) {
    pods_.push_back(name);
    Json spec = {{"schedulerName", kScheduler},
                 {"terminationGracePeriodSeconds", 0},
                 {"automountServiceAccountToken", false},
                 {"containers", {{{"name", "c"}, {"image", "example.com/c"}}}}};
    spec.merge_patch(more);
    objects_.Create("pod", "default", {{"metadata", {{"name", name}}}, {"spec", spec}});
  }
  std::string NodeOf(const std::string& pod) {
    return TextAt(objects_.Get("pod", pod, "default"), "/spec/nodeName");
  }
  // Waits until the pod is bound and returns its node.
  std::string AwaitNode(const std::string& pod) {
    EXPECT_TRUE(Eventually(pod, seconds(30), [&]() -> std::string {
      if (!NodeOf(pod).empty()) return "";
      if (!scheduler_->IsRunning()) return scheduler_->Output();
      return Condition(objects_.Get("pod", pod, "default"), "PodScheduled").dump();
    }));
    return NodeOf(pod);
  }
  // Waits until the pod is unschedulable and returns the message.
  std::string AwaitRejection(const std::string& pod) {
    std::string message;
    EXPECT_TRUE(Eventually(pod, seconds(30), [&]() -> std::string {
      const Json condition = Condition(objects_.Get("pod", pod, "default"), "PodScheduled");
      if (!scheduler_->IsRunning()) return scheduler_->Output();
      message = condition.value("message", "");
      return condition.value("reason", "") == "Unschedulable" ? "" : condition.dump();
    }));
    return message;
  }
  // Returns the number of responses for a verb.
  double Served(const std::string& verb, const http::TransportOptions& to) const {
    const auto transport = http::CreateTransport(to);
    const auto page = (*transport)->Call({.method = "GET", .target = "/metrics"});
    if (!page) {
      ADD_FAILURE() << page.error().message();
      return 0;
    }
    const size_t line = page->body.find("served_total{code=\"200\",path=\"/scheduler/" + verb);
    if (line == std::string::npos) return 0;
    return std::stod(page->body.substr(page->body.find("} ", line) + 2));
  }

  // Schedules pods one after another and returns their nodes.
  std::map<std::string, std::string> Place() {
    for (const char* const node :
         {"node-of-fourteen", "n2", "node-seven", "a-node-of-twenty-three"}) {
      AddNode(node, "1");
    }
    AddPod("thirteen-long");
    EXPECT_THAT(AwaitRejection("thirteen-long"), HasSubstr(kTooLong));
    std::map<std::string, std::string> placed;
    for (const char* const pod : {"p1", "p2", "p3", "p4"}) {
      AddPod(pod);
      placed[pod] = AwaitNode(pod);
    }
    EXPECT_EQ(NodeOf("thirteen-long"), "");
    return placed;
  }

  static RealControlPlane* control_plane_;

  integration::Objects objects_;
  const int port_;
  std::unique_ptr<Process> extender_, scheduler_;
  std::vector<std::string> pods_, nodes_;
};
RealControlPlane* ServedTest::control_plane_ = nullptr;

// Nodes with shorter names first.
const std::map<std::string, std::string> kByLength = {{"p1", "n2"},
                                                      {"p2", "node-seven"},
                                                      {"p3", "node-of-fourteen"},
                                                      {"p4", "a-node-of-twenty-three"}};

TEST_F(ServedTest, BerthSchedulesWithOwnPlugins) {
  Json plugins = OwnPlugins();
  plugins["filter"]["enabled"].push_back({{"name", "PodNameLength"}});
  plugins["score"]["enabled"] = Json::array({{{"name", "NodeNameLength"}}});
  Schedule("berth", plugins, Json::array());
  EXPECT_EQ(Place(), kByLength);
}

TEST_F(ServedTest, KubeSchedulerWithNodeNamesSchedulesEqually) {
  Serve(Entry(true), ServedPlugins(), WithCluster());
  Schedule("kube-scheduler", OwnPlugins(), Json::array({Entry(true)}));
  EXPECT_EQ(Place(), kByLength);
}

TEST_F(ServedTest, KubeSchedulerWithWholeNodesSchedulesEqually) {
  Serve(Entry(false), ServedPlugins());
  Schedule("kube-scheduler", OwnPlugins(), Json::array({Entry(false)}));
  EXPECT_EQ(Place(), kByLength);
}

TEST_F(ServedTest, BindsForKubeSchedulerWithCertificate) {
  const auto authority = http::CertificateAuthority::Create("extenders").value();
  const auto server = authority->IssueServer("extender", {}, {"127.0.0.1"}).value();
  const auto client = authority->IssueClient("kube-scheduler", {}).value();
  const std::string ca = File("e-ca.crt", authority->certificate());
  Json entry = Entry(true);
  entry["urlPrefix"] = Url("https") + "/scheduler";
  entry["enableHTTPS"] = true;
  entry["bindVerb"] = "bind/test";
  entry["tlsConfig"] = {{"caFile", ca},
                        {"certFile", File("e-client.crt", client.certificate)},
                        {"keyFile", File("e-client.key", client.key)}};
  integration::Arguments arguments = WithCluster();
  arguments.insert(arguments.end(), {"--tls-cert-file", File("e-server.crt", server.certificate),
                                     "--tls-private-key-file", File("e-server.key", server.key),
                                     "--client-ca-file", ca});
  Serve(entry, ServedPlugins(), arguments);
  Schedule("kube-scheduler", OwnPlugins(), Json::array({entry}));
  EXPECT_EQ(Place(), kByLength);
  const http::TransportOptions to = {.url = Url("https"), .tls = {.ca = {.file = ca}}};
  EXPECT_EQ(Served("bind/test", to), 4);
}

TEST_F(ServedTest, ApprovesPreemptionOnlyIfPluginsAcceptNode) {
  Json entry = Entry(true);
  entry["preemptVerb"] = "preempt/test";
  Serve(
      entry,
      {{"multiPoint", {{"enabled", {{{"name", "NodeAffinity"}}, {{"name", "NodeResourcesFit"}}}}}}},
      WithCluster());
  Schedule("kube-scheduler", OwnPlugins(), Json::array({entry}));
  const Json all_room = {{"containers",
                          {{{"name", "c"},
                            {"image", "example.com/c"},
                            {"resources", {{"requests", {{"cpu", "4"}}}}}}}}};
  AddNode("other", "9", {{"disk", "tape"}});
  AddPod("v1", all_room);
  EXPECT_EQ(AwaitNode("v1"), "other");
  AddNode("wanted", "9", {{"disk", "ssd"}});
  // kube-scheduler alone would preempt v1 rather than v2.
  Json rather_important = all_room;
  rather_important["priority"] = 10;
  AddPod("v2", rather_important);
  EXPECT_EQ(AwaitNode("v2"), "wanted");
  Json important = all_room;
  important["priority"] = 1000;
  important["nodeSelector"] = {{"disk", "ssd"}};
  AddPod("high", important);
  EXPECT_EQ(AwaitNode("high"), "wanted");
  EXPECT_EQ(NodeOf("v1"), "other");
  EXPECT_TRUE(objects_.Get("pod", "v2", "default").is_null());
  EXPECT_GE(Served("preempt/test", {.url = Url()}), 1);
}

}  // namespace
}  // namespace berth::extender
