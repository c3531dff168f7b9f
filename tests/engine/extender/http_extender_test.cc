// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/http_extender.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "base/mailbox.h"
#include "base/strings.h"
#include "engine/outside_text.h"
#include "tests/engine/extender/hostile_extender.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::engine {
namespace {

using scheduler::Candidate;
using scheduler::Slot;
using scheduler::testing::MakeNode;
using scheduler::testing::MakePod;
using scheduler::testing::TestCluster;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kWhole =
    R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"NAME","managedFields":[{"manager":"kubelet"}],)"
    R"("annotations":{"example.com/rack":"7"}},"status":{"images":[]}})";

std::string WholeNode(const std::string& name) {
  std::string text = kWhole;
  text.replace(text.find("NAME"), 4, name);
  return ObjectText(text).value();
}

class HttpExtenderTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = new HostileExtender(); }
  static void TearDownTestSuite() { delete std::exchange(server_, nullptr); }

  HttpExtenderTest() {
    for (const char* const name : {"n1", "n2", "bad3", "never4", "silent5"}) {
      cluster_.Add(MakeNode(name));
      texts_.nodes.Put(std::string("uid-") + name, WholeNode(name));
    }
    AddPod("p");
    pod_ = MakePod("p").Info(cluster_.words());
  }
  ~HttpExtenderTest() override { stop_.request_stop(); }

  void AddPod(const std::string& name) {
    texts_.pods.Put("uid-" + name, R"({"metadata":{"name":")" + name + R"(","uid":"uid-)" + name +
                                       R"("},"spec":{"x-unknown":1}})");
  }

  api::Extender Spec(const std::string& mode, milliseconds timeout = seconds(10)) const {
    api::Extender spec;
    spec.url_prefix = server_->UrlPrefix(mode);
    spec.filter_verb = "filter";
    spec.prioritize_verb = "prioritize";
    spec.preempt_verb = "preempt";
    spec.bind_verb = "bind";
    spec.http_timeout = Duration(timeout);
    spec.node_cache_capable = true;
    return spec;
  }
  std::unique_ptr<HttpExtender> Make(const api::Extender& spec, const ExtenderReach& reach = {}) {
    auto made = HttpExtender::Create(
        spec, reach,
        {.clock = cluster_.clock(),
         .metrics = metrics_,
         .texts = texts_,
         .post = [this](std::function<void()> message) { mailbox_.Post(std::move(message)); },
         .may_write = [this] { return may_write_.load(); },
         .busy_until = [this](SteadyTime until) { busy_.push_back(until); },
         .bindings = bindings_,
         .stop = stop_.get_token()});
    EXPECT_TRUE(made) << made.error().message();
    return std::move(*made);
  }
  std::unique_ptr<HttpExtender> Make(const std::string& mode, milliseconds timeout = seconds(10)) {
    return Make(Spec(mode, timeout));
  }

  std::vector<Slot> Slots(const std::vector<std::string>& names) {
    std::vector<Slot> slots;
    for (const std::string& name : names) slots.push_back(cluster_.SlotOf(name));
    return slots;
  }
  std::string NameOf(Slot slot) const { return cluster_.snapshot().At(slot).name.text(); }

  // Returns the Filter result as text: "n1 n2; bad3: message; never4! message", or the error's
  // message.
  std::string Filter(HttpExtender& extender, const std::vector<std::string>& nodes = {"n1", "n2"}) {
    const auto verdicts = extender.Filter(*pod_, cluster_.snapshot(), Slots(nodes));
    if (!verdicts) return verdicts.error().message();
    std::vector<std::string> fitting;
    for (const Slot slot : verdicts->fitting) fitting.push_back(NameOf(slot));
    std::string text = Join(fitting, " ");
    for (const auto& rejection : verdicts->rejections) {
      text += "; " + NameOf(rejection.slot) + (rejection.is_resolvable ? ": " : "! ") +
              rejection.message;
    }
    return text;
  }
  std::string Filter(const std::string& mode, milliseconds timeout = seconds(10)) {
    return Filter(*Make(mode, timeout));
  }
  std::string Prioritize(const std::string& mode) {
    const auto extender = Make(mode);
    const auto scores =
        extender->Prioritize(*pod_, cluster_.snapshot(), Slots({"n1", "n2", "bad3"}))();
    if (!scores) return scores.error().message();
    std::string text;
    for (const auto& [slot, score] : *scores) {
      text += NameOf(slot) + "=" + std::to_string(score) + " ";
    }
    return text;
  }
  Result<void> Bind(HttpExtender& extender, const std::string& node = "n1") {
    std::optional<Result<void>> outcome;
    extender.Bind(*pod_, scheduler::NodeRef(cluster_.snapshot().At(cluster_.SlotOf(node))),
                  [&](Result<void> how) { outcome = std::move(how); });
    EXPECT_FALSE(outcome) << "done inside Bind";
    EXPECT_EQ(bindings_, 1u);
    while (!outcome) {
      for (const auto& message : mailbox_.Take(std::chrono::steady_clock::now() + seconds(30))) {
        message();
      }
    }
    EXPECT_EQ(bindings_, 0u);
    return *outcome;
  }
  std::string Bind(const std::string& mode, milliseconds timeout = seconds(10)) {
    const auto extender = Make(mode, timeout);
    const Result<void> how = Bind(*extender);
    return how ? "bound" : how.error().message();
  }

  // Returns the Preempt result as text: "n1: v1 v2 (1 violations); n2: …".
  std::string Preempt(HttpExtender& extender, const std::vector<Candidate>& candidates) {
    const auto left = extender.Preempt(*pod_, cluster_.snapshot(), candidates);
    if (!left) return left.error().message();
    std::vector<std::string> texts;
    for (const Candidate& candidate : *left) {
      std::string text = candidate.node.name() + ":";
      for (const auto& victim : candidate.victims) text += " " + victim->name();
      texts.push_back(text + " (" + std::to_string(candidate.violations) + ")");
    }
    return Join(texts, "; ");
  }
  // Returns a node with these pods, all of them victims.
  Candidate Victims(const std::string& node, const std::vector<std::string>& pods,
                    int violations = 0) {
    for (const std::string& pod : pods) {
      cluster_.Add(MakePod(pod).OnNode(node));
      AddPod(pod);
    }
    const scheduler::NodeInfo& info = cluster_.snapshot().At(cluster_.SlotOf(node));
    return {.node = scheduler::NodeRef(info), .victims = info.pods, .violations = violations};
  }

  // Returns the requests whose path begins with `path`.
  static std::vector<Question> AskedAt(const std::string& path) {
    std::vector<Question> found;
    for (Question& question : server_->Asked()) {
      if (question.path.starts_with(path)) found.push_back(std::move(question));
    }
    return found;
  }

  static HostileExtender* server_;

  TestCluster cluster_;
  KnownTexts texts_;
  MetricsRegistry metrics_;
  Mailbox<std::function<void()>> mailbox_;
  std::atomic<bool> may_write_ = true;
  std::deque<SteadyTime> busy_;
  size_t bindings_ = 0;
  std::stop_source stop_;
  std::shared_ptr<const scheduler::PendingPod> pod_;
};

