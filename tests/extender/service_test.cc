// SPDX-License-Identifier: Apache-2.0
#include "extender/service.h"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core.h"
#include "base/fake_clock.h"
#include "scheduler/plugins/registry.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::extender {
namespace {

using http::Eventually;
using std::chrono::seconds;
using ::testing::HasSubstr;

// Gate is a filter that waits until it is opened.
class Gate final : public scheduler::FilterPlugin {
 public:
  Gate(std::shared_future<void> opened, std::atomic<bool>& entered)
      : opened_(std::move(opened)), entered_(entered) {}
  scheduler::Verdict Filter(const scheduler::CycleContext&,
                            const scheduler::NodeView&) const override {
    entered_.store(true);
    opened_.wait();
    return scheduler::Verdict::Fits();
  }

 private:
  const std::shared_future<void> opened_;
  std::atomic<bool>& entered_;
};

constexpr const char* kQuestion =
    R"({"Pod":{"metadata":{"name":"p"}},"Nodes":{"items":[{"metadata":{"name":"n1"}}]}})";

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() {
    const scheduler::Registry shipped = scheduler::MakeRegistry();
    std::vector<scheduler::PluginDescriptor> plugins(shipped.plugins().begin(),
                                                     shipped.plugins().end());
    scheduler::PluginDescriptor gate;
    gate.name = "Gate";
    gate.depends_on = {scheduler::Epoch::kNodeObject};
    gate.points = {scheduler::ExtensionPoint::kFilter};
    gate.create =
        [this, opened = gate_.get_future().share()](
            const json::Raw&,
            const scheduler::PluginHandle&) -> Result<std::unique_ptr<scheduler::Plugin>> {
      return std::make_unique<Gate>(opened, is_entered_);
    };
    gate.check = [](const json::Raw&) { return std::vector<api::FieldError>(); };
    plugins.push_back(std::move(gate));
    registry_ = std::make_unique<scheduler::Registry>(std::move(plugins));
  }

  Result<void> Create(const std::string& extenders, client::Client* client = nullptr,
                      const Service::Limits& limits = Service::Limits()) {
    const auto config = LoadConfiguration(
        "apiVersion: berth.dev/v1alpha1\nkind: ExtenderConfiguration\nextenders:\n" + extenders,
        "e.yaml");
    if (!config) return Fail(config.error());
    BERTH_TRY(service_,
              Service::Create(*config, "e.yaml", {*registry_, metrics_, clock_, client}, limits));
    service_->Start();
    return {};
  }
  std::future<Answer> Ask(const std::string& path, const std::string& question) {
    const auto promise = std::make_shared<std::promise<Answer>>();
    service_->Ask(path, question, [promise](Answer answer) { promise->set_value(answer); });
    return promise->get_future();
  }
  static bool IsThere(const std::future<Answer>& answer) {
    return answer.wait_for(seconds(0)) == std::future_status::ready;
  }
  std::string NotReady() const { return service_->ReadyChecks()[0].error().value_or(""); }
  std::string NotLive() const { return service_->LiveChecks()[0].error().value_or(""); }

  FakeClock clock_;
  std::atomic<bool> is_entered_ = false;  // a request has reached the gate
  MetricsRegistry metrics_;
  std::unique_ptr<scheduler::Registry> registry_;
  std::optional<apiserver::InMemoryServer> memory_;
  std::unique_ptr<Service> service_;
  std::promise<void> gate_;  // last: destroying it opens the gate of the service
};

constexpr const char* kGated =
    "- urlPrefix: /s\n  filterVerb: f\n  prioritizeVerb: p\n"
    "  plugins: {filter: {enabled: [{name: Gate}]}}";

TEST_F(ServiceTest, RejectsRequestsAboveLimits) {
  ASSERT_TRUE(Create(kGated, nullptr, {.questions = 2, .bytes = 1000}));
  auto first = Ask("/s/f", kQuestion);
  auto second = Ask("/s/f", kQuestion);
  auto third = Ask("/s/f", kQuestion);
  ASSERT_TRUE(IsThere(third)) << "at once";
  EXPECT_EQ(third.get().code, 503);
  EXPECT_FALSE(IsThere(first));
  gate_.set_value();
  EXPECT_EQ(first.get().code, 200);
  EXPECT_EQ(second.get().code, 200);
  EXPECT_TRUE(Eventually([&] { return Ask("/s/f", kQuestion).get().code == 200; }));
  auto large = Ask("/s/f", std::string(1001, ' '));
  EXPECT_EQ(large.get().code, 503) << "bytes are limited, too";
}

