// SPDX-License-Identifier: Apache-2.0
// A whole scheduler with a Prometheus that first answers and then fails.
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/scheduler_contract.h"
#include "tests/engine/engine_fixture.h"
#include "tests/engine/python_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using std::chrono::minutes;
using ::testing::AllOf;
using ::testing::HasSubstr;

// The configuration comes from a local file: metric sources of a profile must not use the loopback.
class MetricSourceOnServer : public EngineTest {
 protected:
  ~MetricSourceOnServer() override {
    if (!ended_.valid()) return;
    scheduler_->Stop();
    EXPECT_TRUE(ended_.get());
  }

  void Run() {
    for (const char* const node : {"n1", "n2", "n3"}) AddNode(node, "64");
    const std::string config =
        ConfigOfPodsAndNodes("score: {enabled: [{name: NetworkTraffic, weight: 100}]}") +
        "  pluginConfig: [{name: NetworkTraffic, args: {address: \"" + prometheus_.Url("switch") +
        "\", deviceName: eth0, refreshInterval: 1s, timeout: 1s, maxAge: 5m}}]\n";
    scheduler_ = Engine::Create(*client_, registry_, metrics_, clock_,
                                {.hostname = "host",
                                 .identity = "host_1",
                                 .config_source = "file.yaml",
                                 .config_text = config,
                                 .lease = ObjectName{"default", "berth-hello"}})
                     .value();
    ended_ = std::async(std::launch::async, [this] { return scheduler_->Run(); });
  }
  // Waits until this many nodes have a value; the scheduler updates the metric when it makes a
  // turn.
  bool EventuallyKnows(size_t nodes) {
    return Eventually([&] {
      Wake();
      for (const auto& line : Lines()) {
        if (line.starts_with("berth_metric_source_nodes{") && line.find("\"known\"") != line.npos) {
          return line.ends_with(" " + std::to_string(nodes));
        }
      }
      return false;
    });
  }
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::istringstream text(metrics_.Text());
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  const PythonServer prometheus_{"tests/engine/metric_source/hostile_prometheus.py"};
  const scheduler::Registry registry_ = scheduler::MakeRegistry();
  std::unique_ptr<Engine> scheduler_;
  std::future<Result<void>> ended_;
};

TEST_F(MetricSourceOnServer, PlacesPodsOnNodesWithAnIdleNetwork) {
  Run();
  ASSERT_TRUE(EventuallyKnows(3));
  for (int i = 0; i < 10; ++i) AddPod("p" + std::to_string(i));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(EventuallyOn("p" + std::to_string(i), "n1")) << i;
  prometheus_.Behave("moved");
  EXPECT_TRUE(Eventually([&] {
    static int more = 0;
    const std::string pod = "q" + std::to_string(more++);
    AddPod(pod);
    EXPECT_TRUE(Eventually([&] { return !NodeOf(pod).empty(); }));
    return NodeOf(pod) == "n3";
  }));
}

TEST_F(MetricSourceOnServer, SendsNoQueryPerPod) {
  Run();
  ASSERT_TRUE(EventuallyKnows(3));
  const auto began = std::chrono::steady_clock::now();
  const size_t before = prometheus_.Asked().size();
  for (int i = 0; i < 50; ++i) AddPod("p" + std::to_string(i));
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(EventuallyOn("p" + std::to_string(i), "n1")) << i;
  const size_t asked = prometheus_.Asked().size() - before;
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_LE(asked, static_cast<size_t>(took / std::chrono::seconds(1)) + 2) << "one per second";
}

TEST_F(MetricSourceOnServer, SchedulesWithoutAnAnswerAndReportsIt) {
  Run();
  ASSERT_TRUE(EventuallyKnows(3));
  prometheus_.Behave("500");
  EXPECT_TRUE(Eventually([&] { return !Reported(api::kMetricSourcesAnnotation).empty(); }));
  EXPECT_THAT(Reported(api::kMetricSourcesAnnotation),
              AllOf(HasSubstr(": code 500; the answer of "), HasSubstr(" counts until ")));
  AddPod("kept");
  EXPECT_TRUE(EventuallyOn("kept", "n1"));

  clock_.Leap(minutes(6));
  EXPECT_TRUE(EventuallyKnows(0));
  EXPECT_TRUE(Eventually([&] {
    return Reported(api::kMetricSourcesAnnotation).find("nodes score alike") != std::string::npos;
  })) << Reported(api::kMetricSourcesAnnotation);
  AddPod("alike");
  EXPECT_TRUE(Eventually([&] { return !NodeOf("alike").empty(); })) << "no node is filtered";
  for (const char* const mode : {"hang", "nan", "endless"}) {
    prometheus_.Behave(mode);
    AddPod(mode);
    EXPECT_TRUE(Eventually([&] { return !NodeOf(mode).empty(); })) << mode;
  }
  prometheus_.Behave("ok");
  EXPECT_TRUE(EventuallyKnows(3));
  EXPECT_TRUE(Eventually([&] { return Reported(api::kMetricSourcesAnnotation).empty(); }));
}

}  // namespace
}  // namespace berth::engine