HostileExtender* HttpExtenderTest::server_ = nullptr;

TEST_F(HttpExtenderTest, SendsNamesToNodeCacheCapableExtenders) {
  EXPECT_EQ(Filter(*Make("ok"), {"n2", "bad3", "n1", "never4", "silent5"}),
            "n2 n1; bad3: bad3 is full; never4! never4 has no GPU");
  const Question asked = AskedAt("/ok/filter").back();
  EXPECT_EQ(asked.method, "POST");
  EXPECT_EQ(asked.headers.at("content-type"), "application/json");
  EXPECT_FALSE(asked.headers.contains("accept-encoding"));
  EXPECT_FALSE(asked.headers.contains("expect"));
  EXPECT_EQ(asked.body,
            R"({"Pod":{"metadata":{"name":"p","uid":"uid-p"},"spec":{"x-unknown":1}},"Nodes":null,)"
            R"("NodeNames":["n2","bad3","n1","never4","silent5"]})");
}

TEST_F(HttpExtenderTest, SendsWholeNodesToOtherExtenders) {
  api::Extender spec = Spec("ok");
  spec.node_cache_capable = false;
  EXPECT_EQ(Filter(*Make(spec), {"n1", "bad3"}), "n1; bad3: bad3 is full");
  EXPECT_EQ(
      AskedAt("/ok/filter").back().body,
      R"({"Pod":{"metadata":{"name":"p","uid":"uid-p"},"spec":{"x-unknown":1}},"Nodes":{"metadata":{},)"
      R"("items":[{"metadata":{"annotations":{"example.com/rack":"7"},"name":"n1"},"status":{"images":[]}},)"
      R"({"metadata":{"annotations":{"example.com/rack":"7"},"name":"bad3"},"status":{"images":[]}}]},)"
      R"("NodeNames":null})");
}

