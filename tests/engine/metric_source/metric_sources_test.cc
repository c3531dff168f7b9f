// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/metric_sources.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/engine/metric_source/metric_source_fixture.h"

namespace berth::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class MetricSourcesTest : public MetricSourceFixture {
 protected:
  static void SetUpTestSuite() { server_ = new PythonServer(kProgram); }
  static void TearDownTestSuite() { delete std::exchange(server_, nullptr); }

  static scheduler::MetricQuery Switched() { return QueryOf(server_->Url("switch")); }
  // Returns the value of a metric's line that contains this label.
  std::string Sample(const std::string& name, const std::string& label = "") const {
    std::istringstream lines(metrics_.Text());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(name + "{") && line.find(label) != line.npos) {
        return line.substr(line.rfind(' ') + 1);
      }
    }
    return "";
  }

  static inline PythonServer* server_ = nullptr;
};

TEST_F(MetricSourcesTest, ReturnsTheValueOfEachNode) {
  const auto metric = Watch(QueryOf(server_->Url("ok")));
  EXPECT_EQ(SharesIn(*metric), "- - -") << "no query yet";
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  EXPECT_EQ(sources_.Errors(), "");
  EXPECT_EQ(Sample("berth_metric_source_queries_total", "result=\"success\""), "1");
  EXPECT_EQ(Sample("berth_metric_source_nodes", "state=\"known\""), "3");
  EXPECT_EQ(Sample("berth_metric_source_nodes", "state=\"missing\""), "0");
  EXPECT_EQ(Sample("berth_metric_source_age_seconds"), "0");
}

TEST_F(MetricSourcesTest, SharesOneQueryBetweenNodesAndUsers) {
  const auto query = QueryOf(server_->Url("ok"));
  const size_t before = server_->Asked().size();
  const auto one = Watch(query), other = Watch(query);
  EXPECT_EQ(one, other);
  for (int i = 0; i < 3; ++i) Ask();
  const auto asked = server_->Asked();
  ASSERT_EQ(asked.size() - before, 3u);
  EXPECT_EQ(asked.back().method, "GET");
  EXPECT_EQ(asked.back().path, "/ok/api/v1/query?query=up%7Bx%3D%22y%20z%22%7D");
  EXPECT_FALSE(asked.back().headers.contains("authorization"));
}

TEST_F(MetricSourcesTest, StopsQueryingWithoutUsers) {
  auto metric = Watch(QueryOf(server_->Url("ok")));
  Ask();
  const size_t before = server_->Asked().size();
  metric.reset();
  EXPECT_THAT(mailbox_.TryTake(), IsEmpty());
  EXPECT_EQ(server_->Asked().size(), before);
  EXPECT_EQ(Sample("berth_metric_source_age_seconds"), "-1");
}

TEST_F(MetricSourcesTest, DestructorDoesNotWaitForTheQuery) {
  auto metric = Watch(QueryOf(server_->Url("hang")));
  pauses_.Await(1);
  pauses_.HoldOn(true);  // like a resolver that never answers
  metric.reset();
  sources_.Step();
  EXPECT_THAT(mailbox_.TryTake(), IsEmpty());
  pauses_.HoldOn(false);
}

struct Behaviour {
  const char* mode;
  const char* error;  // in the report; empty: no error
  const char* shares;
};

constexpr Behaviour kBehaviours[] = {
    {"ok", "", "0 50 100"},
    {"idle", "", "0 0 0"},
    {"duplicates", "", "100 100 -"},
    {"odd-values", "", "- - 100"},
    {"nan", "no series with the label instance and a value: nodes score alike", "- - -"},
    {"number-value", "no series with the label instance and a value", "- - -"},
    {"no-label", "no series with the label instance and a value", "- - -"},
    {"empty", "no series with the label instance and a value", "- - -"},
    {"unknown-nodes",
     R"(no series has a node's name or address in the label instance, which has values such as "10.0.0.1": nodes score alike)",
     "- - -"},
    {"bare-nan", "not an answer of Prometheus", "- - -"},
    {"bare-1e309", "no series with the label instance and a value", "- - -"},
    {"matrix", R"(the query gives "matrix", expected a vector)", "- - -"},
    {"scalar", R"(the query gives "scalar", expected a vector)", "- - -"},
    {"string", R"(the query gives "string", expected a vector)", "- - -"},
    {"no-data", "the query gives no result, expected a vector", "- - -"},
    {"other-status", R"(not an answer of Prometheus: status "maybe")", "- - -"},
    {"result-is-text", "not an answer of Prometheus", "- - -"},
    {"nothing", "not an answer of Prometheus", "- - -"},
    {"null", "not an answer of Prometheus", "- - -"},
    {"list", "not an answer of Prometheus", "- - -"},
    {"text", "not an answer of Prometheus", "- - -"},
    {"page", "not an answer of Prometheus", "- - -"},
    {"cut", "not an answer of Prometheus", "- - -"},
    {"bytes", "not an answer of Prometheus", "- - -"},
    {"deep", "the query gives no result, expected a vector", "- - -"},
    {"many", "the query gives 50001 series, allowed: 50000", "- - -"},
    {"nasty", "bad_data: line one  line two", "- - -"},
    {"bad-query", R"(bad_data: invalid parameter "query": 1:5: parse error)", "- - -"},
    {"too-slow", "timeout: query timed out in expression evaluation", "- - -"},
    {"error-200", "internal: out of memory", "- - -"},
    {"redirect", "code 302: redirects are not followed", "- - -"},
    {"redirect-307", "code 307: redirects are not followed", "- - -"},
    {"204", "code 204", "- - -"},
    {"401", "code 401", "- - -"},
    {"404", "code 404", "- - -"},
    {"500", "code 500", "- - -"},
    {"die", "; nodes score alike", "- - -"},
    {"reset", "; nodes score alike", "- - -"},
    {"no-http", "; nodes score alike", "- - -"},
    {"endless", "; nodes score alike", "- - -"},
    {"huge", "; nodes score alike", "- - -"},
    {"gzip-bomb", "the response has the encoding gzip, which was not requested", "- - -"},
};

