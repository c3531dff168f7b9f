// SPDX-License-Identifier: Apache-2.0
// Runs Debian's Prometheus with two of its node exporters, each in its own network and with its own
// hostname, and a scheduler that queries it. The traffic is real: datagrams through a pair of
// virtual links.
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
#include "tests/integration/harness/node_networks.h"
#include "tests/integration/harness/process.h"
#include "tests/integration/harness/skip.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using integration::Process;
using integration::Run;

constexpr std::chrono::seconds kLimit{60};

constexpr const char* kAddresses[] = {"10.77.0.1", "10.77.0.2"};
constexpr const char* kSwitch = "10.77.0.254/24";

// Returns the reason why this machine cannot run the test; empty on success, and the process then
// has its own network namespace. Call it once, before any thread starts: existing threads stay in
// the old network namespace.
std::string WhyNot() {
  for (const char* const program : {"prometheus", "prometheus-node-exporter"}) {
    if (Run({"which", program}).exit_code != 0)
      return std::string(program) + " is missing (scripts/setup test)";
  }
  if (unshare(CLONE_NEWNET) != 0) return "cannot create a network namespace";
  const auto networks = integration::NodeNetworks::Create(kSwitch);
  return networks ? "" : networks.error().message();
}

// Traffic sends datagrams to a node's discard port, some hundred KiB per second, during its
// lifetime.
class Traffic {
 public:
  explicit Traffic(const char* address) {
    thread_ = std::jthread([address](const std::stop_token& stop) {
      const int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(9);
      inet_pton(AF_INET, address, &to.sin_addr);
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

class RealPrometheus : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    static const std::string why_not = WhyNot();
    if (why_not.empty()) return;
    SKIP_EXCEPT_IN_CI(why_not);
  }
};

// Cluster is the in-memory API server with two nodes, a Prometheus that scrapes both, and a
// scheduler.
class Cluster : public EngineTest {
 public:
  explicit Cluster(const std::string& node_label) {
    std::string name = (std::filesystem::temp_directory_path() / "prometheus-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    networks_ = integration::NodeNetworks::Create(kSwitch).value();
    for (size_t i = 0; i < std::size(kAddresses); ++i) {
      StartNode("n" + std::to_string(i + 1), kAddresses[i]);
    }
    const std::string web = "127.0.0.1:" + std::to_string(integration::FreePorts(1)[0]);
    std::ofstream(folder_ / "prometheus.yml")
        << "global: {scrape_interval: 1s}\n"
           "scrape_configs:\n- job_name: node\n  static_configs: [{targets: ['"
        << kAddresses[0] << ":9100', '" << kAddresses[1] << ":9100']}]\n";
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
                 "', deviceName: eth0, metric: receive, timeRange: 5s, nodeLabel: " + node_label +
                 ", refreshInterval: 1s}}]\n"})
            .value();
    ended_ = std::async(std::launch::async, [this] { return scheduler_->Run(); });
  }
  ~Cluster() override {
    scheduler_->Stop();
    EXPECT_TRUE(ended_.get());
    prometheus_.reset();
    std::filesystem::remove_all(folder_);
  }

  // Waits until pods are placed on this node: three in a row.
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
  std::string PrometheusResponded() const { return prometheus_->Output() + metrics_.Text(); }

 private:
  void TestBody() override {}

  // Adds a node with its own exporter.
  void StartNode(const std::string& name, const std::string& address) {
    const auto added = networks_->Add(name, address, folder_ / (name + ".network.log"));
    BERTH_CHECK(added.has_value(), added ? "" : added.error().message());
    auto exporter = networks_->Enter(name);
    const integration::Arguments in_it = {
        "unshare",
        "--uts",
        "--",
        "sh",
        "-c",
        "hostname " + name +
            "; exec prometheus-node-exporter --collector.disable-defaults --collector.netdev "
            "--collector.uname --web.listen-address=" +
            address + ":9100"};
    exporter.insert(exporter.end(), in_it.begin(), in_it.end());
    exporters_.push_back(std::make_unique<Process>(exporter, folder_ / (name + ".log")));
    AddNode(name, "1000", address);
  }

  std::filesystem::path folder_;
  std::unique_ptr<integration::NodeNetworks> networks_;
  std::vector<std::unique_ptr<Process>> exporters_;
  std::unique_ptr<Process> prometheus_;
  const scheduler::Registry registry_ = scheduler::MakeRegistry();
  std::unique_ptr<Engine> scheduler_;
  std::future<Result<void>> ended_;
  int pods_ = 0;
};

// The label instance has an address here, so nodes match by address.
TEST_P(RealPrometheus, ShiftsPodsToTheNodeWithLessTraffic) {
  Cluster cluster(GetParam());
  ASSERT_TRUE(cluster.EventuallyKnowsBoth()) << cluster.PrometheusResponded();
  {
    const Traffic traffic(kAddresses[0]);
    EXPECT_TRUE(cluster.EventuallyPlacesOn("n2")) << cluster.PrometheusResponded();
  }
  const Traffic traffic(kAddresses[1]);
  EXPECT_TRUE(cluster.EventuallyPlacesOn("n1")) << cluster.PrometheusResponded();
}

INSTANTIATE_TEST_SUITE_P(Labels, RealPrometheus, testing::Values("nodename", "instance"),
                         [](const auto& label) { return std::string(label.param); });

}  // namespace
}  // namespace berth::engine