TEST_F(HttpExtenderTest, SkipsADeletedNode) {
  api::Extender spec = Spec("ok");
  spec.node_cache_capable = false;
  texts_.nodes.Remove("uid-n1");
  EXPECT_EQ(Filter(*Make(spec)), "n2");
}

TEST_F(HttpExtenderTest, DoesNotSendADeletedPod) {
  texts_.pods.Remove("uid-p");
  EXPECT_THAT(Filter("ok"), HasSubstr("pod default/p no longer exists"));
  EXPECT_THAT(Prioritize("ok"), HasSubstr("pod default/p no longer exists"));
}

TEST_F(HttpExtenderTest, TrimsTrailingSlashesOfThePrefix) {
  api::Extender spec = Spec("ok//");
  spec.filter_verb = "filter?tenant=1";
  spec.url_prefix = server_->UrlPrefix("500///");
  EXPECT_EQ(Filter(*Make(spec)), "failed filter?tenant=1 with extender at URL " +
                                     server_->UrlPrefix("500") + "/filter?tenant=1, code 500");
}

TEST_F(HttpExtenderTest, AcceptsLowerCaseFieldNames) {
  EXPECT_EQ(Filter(*Make("lower"), {"n1", "bad3", "never4"}),
            "n1; bad3: bad3 is full; never4! never4 has no GPU");
  EXPECT_EQ(Prioritize("lower"), "n1=2 n2=2 bad3=4 ");
}

TEST_F(HttpExtenderTest, HandlesFilterResponsesLikeUpstream) {
  const std::string prefix = server_->UrlPrefix("");
  const std::map<std::string, std::string> table = {
      {"neither", ""},
      {"null", ""},
      {"twice", "n1 n2"},
      {"two-values", "n1"},
      {"both-refusals", "; n1: full; n2! no GPU"},
      {"unknown-refusals", "n1; n2: y"},
      {"error", "the licence server is down"},
      {"bytes", "no utf-8: \xef\xbf\xbd\xef\xbf\xbd"},
      {"unknown", "extender \"" + prefix +
                      R"(unknown" claims a filtered node "else\nwhere" which is not found in the )"
                      "input node list"}};
  for (const auto& [mode, verdict] : table) EXPECT_EQ(Filter(mode), verdict) << mode;
}

TEST_F(HttpExtenderTest, IgnoresUnrequestedNodesInTheResponse) {
  api::Extender spec = Spec("unknown-nodes");
  spec.node_cache_capable = false;
  EXPECT_EQ(Filter(*Make(spec)), "n2");
  spec.url_prefix = server_->UrlPrefix("unknown");
  EXPECT_EQ(Filter(*Make(spec)), "") << "names in the response to whole nodes are ignored";
}

