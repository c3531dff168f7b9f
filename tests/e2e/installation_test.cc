// SPDX-License-Identifier: Apache-2.0
// The installation: its users, permissions and network access.
#include <sstream>

#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_view.h"
#include "tests/e2e/harness/typed_pages.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;

// Installs Berth before the first test of the program and removes it after the last one, with the
// commands of docs/on-a-cluster.md.
class InstalledBerth final : public testing::Environment {
 public:
  void SetUp() override {
    TypeBlock(ClusterPageBlocks().front());
    ASSERT_TRUE(OperatorRuns());
  }

  void TearDown() override {
    ExpectProfilesEnd();
    TypeBlock(ClusterPageBlocks().back());
    ExpectNothingLeft();
  }
};

[[maybe_unused]] const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new InstalledBerth);  // GoogleTest owns it

class Installation : public ClusterTest {};

TEST_F(Installation, CommandsOfTheClusterPageMatchTheirOutput) {
  const auto blocks = ClusterPageBlocks();
  ASSERT_GT(blocks.size(), 2U);
  for (size_t i = 1; i + 1 < blocks.size(); ++i) TypeBlock(blocks[i]);
}

TEST_F(Installation, CommandsOfTheReadmeMatchTheirOutput) {
  const auto blocks = ReadmeBlocks();
  ASSERT_EQ(blocks.size(), 1U);
  ASSERT_EQ(blocks.front().size(), 5U);
  TypeBlock(blocks.front());
  cluster_.Kubectl({"delete", "-f", "samples/01-minimal/"});
}

TEST_F(Installation, AnotherOperatorTakesOverFromTheLeader) {
  cluster_.Kubectl({"scale", "-n", kNamespace, "deployment/berth-operator", "--replicas=2"});
  ASSERT_TRUE(OperatorRuns(2));
  const std::string leader = OperatorLeader();
  cluster_.Kubectl({"delete", "pod", "-n", kNamespace, leader, "--grace-period=0", "--force"});
  CreateProfile("after-the-leader");
  EXPECT_TRUE(EventuallyReady("after-the-leader"));
  EXPECT_NE(OperatorLeader(), leader);
  cluster_.Kubectl({"scale", "-n", kNamespace, "deployment/berth-operator", "--replicas=1"});
  EXPECT_TRUE(OperatorRuns());
}

// ---- inside of the containers

// Prints the privileges of a container, and the paths that it can write, by trying. Paths that the
// runtime masks are devices that accept and discard everything.
constexpr const char* kLook = R"(
/bin/busybox grep -E '^(Uid|Cap...|NoNewPrivs|Seccomp):' /proc/1/status
/bin/busybox awk '{print $2}' /proc/1/mounts | while read at; do
  if [ -d "/proc/1/root$at" ]; then file="/proc/1/root$at/berth-was-here"; else file="/proc/1/root$at"; fi
  if ! [ -c "$file" ] && ( : >>"$file" ) 2>/dev/null; then echo "writable $at"; fi
done
)";

// Paths that the container runtime makes writable in every container: memory and queues that its
// processes share, and the termination log, which the kubelet reads.
const std::set<std::string> kEveryContainers = {"/dev/mqueue", "/dev/shm", "/dev/termination-log"};

void ExpectConfined(RealCluster& cluster, const std::string& pod, const std::string& container) {
  const std::string seen = LookInside(cluster, kNamespace, pod, container, kLook);
  for (const char* line :
       {"Uid:\t65532\t65532\t65532\t65532", "CapInh:\t0000000000000000",
        "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000",
        "CapAmb:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"}) {
    EXPECT_NE(seen.find(line), std::string::npos) << line << " is not in\n" << seen;
  }
  std::istringstream words(seen);
  for (std::string word; words >> word;) {
    if (word != "writable") continue;
    words >> word;
    EXPECT_TRUE(kEveryContainers.contains(word)) << pod << " can write to " << word;
  }
}

TEST_F(Installation, ProcessesHaveNoPrivilegesAndNoWritablePaths) {
  NEEDS_TOOLS();
  CreateProfile("confined");
  CreateProfile("confined-kube", {{"engine", {{"type", "KubeScheduler"}}}});
  ExpectConfined(cluster_, OperatorLeader(), "manager");
  for (const char* profile : {"confined", "confined-kube"}) {
    ASSERT_TRUE(EventuallyReady(profile));
    const Json pod = SchedulerPods(profile).front();
    ExpectConfined(cluster_, TextAt(pod, "/metadata/name"), "scheduler");
  }
}

// ---- the network

std::set<int> PortsOf(const Json& rules) {
  std::set<int> ports;
  for (const Json& rule : rules) {
    for (const Json& port : rule.value("ports", Json::array())) {
      if (port.value("protocol", "TCP") == "TCP" && port["port"].is_number())
        ports.insert(port["port"].get<int>());
    }
  }
  return ports;
}

// The ports of the API server behind its Service.
std::set<int> ApiServerPorts(RealCluster& cluster) {
  std::set<int> ports;
  for (const Json& slice :
       cluster.List("endpointslice", "default", "kubernetes.io/service-name=kubernetes")) {
    for (const Json& port : At(slice, "/ports")) ports.insert(port["port"].get<int>());
  }
  return ports;
}

// A network plugin checks the port before or after the translation of the Service address.
TEST_F(Installation, NetworkPolicyAllowsTheSchedulersConnections) {
  NEEDS_TOOLS();
  CreateProfile("connected");
  ASSERT_TRUE(EventuallyReady("connected"));
  const Connections connections = ReadConnections(
      LookInside(cluster_, kNamespace, TextAt(SchedulerPods("connected").front(), "/metadata/name"),
                 "scheduler", "/bin/busybox cat /proc/net/tcp /proc/net/tcp6"));
  const Json policy = cluster_.Get("networkpolicy", "berth-connected", kNamespace);
  const std::set<int> out = PortsOf(At(policy, "/spec/egress"));
  EXPECT_FALSE(connections.reached.empty()) << "it connects to the API server";
  for (const int port : connections.reached) EXPECT_TRUE(out.contains(port)) << port;
  EXPECT_FALSE(ApiServerPorts(cluster_).empty());
  for (const int port : ApiServerPorts(cluster_)) EXPECT_TRUE(out.contains(port)) << port;
  EXPECT_EQ(PortsOf(At(policy, "/spec/ingress")), connections.listening);
}

}  // namespace
}  // namespace berth::e2e