TEST_F(ServiceTest, RejectsRequestsAfterHttpTimeout) {
  ASSERT_TRUE(Create(std::string(kGated) + "\n  httpTimeout: 3s"));
  auto first = Ask("/s/f", kQuestion);
  ASSERT_TRUE(Eventually([&] { return is_entered_.load(); })) << "it is being processed";
  auto second = Ask("/s/f", kQuestion);
  clock_.Advance(seconds(2));
  auto third = Ask("/s/f", kQuestion);
  clock_.Advance(seconds(2));
  gate_.set_value();
  first.wait();
  EXPECT_THAT(second.get().body, HasSubstr("the request waited longer than the httpTimeout"));
  EXPECT_EQ(third.get().code, 200);
}

TEST_F(ServiceTest, NotLiveDuringEndlessDecision) {
  ASSERT_TRUE(Create(std::string(kGated) + "\n  httpTimeout: 1h"));
  EXPECT_EQ(NotLive(), "");
  auto first = Ask("/s/f", kQuestion);
  EXPECT_TRUE(Eventually([&] {
    clock_.Advance(seconds(61));
    return NotLive() == "a decision takes too long";
  }));
  gate_.set_value();
  first.wait();
  EXPECT_TRUE(Eventually([&] { return NotLive().empty(); }));
}

TEST_F(ServiceTest, CreateReportsAllErrors) {
  const auto created = Create(
      "- {urlPrefix: /a, filterVerb: f, plugins: {filter: {enabled: [{name: X}]}}}\n"
      "- {urlPrefix: /a, filterVerb: f}");
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error().message(),
              ::testing::AllOf(HasSubstr("e.yaml: ["), HasSubstr("unknown plugin"),
                               HasSubstr("/a/f is served by extenders[0].filterVerb already")));
  const auto needs = Create("- {urlPrefix: /a, filterVerb: f, nodeCacheCapable: true}");
  ASSERT_FALSE(needs);
  EXPECT_EQ(
      needs.error().message(),
      "e.yaml: a cluster connection is required, set --kubeconfig or --in-cluster: extenders[0]: "
      "nodeCacheCapable requests contain only the names of nodes");
}

template <class T>
T Read(const std::string& text) {
  return json::Decode<T>(text).value();
}

TEST_F(ServiceTest, AnswersFromClusterStateAndBinds) {
  auto& memory = memory_.emplace();
  client::Client& admin = memory.client();
  memory.Inject(R"({"action": "fail", "resource": "nodes", "verb": "list"})");
  ASSERT_TRUE(Create(R"(
- urlPrefix: /s
  filterVerb: f
  bindVerb: b
  nodeCacheCapable: true
  httpTimeout: 1h
  plugins: {multiPoint: {enabled: [{name: NodeResourcesFit}]}})",
                     &admin));
  const std::string question =
      R"({"Pod":{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":)"
      R"({"requests":{"cpu":"1"}}}]}},"NodeNames":["n1"]})";
  EXPECT_EQ(NotReady(), "handlers are not fully synchronized");
  const Answer early = Ask("/s/f", question).get();
  EXPECT_EQ(early.code, 503);
  EXPECT_THAT(early.body, HasSubstr("the caches are not synced yet"));
  ASSERT_TRUE(admin.Create(Read<api::Node>(
      R"({"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"9"}}})")));
  memory.server().ClearFaults();
  EXPECT_TRUE(Eventually([&] { return NotReady().empty(); })) << NotReady();
  EXPECT_TRUE(Eventually([&] {
    return Ask("/s/f", question).get().body.find(R"("NodeNames":["n1"])") != std::string::npos;
  }));
  ASSERT_TRUE(admin.Create(
      Read<api::ServiceAccount>(R"({"metadata":{"namespace":"default","name":"default"}})")));
  const auto pod = admin.Create(Read<api::Pod>(
      R"({"metadata":{"namespace":"default","name":"p"},"spec":{"containers":[{"name":"c",)"
      R"("image":"example.com/c","resources":{"requests":{"cpu":"1"}}}]}})"));
  ASSERT_TRUE(pod) << pod.error().message();
  const auto bind = [&](const std::string& uid) {
    return Ask("/s/b",
               R"({"PodName":"p","PodNamespace":"default","PodUID":")" + uid + R"(","Node":"n1"})")
        .get()
        .body;
  };
  EXPECT_THAT(bind("another"), ::testing::Not(HasSubstr(R"("Error":"")")));
  EXPECT_EQ(bind(pod->metadata.uid), R"({"Error":""})");
  EXPECT_EQ(admin.Get<api::Pod>("default", "p")->spec.node_name, "n1");
  EXPECT_TRUE(Eventually([&] {  // once the watch event has arrived
    return Ask("/s/f", question).get().body.find(R"({"n1":"Insufficient cpu"})") !=
           std::string::npos;
  }));
}

}  // namespace
}  // namespace berth::extender
