// SPDX-License-Identifier: Apache-2.0
// Debian's prometheus and two of its node exporters, each in a network and with a hostname of its own,
// and a scheduler that asks it. What is counted is real: datagrams through a pair of virtual links.
#include <arpa/inet.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "tests/engine/engine_fixture.h"
#include "tests/integration/harness/process.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using integration::Process;
using integration::Run;

constexpr std::chrono::seconds kLimit{60};

bool IsThere(const std::string& program) { return Run({"which", program}).exit_code == 0; }

// WhyNot says why this machine cannot have the test; the test then has a network of its own.
std::string WhyNot() {
  for (const char* const program : {"prometheus", "prometheus-node-exporter", "ip", "unshare"}) {
    if (!IsThere(program)) return std::string(program) + " is missing: scripts/setup test";
  }
  // Of this thread, and of all that it starts from here on.
  if (unshare(CLONE_NEWNET) != 0) return "no network namespace may be made here";
  return "";
}

void MustRun(const integration::Arguments& arguments) {
  const auto outcome = Run(arguments);
  BERTH_CHECK(outcome.exit_code == 0, arguments.front() + ": " + outcome.err);
}

// RealNode is a node exporter at 10.77.NUMBER.2, behind a link.
class RealNode {
 public:
  RealNode(int number, const std::filesystem::path& folder)
      : name_("n" + std::to_string(number)), net_("10.77." + std::to_string(number) + ".") {
    const std::string wait =
        "hostname " + name_ +
        "; until ip -4 addr show dev eth0 up 2>/dev/null | grep -q inet; do sleep 0.05; done; "
        "exec prometheus-node-exporter --collector.disable-defaults --collector.netdev "
        "--collector.uname --web.listen-address=" +
        target();
    exporter_ = std::make_unique<Process>(
        integration::Arguments{"unshare", "--net", "--uts", "--", "sh", "-c", wait},
        folder / (name_ + ".log"));
    const std::string pid = std::to_string(exporter_->pid());
    const std::string link = "veth" + std::to_string(number);
    // The namespaces are there once the program has begun what it is to run in them.
    BERTH_CHECK(Eventually([&] {
                  return Run({"readlink", "/proc/" + pid + "/ns/net"}).out !=
                         Run({"readlink", "/proc/self/ns/net"}).out;
                }),
                "no network of its own for " + name_);
    MustRun({"ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", pid});
    MustRun({"ip", "addr", "add", net_ + "1/24", "dev", link});
    MustRun({"ip", "link", "set", link, "up"});
    MustRun({"nsenter", "-t", pid, "-n", "ip", "link", "set", "eth0", "up"});
    MustRun({"nsenter", "-t", pid, "-n", "ip", "addr", "add", net_ + "2/24", "dev", "eth0"});
  }

  std::string target() const { return net_ + "2:9100"; }
  std::string address() const { return net_ + "2"; }

 private:
  const std::string name_, net_;
  std::unique_ptr<Process> exporter_;
};

// Traffic sends datagrams to a node's discard port, some hundred KiB a second, as long as it lives.
class Traffic {
 public:
  explicit Traffic(const RealNode& node) {
    thread_ = std::jthread([address = node.address()](const std::stop_token& stop) {
      const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(9);
      inet_pton(AF_INET, address.c_str(), &to.sin_addr);
      const std::vector<char> datagram(1400);
      while (!stop.stop_requested()) {
        (void)sendto(socket, datagram.data(), datagram.size(), 0,
                     reinterpret_cast<const sockaddr*>(&to), sizeof(to));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      close(socket);
    });
  }

 private:
  std::jthread thread_;
};

class RealPrometheus : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why_not = WhyNot();
    if (why_not.empty()) return MustRun({"ip", "link", "set", "lo", "up"});
    // CI installs what is missing.
    if (std::getenv("CI") != nullptr && why_not.find("is missing") != why_not.npos) {
      FAIL() << why_not;
    }
    GTEST_SKIP() << why_not;
  }
};

