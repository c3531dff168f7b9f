// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/probe.h"

#include <atomic>

#include <gmock/gmock.h>

#include "base/fake_clock.h"
#include "tests/support/http/stub_server.h"

namespace berth::simulation {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(ProbeCounter, IsDueAfterDelayAndPeriod) {
  const SteadyTime start{};
  ProbeCounter counter({.initial_delay_seconds = 5, .period_seconds = 3}, false, start);
  EXPECT_FALSE(counter.IsDue(start + seconds(4)));
  EXPECT_TRUE(counter.IsDue(start + seconds(5)));
  counter.Record(true, start + seconds(5));
  EXPECT_TRUE(counter.holds());
  EXPECT_FALSE(counter.IsDue(start + seconds(7)));
  EXPECT_TRUE(counter.IsDue(start + seconds(8)));
}

TEST(ProbeCounter, ChangesAfterThreshold) {
  ProbeCounter counter({.success_threshold = 1, .failure_threshold = 2}, true, {});
  counter.Record(false, {});
  EXPECT_TRUE(counter.holds());
  counter.Record(true, {});
  counter.Record(false, {});
  EXPECT_TRUE(counter.holds());
  counter.Record(false, {});
  EXPECT_FALSE(counter.holds());
}

class ContainerProbesTest : public ::testing::Test {
 protected:
  api::Container Container() const {
    api::Container container;
    container.name = "main";
    container.ports = {{.name = "health", .container_port = server_.port()}};
    return container;
  }
  api::Probe Probe(const std::string& path) const {
    api::Probe probe;
    probe.http_get.emplace() = {.path = path, .port = IntOrString(std::string("health"))};
    probe.timeout_seconds = 5;
    probe.failure_threshold = 1;
    return probe;
  }

  std::atomic<int> code_{200};
  http::StubServer server_{
      [this](const http::StubRequest&, http::StubReply& reply) { reply.Send(code_, "ok"); }};
  FakeClock clock_;
};

TEST_F(ContainerProbesTest, ReadinessFollowsTheResponses) {
  api::Container container = Container();
  container.readiness_probe = Probe("/readyz");
  auto probes = ContainerProbes::Create(container, "127.0.0.1");
  ASSERT_TRUE(probes) << probes.error().message();
  probes->Begin(clock_.Now());
  EXPECT_FALSE(probes->IsReady());
  probes->Ask(clock_, {});
  EXPECT_TRUE(probes->IsReady());
  code_ = 500;
  clock_.Advance(seconds(10));
  probes->Ask(clock_, {});
  EXPECT_FALSE(probes->IsReady());
  EXPECT_FALSE(probes->MustRestart());
}

TEST_F(ContainerProbesTest, LivenessWaitsForStartup) {
  api::Container container = Container();
  container.startup_probe = Probe("/startz");
  container.startup_probe.Edit().failure_threshold = 2;
  container.liveness_probe = Probe("/livez");
  auto probes = ContainerProbes::Create(container, "127.0.0.1");
  ASSERT_TRUE(probes);
  code_ = 503;
  probes->Begin(clock_.Now());
  probes->Ask(clock_, {});
  EXPECT_FALSE(probes->MustRestart());
  EXPECT_FALSE(probes->IsReady());
  clock_.Advance(seconds(10));
  probes->Ask(clock_, {});
  EXPECT_TRUE(probes->MustRestart());
}

TEST_F(ContainerProbesTest, IsReadyAtOnceWithoutProbes) {
  auto probes = ContainerProbes::Create(Container(), "127.0.0.1");
  ASSERT_TRUE(probes);
  probes->Begin(clock_.Now());
  EXPECT_TRUE(probes->IsReady());
  EXPECT_FALSE(probes->MustRestart());
}

TEST_F(ContainerProbesTest, RejectsInvalidProbes) {
  api::Container container = Container();
  container.liveness_probe = Probe("/");
  container.liveness_probe.Edit().http_get.Edit().port = IntOrString(std::string("metrics"));
  const auto port = ContainerProbes::Create(container, "127.0.0.1");
  ASSERT_FALSE(port);
  EXPECT_THAT(port.error().message(), HasSubstr("port \"metrics\" is not one of its ports"));
  container.liveness_probe.Edit().http_get.reset();
  EXPECT_FALSE(ContainerProbes::Create(container, "127.0.0.1"));
}

}  // namespace
}  // namespace berth::simulation