TEST_F(HttpExtenderTest, ShowsExtenderTextsInOneLine) {
  for (const std::string& text : {Filter("nasty-error"), Filter("nasty-refusals")}) {
    EXPECT_THAT(text, HasSubstr("line one  line two \xef\xbf\xbd[31mred\xef\xbf\xbd\xef\xbf\xbd "));
    EXPECT_THAT(text, AllOf(HasSubstr("xxx..."), Not(HasSubstr("\n")), Not(HasSubstr("\u202e"))));
    EXPECT_LE(text.size(), 2 * (kMaxOutsideText + 10));
  }
}

struct Bad {
  std::string mode, says;
};

TEST_F(HttpExtenderTest, FailsOnInvalidResponses) {
  const std::string prefix = server_->UrlPrefix("");
  const auto code = [&](const std::string& mode, int number) {
    return "failed filter with extender at URL " + prefix + mode + "/filter, code " +
           std::to_string(number);
  };
  const std::vector<Bad> table = {
      {"404", code("404", 404)},
      {"500", code("500", 500)},
      {"503", code("503", 503)},
      {"204", code("204", 204)},
      {"redirect", code("redirect", 302)},
      {"redirect-307", code("redirect-307", 307)},
      {"nothing", "answer of the extender at URL " + prefix + "nothing/filter: malformed JSON"},
      {"text", "text/filter: "},
      {"list", "expected an object, found a list"},
      {"names-are-text", "NodeNames: expected a list, found a string"},
      {"deep", "Nodes: expected an object, found a list"},
      {"gzip-bomb", "the response has the encoding gzip, which was not requested"},
      {"die", "no answer from " + prefix + "die: "},
      {"reset-head", "no answer from " + prefix + "reset-head: "},
      {"reset-body", "no answer from " + prefix + "reset-body: "},
      {"too-short", "no answer from " + prefix + "too-short: "},
      {"too-long", "malformed JSON"},
      {"no-http", "no answer from " + prefix + "no-http: "},
      {"endless", "is longer than 10485760 bytes"},
      {"huge", "is longer than 10485760 bytes"},
      {"endless-head", "no answer from " + prefix + "endless-head: "}};
  const size_t followed = AskedAt("/ok/").size();
  for (const Bad& bad : table) {
    const size_t before = AskedAt("/" + bad.mode + "/").size();
    const std::string error = Filter(bad.mode);
    EXPECT_THAT(error, HasSubstr(bad.says)) << bad.mode;
    EXPECT_THAT(error, Not(HasSubstr("\n"))) << bad.mode;
    EXPECT_THAT(AskedAt("/" + bad.mode + "/"), SizeIs(before + 1)) << "asked again: " << bad.mode;
  }
  EXPECT_THAT(AskedAt("/ok/"), SizeIs(followed)) << "followed a redirect";
}

TEST_F(HttpExtenderTest, TimeoutCoversTheWholeExchange) {
  for (const char* const mode : {"slow-head", "slow-body", "hang"}) {
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(Filter(mode, milliseconds(300)),
              "no answer from " + server_->UrlPrefix(mode) + " within 300 ms");
    EXPECT_LT(std::chrono::steady_clock::now() - before, seconds(5)) << mode;
  }
}

TEST_F(HttpExtenderTest, FailsIfTheConnectionIsRejected) {
  api::Extender spec = Spec("ok");
  spec.url_prefix = "http://127.0.0.1:" + std::to_string(integration::FreePorts(1).front());
  EXPECT_THAT(Filter(*Make(spec)), HasSubstr("no answer from " + spec.url_prefix + ": "));
}

TEST_F(HttpExtenderTest, ReportsTheDeadlineOfTheSchedulingThread) {
  const SteadyTime now = cluster_.clock().Now();
  Filter("ok", seconds(7));
  EXPECT_THAT(busy_, ElementsAre(now + seconds(7), now));
}