// Cluster is the in-memory API server with two nodes, a Prometheus that watches both, and a scheduler.
class Cluster : public EngineTest {
 public:
  Cluster() {
    std::string name = (std::filesystem::temp_directory_path() / "prometheus-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    for (const int number : {1, 2}) {
      nodes_.push_back(std::make_unique<RealNode>(number, folder_));
      AddNode("n" + std::to_string(number), "1000");
    }
    const std::string web = "127.0.0.1:" + std::to_string(integration::FreePorts(1)[0]);
    std::ofstream(folder_ / "prometheus.yml")
        << "global: {scrape_interval: 1s}\n"
           "scrape_configs:\n- job_name: node\n  static_configs: [{targets: ['"
        << nodes_[0]->target() << "', '" << nodes_[1]->target() << "']}]\n";
    prometheus_ = std::make_unique<Process>(
        integration::Arguments{
            "prometheus", "--config.file=" + (folder_ / "prometheus.yml").string(),
            "--storage.tsdb.path=" + (folder_ / "data").string(), "--web.listen-address=" + web},
        folder_ / "prometheus.log");
    scheduler_ =
        Engine::Create(
            *client_, registry_, metrics_, clock_,
            {.hostname = "host",
             .identity = "host_1",
             .config_source = "file.yaml",
             .config_text =
                 ConfigOfPodsAndNodes("score: {enabled: [{name: NetworkTraffic, weight: 100}]}") +
                 "  pluginConfig: [{name: NetworkTraffic, args: {address: '" + web +
                 "', deviceName: eth0, metric: receive, timeRange: 5s, nodeLabel: nodename, "
                 "refreshInterval: 1s}}]\n"})
            .value();
    ended_ = std::async(std::launch::async, [this] { return scheduler_->Run(); });
  }
  ~Cluster() override {
    scheduler_->Stop();
    EXPECT_TRUE(ended_.get());
    prometheus_.reset();
    std::filesystem::remove_all(folder_);
  }

  const RealNode& node(size_t i) const { return *nodes_[i]; }
  // EventuallyPlacesOn says whether pods come to be placed there: three in a row.
  bool EventuallyPlacesOn(const std::string& node) {
    int in_a_row = 0;
    return Eventually(
        [&] {
          const std::string pod = "p" + std::to_string(pods_++);
          AddPod(pod, "1m");
          EXPECT_TRUE(Eventually([&] { return !NodeOf(pod).empty(); })) << pod;
          in_a_row = NodeOf(pod) == node ? in_a_row + 1 : 0;
          return in_a_row == 3;
        },
        kLimit);
  }
  bool EventuallyKnowsBoth() {
    return Eventually(
        [&] {
          Wake();
          std::istringstream lines(metrics_.Text());
          for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("berth_metric_source_nodes{") && line.ends_with("\"known\"} 2")) {
              return true;
            }
          }
          return false;
        },
        kLimit);
  }
  std::string PrometheusSaid() const { return prometheus_->Output() + metrics_.Text(); }

 private:
  void TestBody() override {}

  std::filesystem::path folder_;
  std::vector<std::unique_ptr<RealNode>> nodes_;
  std::unique_ptr<Process> prometheus_;
  const scheduler::Registry registry_ = scheduler::MakeRegistry();
  std::unique_ptr<Engine> scheduler_;
  std::future<Result<void>> ended_;
  int pods_ = 0;
};

TEST_F(RealPrometheus, ShiftsPodsToTheNodeWithLessTraffic) {
  Cluster cluster;
  ASSERT_TRUE(cluster.EventuallyKnowsBoth()) << cluster.PrometheusSaid();
  {
    const Traffic traffic(cluster.node(0));
    EXPECT_TRUE(cluster.EventuallyPlacesOn("n2")) << cluster.PrometheusSaid();
  }
  const Traffic traffic(cluster.node(1));
  EXPECT_TRUE(cluster.EventuallyPlacesOn("n1")) << cluster.PrometheusSaid();
}

}  // namespace
}  // namespace berth::engine
