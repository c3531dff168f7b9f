// SPDX-License-Identifier: Apache-2.0
// A whole scheduler with well and badly behaving extenders.
#include <chrono>
#include <future>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/engine_fixture.h"
#include "tests/engine/extender/hostile_extender.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The configuration comes from a local file: extenders of a profile must not use the loopback.
class ExtenderOnServer : public EngineTest {
 protected:
  ~ExtenderOnServer() override {
    if (!ended_.valid()) return;
    scheduler_->Stop();
    EXPECT_TRUE(ended_.get());
  }

  Result<std::unique_ptr<Engine>> Create(const std::string& file, const std::string& extenders) {
    return Engine::Create(*client_, registry_, metrics_, clock_,
                          {.hostname = "host",
                           .identity = "host_1",
                           .config_source = file,
                           .config_text = Config() + "extenders:\n" + extenders});
  }
  void Run(const std::string& extenders) {
    scheduler_ = Create("file.yaml", extenders).value();
    ended_ = std::async(std::launch::async, [this] { return scheduler_->Run(); });
  }
  // Returns a filtering extender as a list entry; `more` are further fields.
  std::string Filters(const std::string& mode, const std::string& more) const {
    return "- {urlPrefix: '" + hostile_.UrlPrefix(mode) + "', filterVerb: filter, " + more + "}\n";
  }
  std::string State(const std::string& mode) const {
    return "berth_extender_breaker_state{extender=\"" + hostile_.UrlPrefix(mode) + "\"}";
  }
  std::string NotLive() const {
    const auto error = scheduler_->LiveChecks().front().error();
    return error.value_or("");
  }

  const HostileExtender hostile_;
  const scheduler::Registry registry_ = scheduler::MakeRegistry();
  std::unique_ptr<Engine> scheduler_;
  std::future<Result<void>> ended_;
};

TEST_F(ExtenderOnServer, SchedulesDespiteAHangingIgnorableExtender) {
  Run(Filters("hang", "ignorable: true, httpTimeout: 100ms, nodeCacheCapable: true") +
      Filters("ok", "nodeCacheCapable: true"));
  AddNode("bad1", "64");
  AddNode("n2", "1");
  for (int i = 0; i < 8; ++i) AddPod("p" + std::to_string(i), "10m");
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(EventuallyOn("p" + std::to_string(i), "n2")) << i;
  EXPECT_TRUE(Eventually([&] { return Figure(State("hang")) != 0; }))
      << "its circuit breaker is open";
  EXPECT_EQ(Figure(State("ok")), 0);
}

TEST_F(ExtenderOnServer, RejectsLoopbackExtendersInAMountedProfile) {
  const auto scheduler = Create("/etc/berth/scheduler-config.yaml", Filters("ok", ""));
  ASSERT_FALSE(scheduler);
  EXPECT_THAT(scheduler.error().message(), HasSubstr("must not lead to a loopback address"));
}

TEST_F(ExtenderOnServer, ReceivesWholeObjects) {
  Run(Filters("ok", "httpTimeout: 10s"));
  AddNode("n1", "1");
  AddPod("p");
  EXPECT_TRUE(EventuallyOn("p", "n1"));
  const std::string body = hostile_.Asked().front().body;
  EXPECT_THAT(body, AllOf(HasSubstr(R"("capacity":)"), HasSubstr(R"("image":"example.com/c")"),
                          HasSubstr(R"("NodeNames":null)"), Not(HasSubstr("managedFields"))));
}

TEST_F(ExtenderOnServer, FailsAPodWithTheErrorOfARequiredExtender) {
  Run(Filters("error", "nodeCacheCapable: true"));
  AddNode("n1", "1");
  AddPod("p");
  EXPECT_TRUE(Eventually([&] {
    const auto pod = admin_.Get<api::Pod>("default", "p").value();
    return !pod.status.conditions.empty() &&
           pod.status.conditions.front().reason == "SchedulerError" &&
           pod.status.conditions.front().message.find("the licence server is down") !=
               std::string::npos;
  }));
}

TEST_F(ExtenderOnServer, TimesOutBeforeTheThreadCountsAsStalled) {
  Run(Filters("hang", "httpTimeout: 100s, nodeCacheCapable: true"));
  AddNode("n1", "1");
  AddPod("p");
  ASSERT_TRUE(Eventually([&] { return hostile_.Asked().size() == 1; }));
  clock_.Leap(seconds(90));
  EXPECT_EQ(NotLive(), "");
  clock_.Leap(seconds(80));
  EXPECT_EQ(NotLive(), "no turn for long");
  EXPECT_TRUE(Eventually([&] {
    return Figure("berth_scheduling_thread_stalls_total{extension_point=\"Filter\",plugin=\"" +
                  hostile_.UrlPrefix("hang") + "\"}") > 0;
  })) << metrics_.Text();
}

}  // namespace
}  // namespace berth::engine