TEST_F(HttpExtenderTest, StopsWaitingWhenTheProcessStops) {
  const auto extender = Make("hang", std::chrono::hours(1));
  std::jthread stopping([this] { stop_.request_stop(); });
  EXPECT_THAT(Filter(*extender), HasSubstr("canceled"));
}

TEST_F(HttpExtenderTest, ReturnsScores) {
  const std::map<std::string, std::string> table = {
      {"ok", "n1=2 n2=2 bad3=4 "},
      {"unknown", "n1=3 "},
      {"twice", "n1=2 n2=2 bad3=4 n1=2 n2=2 bad3=4 "},  // duplicates add up
      {"null", ""},
      {"extreme", "n1=9223372036854775807 n2=-9223372036854775808 "}};
  for (const auto& [mode, scores] : table) EXPECT_EQ(Prioritize(mode), scores) << mode;
}

TEST_F(HttpExtenderTest, RejectsInvalidScores) {
  const std::vector<Bad> table = {{"nan", "malformed JSON"},
                                  {"1e309", "expected an integer, found a number (1e309)"},
                                  {"fraction", "expected an integer, found a number (0.5)"},
                                  {"score-is-text", "expected an integer, found a string"},
                                  {"list", "expected a list, found an object"},
                                  {"500", "failed prioritize with extender at URL "}};
  for (const Bad& bad : table) EXPECT_THAT(Prioritize(bad.mode), HasSubstr(bad.says)) << bad.mode;
}

TEST_F(HttpExtenderTest, PrioritizesInParallel) {
  const auto hanging = Make("hang", milliseconds(400));
  const auto also = Make("hang", milliseconds(400));
  const auto before = std::chrono::steady_clock::now();
  const auto first = hanging->Prioritize(*pod_, cluster_.snapshot(), Slots({"n1"}));
  const auto second = also->Prioritize(*pod_, cluster_.snapshot(), Slots({"n1"}));
  EXPECT_FALSE(first());
  EXPECT_FALSE(second());
  EXPECT_LT(std::chrono::steady_clock::now() - before, milliseconds(790));
}

TEST_F(HttpExtenderTest, BindsThroughTheExtender) {
  EXPECT_EQ(Bind("ok"), "bound");
  EXPECT_EQ(AskedAt("/ok/bind").back().body,
            R"({"PodName":"p","PodNamespace":"default","PodUID":"uid-p","Node":"n1"})");
  EXPECT_EQ(Bind("nothing"), "bound");
  EXPECT_EQ(Bind("blank"), "bound");
  EXPECT_EQ(Bind("null"), "bound");
  EXPECT_EQ(Bind("error"), "no such node");
  EXPECT_THAT(Bind("500"), HasSubstr("failed bind with extender at URL "));
  EXPECT_THAT(Bind("list"), HasSubstr("expected an object, found a list"));
  EXPECT_THAT(Bind("big"), HasSubstr("is longer than 1048576 bytes"));
  EXPECT_THAT(Bind("hang", milliseconds(200)), HasSubstr("within 200 ms"));
}

TEST_F(HttpExtenderTest, SendsBindOnceIfTheConnectionBreaks) {
  const auto extender = Make("close-idle");
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Bind(*extender));
  const auto asked = AskedAt("/close-idle/bind");
  ASSERT_THAT(asked, SizeIs(10));
  std::set<std::string> connections;
  for (const Question& question : asked) connections.insert(question.client);
  EXPECT_THAT(connections, SizeIs(10));
  Bind("die");
  Bind("reset-head");
  EXPECT_THAT(AskedAt("/die/bind"), SizeIs(1));
  EXPECT_THAT(AskedAt("/reset-head/bind"), SizeIs(1));
}