TEST_F(MetricSourcesTest, SurvivesInvalidAnswers) {
  for (const Behaviour& behaviour : kBehaviours) {
    SCOPED_TRACE(behaviour.mode);
    auto metric = Watch(QueryOf(server_->Url(behaviour.mode)));
    Ask();
    EXPECT_EQ(SharesIn(*metric), behaviour.shares);
    const std::string errors = sources_.Errors();
    EXPECT_THAT(errors, HasSubstr(behaviour.error));
    EXPECT_EQ(errors.empty(), std::string(behaviour.error).empty()) << errors;
    EXPECT_LE(errors.size(), 1024u);
    EXPECT_EQ(errors.find('\n'), std::string::npos);
    metric.reset();
    pauses_.Await(0);
  }
}

TEST_F(MetricSourcesTest, TimesOutWaitingForAnAnswer) {
  for (const char* const mode : {"drip", "hang"}) {
    auto query = QueryOf(server_->Url(mode));
    query.timeout = milliseconds(200);
    auto metric = Watch(query);
    Ask();
    EXPECT_EQ(SharesIn(*metric), "- - -");
    EXPECT_THAT(sources_.Errors(), HasSubstr("; nodes score alike")) << mode;
    metric.reset();
    pauses_.Await(0);
  }
}

TEST_F(MetricSourcesTest, ReportsARejectedConnection) {
  const auto metric = Watch(QueryOf("http://127.0.0.1:1"));
  Ask();
  EXPECT_THAT(sources_.Errors(), StartsWith("NetworkTraffic: http://127.0.0.1:1: "));
  EXPECT_EQ(Sample("berth_metric_source_queries_total", "result=\"error\""), "1");
}

TEST_F(MetricSourcesTest, BacksOffWhileQueriesFail) {
  server_->Behave("500");
  const auto metric = Watch(Switched());
  EXPECT_THAT(Ask(), ElementsAre(milliseconds(0)));
  for (const int waited : {15, 30, 60, 120, 120}) {
    EXPECT_THAT(Ask(), ElementsAre(seconds(waited)));
  }
  server_->Behave("ok");
  EXPECT_THAT(Ask(), ElementsAre(seconds(120)));
  EXPECT_THAT(Ask(), ElementsAre(seconds(15)));
}

TEST_F(MetricSourcesTest, KeepsAnAnswerUntilItExpires) {
  server_->Behave("ok");
  const auto metric = Watch(Switched());
  Ask();
  const uint64_t revision = metric->revision();
  server_->Behave("500");
  clock_.Advance(seconds(15));
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  EXPECT_EQ(metric->revision(), revision);
  EXPECT_EQ(sources_.Errors(),
            "NetworkTraffic: " + server_->Url("switch") +
                ": code 500; the answer of 2026-01-01T00:00:00Z counts until 2026-01-01T00:05:00Z");
  EXPECT_EQ(errors_told_, 1);
  EXPECT_EQ(Sample("berth_metric_source_age_seconds"), "15");

  clock_.Advance(seconds(284));
  sources_.Step();
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  EXPECT_EQ(errors_told_, 1);
  clock_.Advance(seconds(1));
  sources_.Step();
  EXPECT_EQ(SharesIn(*metric), "- - -");
  EXPECT_NE(metric->revision(), revision);
  EXPECT_THAT(sources_.Errors(), HasSubstr(": code 500; nodes score alike"));
  EXPECT_EQ(errors_told_, 2);
  EXPECT_EQ(Sample("berth_metric_source_age_seconds"), "-1");
  EXPECT_EQ(Sample("berth_metric_source_nodes", "state=\"missing\""), "3");

  server_->Behave("moved");
  Ask();
  EXPECT_EQ(SharesIn(*metric), "100 50 0");
  EXPECT_EQ(sources_.Errors(), "");
  EXPECT_EQ(errors_told_, 3);
}