TEST_F(HttpExtenderTest, SendsOtherVerbsOverKeepAliveConnections) {
  const auto extender = Make("lower");
  const size_t before = AskedAt("/lower/filter").size();
  for (int i = 0; i < 5; ++i) Filter(*extender);
  std::set<std::string> connections;
  const auto asked = AskedAt("/lower/filter");
  for (size_t i = before; i < asked.size(); ++i) connections.insert(asked[i].client);
  EXPECT_THAT(connections, SizeIs(1));
}

TEST_F(HttpExtenderTest, DoesNotBindAfterLosingLeadership) {
  may_write_ = false;
  const size_t before = AskedAt("/ok/bind").size();
  EXPECT_EQ(Bind("ok"), "not sent: no longer the leader");
  EXPECT_THAT(AskedAt("/ok/bind"), SizeIs(before));
}

TEST_F(HttpExtenderTest, SendsVictimUidsToPreemptVerb) {
  const auto extender = Make("ok");
  const std::vector<Candidate> candidates = {Victims("n2", {"v1", "v2"}, 1), Victims("n1", {"v3"})};
  EXPECT_EQ(Preempt(*extender, candidates), "n2: v1 (1); n1: v3 (0)");
  EXPECT_EQ(AskedAt("/ok/preempt").back().body,
            R"({"Pod":{"metadata":{"name":"p","uid":"uid-p"},"spec":{"x-unknown":1}},)"
            R"("NodeNameToVictims":null,"NodeNameToMetaVictims":{)"
            R"("n1":{"Pods":[{"UID":"uid-v3"}],"NumPDBViolations":0},)"
            R"("n2":{"Pods":[{"UID":"uid-v1"},{"UID":"uid-v2"}],"NumPDBViolations":1}}})");
}

TEST_F(HttpExtenderTest, SendsWholeVictimsToPreemptVerb) {
  api::Extender spec = Spec("ok");
  spec.node_cache_capable = false;
  const std::vector<Candidate> candidates = {Victims("n2", {"v1", "v2"}, 1)};
  EXPECT_EQ(Preempt(*Make(spec), candidates), "n2: v1 (1)");
  EXPECT_THAT(AskedAt("/ok/preempt").back().body,
              HasSubstr(R"("NodeNameToVictims":{"n2":{"Pods":[{"metadata":{"name":"v1","uid":)"
                        R"("uid-v1"},"spec":{"x-unknown":1}},)"));
}

TEST_F(HttpExtenderTest, HandlesPreemptResponsesLikeUpstream) {
  const std::vector<Candidate> candidates = {Victims("n1", {"v1"})};
  const std::vector<Bad> table = {
      {"unknown", "nodeinfo not found for node name \"elsewhere\""},
      {"unknown-pod", "extender: " + server_->UrlPrefix("unknown-pod") +
                          " claims to preempt pod (UID: &{nobody}) on node: n1, but the pod is "
                          "not found on that node"},
      {"no-victims", "n1: (0)"},
      {"many-violations", "n1: v1 (2147483647)"},
      {"null", ""},
      {"500",
       "failed preempt with extender at URL " + server_->UrlPrefix("500") + "/preempt, code 500"}};
  for (const Bad& bad : table) {
    EXPECT_EQ(Preempt(*Make(bad.mode), candidates), bad.says) << bad.mode;
  }
}