TEST_F(MetricSourcesTest, KeepsTheLastAnswerWithoutExpiry) {
  server_->Behave("ok");
  auto query = Switched();
  query.keeps_last = true;
  const auto metric = Watch(query);
  Ask();
  server_->Behave("without-n3");
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  server_->Behave("500");
  clock_.Advance(std::chrono::hours(48));
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  EXPECT_THAT(sources_.Errors(), HasSubstr("code 500; the answer of 2026-01-01T00:00:00Z counts"));
  EXPECT_THAT(sources_.Errors(), Not(HasSubstr("until")));
}

TEST_F(MetricSourcesTest, ForgetsANodeMissingInTheLastAnswer) {
  server_->Behave("ok");
  const auto metric = Watch(Switched());
  Ask();
  server_->Behave("without-n3");
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 100 -");
  EXPECT_EQ(Sample("berth_metric_source_nodes", "state=\"missing\""), "1");
}

TEST_F(MetricSourcesTest, IgnoresSmallChanges) {
  server_->Behave("ok");
  const auto metric = Watch(Switched());
  Ask();
  const uint64_t revision = metric->revision();
  server_->Behave("hardly-moved");
  Ask();
  EXPECT_EQ(metric->revision(), revision);
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  server_->Behave("moved");
  Ask();
  EXPECT_NE(metric->revision(), revision);
  EXPECT_EQ(SharesIn(*metric), "100 50 0");
}

TEST_F(MetricSourcesTest, ReturnsValuesOfNodesAddedLater) {
  has_nodes_ = false;
  const auto metric = Watch(QueryOf(server_->Url("ok")));
  Ask();
  EXPECT_EQ(SharesIn(*metric), "- - -");
  EXPECT_EQ(sources_.Errors(), "");
  has_nodes_ = true;
  sources_.Step();
  EXPECT_EQ(SharesIn(*metric), "0 50 100");
  cluster_.Add(scheduler::testing::MakeNode("n4"));
  sources_.Step();
  EXPECT_EQ(Sample("berth_metric_source_nodes", "state=\"missing\""), "1");
}

TEST_F(MetricSourcesTest, MatchesNodesByAddress) {
  using scheduler::testing::MakeNode;
  cluster_.Add(MakeNode("n1").Address("InternalIP", "10.0.0.1"));
  cluster_.Add(MakeNode("n2").Address("InternalIP", "fd00::2").Address("Hostname", "machine-2"));
  cluster_.Add(MakeNode("n3").Address("ExternalIP", "203.0.113.3"));
  const auto metric = Watch(QueryOf(server_->Url("addresses")));
  Ask();
  EXPECT_EQ(SharesIn(*metric), "25 50 100");
  EXPECT_EQ(sources_.Errors(), "");
  EXPECT_EQ(Sample("berth_metric_source_passed_over", "reason=\"no_node\""), "0");

  cluster_.Add(MakeNode("n1").Address("InternalIP", "203.0.113.3"));
  cluster_.Add(MakeNode("n3").Address("InternalIP", "10.0.0.1"));
  EXPECT_EQ(SharesIn(*metric), "25 50 100") << "unchanged until the next answer";
  Ask();
  EXPECT_EQ(SharesIn(*metric), "100 50 25");
}

TEST_F(MetricSourcesTest, CountsIgnoredSeries) {
  const auto metric = Watch(QueryOf(server_->Url("odd-values")));
  Ask();
  EXPECT_EQ(Sample("berth_metric_source_passed_over", "reason=\"no_value\""), "8");
  EXPECT_EQ(Sample("berth_metric_source_passed_over", "reason=\"no_label\""), "0");
  const auto other = Watch(QueryOf(server_->Url("unknown-nodes")));
  Ask(2);
  EXPECT_EQ(Sample("berth_metric_source_passed_over",
                   "/unknown-nodes\",query=\"up{x=\\\"y z\\\"}\",reason=\"no_node\""),
            "2");
}

TEST_F(MetricSourcesTest, DoesNotConnectARenderedSchedulerToForbiddenHosts) {
  const size_t before = server_->Asked().size();
  const auto metric = Watch(QueryOf(server_->Url("ok")), /*is_rendered=*/true);
  Ask();
  EXPECT_EQ(SharesIn(*metric), "- - -");
  EXPECT_THAT(sources_.Errors(), HasSubstr("a loopback address"));
  EXPECT_EQ(server_->Asked().size(), before);
}

}  // namespace
}  // namespace berth::engine