TEST_F(HttpExtenderTest, PausesAfterFiveFailures) {
  const auto extender = Make("switch");
  server_->Behave("500");
  const size_t before = AskedAt("/switch/").size();
  for (int i = 0; i < 5; ++i) EXPECT_THAT(Filter(*extender), HasSubstr("code 500"));
  EXPECT_THAT(Filter(*extender),
              AllOf(HasSubstr("extender " + server_->UrlPrefix("switch") +
                              ": not called until 2026-01-01T00:00:01Z after 5 failures in a row"),
                    HasSubstr("code 500")));
  EXPECT_THAT(Bind(*extender).error().message(), HasSubstr("not called until"));
  EXPECT_THAT(AskedAt("/switch/"), SizeIs(before + 5));
  cluster_.clock().Advance(seconds(1));
  EXPECT_THAT(Filter(*extender), HasSubstr("failed filter")) << "one probe is admitted";
  EXPECT_THAT(Filter(*extender), HasSubstr("not called until 2026-01-01T00:00:03Z"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_extender_breaker_state{extender=\"" +
                                         server_->UrlPrefix("switch") + "\"} 1"));
  server_->Behave("ok");
  cluster_.clock().Advance(seconds(2));
  EXPECT_EQ(Filter(*extender), "n1 n2");
  EXPECT_EQ(Filter(*extender), "n1 n2");
  const std::string extender_label = "{extender=\"" + server_->UrlPrefix("switch") + "\"";
  const std::string text = metrics_.Text();
  EXPECT_THAT(text, HasSubstr("berth_extender_breaker_state" + extender_label + "} 0"));
  EXPECT_THAT(text, HasSubstr("berth_extender_calls_total" + extender_label +
                              ",result=\"error\",verb=\"filter\"} 6"));
  EXPECT_THAT(text, HasSubstr("berth_extender_calls_total" + extender_label +
                              ",result=\"refused\",verb=\"filter\"} 2"));
  EXPECT_THAT(text, HasSubstr("berth_extender_calls_total" + extender_label +
                              ",result=\"success\",verb=\"filter\"} 2"));
  EXPECT_THAT(text, HasSubstr("berth_extender_call_duration_seconds_count" + extender_label +
                              ",verb=\"filter\"} 8"));
}

TEST_F(HttpExtenderTest, ErrorResponseDoesNotCountAsFailure) {
  const auto extender = Make("error");
  for (int i = 0; i < 7; ++i) EXPECT_EQ(Filter(*extender), "the licence server is down");
}

TEST_F(HttpExtenderTest, DoesNotConnectAProfileToForbiddenAddresses) {
  api::Extender spec = Spec("ok");
  spec.url_prefix = server_->UrlPrefix("ok", "localhost");  // resolves to the loopback
  const ExtenderReach profile{.is_rendered = true};
  const size_t before = AskedAt("/ok/").size();
  EXPECT_THAT(Filter(*Make(spec, profile)),
              AllOf(HasSubstr("must not be connected to "), HasSubstr("1: a loopback address")));
  EXPECT_THAT(AskedAt("/ok/"), SizeIs(before));
  const uint16_t port = server_->port();
  EXPECT_EQ(Filter(*Make(spec, {.is_rendered = true, .sidecar_ports = {port}})), "n1 n2");
  const uint16_t other = port == 1 ? 2 : port - 1;
  EXPECT_THAT(Filter(*Make(spec, {.is_rendered = true, .sidecar_ports = {other}})),
              HasSubstr("must not be connected to"));
}

TEST(NeedsOf, ListsKindsThatExtendersNeedWhole) {
  const auto needs = [](auto change) {
    std::vector<api::Extender> extenders(1);
    change(extenders.front());
    return NeedsOf(extenders);
  };
  EXPECT_FALSE(NeedsOf({}).any());
  EXPECT_EQ(needs([](api::Extender& e) { e.bind_verb = "b"; }), TextNeeds{});
  EXPECT_EQ(needs([](api::Extender& e) { e.filter_verb = "f"; }),
            (TextNeeds{.nodes = true, .waiting_pods = true}));
  EXPECT_EQ(needs([](api::Extender& e) {
              e.prioritize_verb = "p";
              e.node_cache_capable = true;
            }),
            (TextNeeds{.waiting_pods = true}));
  EXPECT_EQ(needs([](api::Extender& e) { e.preempt_verb = "p"; }),
            (TextNeeds{.waiting_pods = true, .placed_pods = true}));
}

}  // namespace
}  // namespace berth::engine
