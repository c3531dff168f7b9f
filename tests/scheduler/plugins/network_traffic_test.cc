// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/network_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/normalize.h"
#include "scheduler/plugins/traffic_query.h"
#include "tests/scheduler/testing/fixed_metrics.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using ::testing::AllOf;
using testing::Cycle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using testing::ScoreAll;
using ::testing::SizeIs;
using testing::TestCluster;

using Scores = std::map<std::string, int64_t>;

std::string ArgsWith(const std::string& more) {
  return R"({"address":"prom.berth-system.svc:9090","deviceName":"eth0")" + more + "}";
}

std::vector<std::string> Errors(const std::string& args) {
  std::vector<std::string> texts;
  for (const auto& error : NetworkTraffic::Descriptor().check({args})) {
    texts.push_back(error.ToString());
  }
  return texts;
}

class NetworkTrafficTest : public ::testing::Test {
 protected:
  NetworkTrafficTest() {
    for (const char* const node : {"a", "b", "c"}) cluster_.Add(MakeNode(node));
  }

  std::unique_ptr<NetworkTraffic> Make(const std::string& more = "") {
    PluginHandle handle = cluster_.handle();
    handle.metrics = &metrics_;
    auto made = NetworkTraffic::Descriptor().create({ArgsWith(more)}, handle);
    BERTH_CHECK(made.has_value(), made.error().message());
    return std::unique_ptr<NetworkTraffic>(dynamic_cast<NetworkTraffic*>(made->release()));
  }
  void Tell(const NodeMetric::Samples& samples) { metrics_.Tell(samples, cluster_.snapshot()); }
  // Returns the scores of `nodes`, normalized as by the framework; empty if the plugin is skipped.
  Scores ScoresOf(const NetworkTraffic& plugin, const std::vector<std::string>& nodes) {
    Cycle cycle(cluster_, MakePod("p"));
    std::vector<Slot> slots;
    for (const std::string& node : nodes) slots.push_back(cluster_.SlotOf(node));
    if (plugin.PreScore(cycle.context(), FeasibleNodes(slots)).code == Code::kSkip) return {};
    std::vector<int64_t> raw(slots.size());
    plugin.ScoreBatch(cycle.context(), slots, raw);
    const Scale scale = Scale::Of(plugin.normalizer(), raw);
    Scores scores;
    for (size_t i = 0; i < nodes.size(); ++i) scores[nodes[i]] = scale.Normalize(raw[i]);
    return scores;
  }
  Scores AllScores(const NetworkTraffic& plugin) { return ScoresOf(plugin, {"a", "b", "c"}); }

  TestCluster cluster_;
  testing::FixedMetrics metrics_;
};

TEST_F(NetworkTrafficTest, ScoresHighestTrafficZeroAndIdleHundred) {
  const auto plugin = Make();
  Tell({{"a", 0}, {"b", 250}, {"c", 1000}});
  EXPECT_EQ(AllScores(*plugin), (Scores{{"a", 100}, {"b", 75}, {"c", 0}}));
  EXPECT_EQ(ScoresOf(*plugin, {"a", "b"}), (Scores{{"a", 100}, {"b", 0}}))
      << "only feasible nodes count for the maximum";
}

struct Edge {
  const char* what;
  NodeMetric::Samples samples;
  Scores scores;
};

TEST_F(NetworkTrafficTest, ScoresEdgeCases) {
  const Edge edges[] = {
      {"no samples", {}, {{"a", 100}, {"b", 100}, {"c", 100}}},
      {"the network is idle", {{"a", 0}, {"b", 0}, {"c", 0}}, {{"a", 100}, {"b", 100}, {"c", 100}}},
      {"all are equal", {{"a", 7}, {"b", 7}, {"c", 7}}, {{"a", 0}, {"b", 0}, {"c", 0}}},
      {"one has traffic", {{"a", 0}, {"b", 0}, {"c", 1}}, {{"a", 100}, {"b", 100}, {"c", 0}}},
      {"one has no sample and counts as the average",
       {{"a", 0}, {"c", 1000}},
       {{"a", 100}, {"b", 50}, {"c", 0}}},
      {"samples of unknown nodes", {{"x", 5}, {"y", 6}}, {{"a", 100}, {"b", 100}, {"c", 100}}},
      {"tiny values", {{"a", 0}, {"b", 1e-9}, {"c", 2e-9}}, {{"a", 100}, {"b", 50}, {"c", 0}}},
      {"huge values", {{"a", 0}, {"b", 1e300}, {"c", 2e300}}, {{"a", 100}, {"b", 50}, {"c", 0}}},
  };
  for (const Edge& edge : edges) {
    metrics_.Forget();
    const auto plugin = Make();
    Tell(edge.samples);
    EXPECT_EQ(AllScores(*plugin), edge.scores) << edge.what;
  }
}

TEST_F(NetworkTrafficTest, ScoresSingleNode) {
  const auto plugin = Make();
  Tell({{"a", 5}});
  EXPECT_EQ(ScoresOf(*plugin, {"a"}), (Scores{{"a", 0}}));
  Tell({{"a", 0}});
  EXPECT_EQ(ScoresOf(*plugin, {"a"}), (Scores{{"a", 100}}));
}

TEST_F(NetworkTrafficTest, OnMissingSkipSkipsIfFeasibleNodeHasNoSample) {
  const auto plugin = Make(R"(,"onMissing":"skip")");
  EXPECT_THAT(AllScores(*plugin), IsEmpty());
  Tell({{"a", 0}, {"c", 1000}});
  EXPECT_THAT(AllScores(*plugin), IsEmpty());
  EXPECT_EQ(ScoresOf(*plugin, {"a", "c"}), (Scores{{"a", 100}, {"c", 0}}));
  Tell({{"a", 0}, {"b", 0}, {"c", 1000}});
  EXPECT_THAT(AllScores(*plugin), SizeIs(3));
  cluster_.Add(MakeNode("d"));
  EXPECT_THAT(ScoresOf(*plugin, {"a", "d"}), IsEmpty());
}

TEST_F(NetworkTrafficTest, OnMissingLastUsesLastSample) {
  const auto plugin = Make(R"(,"onMissing":"last")");
  Tell({{"a", 0}, {"b", 500}, {"c", 1000}});
  Tell({{"a", 0}, {"c", 1000}});
  EXPECT_EQ(AllScores(*plugin), (Scores{{"a", 100}, {"b", 50}, {"c", 0}}));
}

TEST_F(NetworkTrafficTest, VersionsChangeOnlyIfSharesMoved) {
  const auto plugin = Make();
  Tell({{"a", 0}, {"b", 500}, {"c", 1000}});
  Cycle cycle(cluster_, MakePod("p"));
  const Versions before = plugin->VersionsOf(cycle.context());
  Tell({{"a", 1}, {"b", 501}, {"c", 999}});
  EXPECT_EQ(plugin->VersionsOf(cycle.context()), before);
  Tell({{"a", 1000}, {"b", 501}, {"c", 0}});
  EXPECT_NE(plugin->VersionsOf(cycle.context()), before);
}

TEST_F(NetworkTrafficTest, ScoresAllNodesEquallyWithoutMetricPort) {
  const auto plugin = cluster_.Plugin<NetworkTraffic>(ArgsWith(""));
  EXPECT_EQ(AllScores(*plugin), (Scores{{"a", 100}, {"b", 100}, {"c", 100}}));
}

TEST_F(NetworkTrafficTest, RegistersOneQueryForAllNodes) {
  const auto plugin = Make(
      R"(,"secretName":"","refreshInterval":"30s","timeout":"1s","maxAge":"2m","nodeLabel":"node")");
  const MetricQuery& query = metrics_.Only();
  EXPECT_EQ(query.plugin, "NetworkTraffic");
  EXPECT_EQ(query.url, "http://prom.berth-system.svc:9090");
  EXPECT_EQ(query.label, "node");
  EXPECT_EQ(query.refresh_interval, std::chrono::seconds(30));
  EXPECT_EQ(query.timeout, std::chrono::seconds(1));
  EXPECT_EQ(query.max_age, std::chrono::minutes(2));
  EXPECT_FALSE(query.keeps_last);
}

// Returns the query for the arguments.
std::string QueryOf(const std::string& args_text) {
  auto args = ArgsOf<NetworkTrafficArgs>({args_text}, "NetworkTraffic");
  BERTH_CHECK(args.has_value(), args.error().message());
  return TrafficQuery(*args);
}
std::string Query(const std::string& more) { return QueryOf(ArgsWith(more)); }

TEST(TrafficQuery, BuiltInQueryIsRateOfCounters) {
  const std::string receive =
      R"(max by (instance) (rate(node_network_receive_bytes_total{device="eth0"}[5m])))";
  const std::string transmit =
      R"(max by (instance) (rate(node_network_transmit_bytes_total{device="eth0"}[5m])))";
  EXPECT_EQ(Query(R"(,"metric":"receive")"), receive);
  EXPECT_EQ(Query(R"(,"metric":"transmit")"), transmit);
  EXPECT_EQ(Query(""), receive + " + " + transmit);
  EXPECT_EQ(
      Query(R"(,"metric":"receive","nodeLabel":"kubernetes_node")"),
      R"(max by (kubernetes_node) (rate(node_network_receive_bytes_total{device="eth0"}[5m])))");
  EXPECT_EQ(Query(R"(,"metric":"receive","nodeLabel":"nodename")"),
            "(" + receive +
                ") * on (instance) group_left (nodename) max by (instance, nodename) "
                "(node_uname_info)");
}

TEST(TrafficQuery, FormatsRangesForPrometheus) {
  const std::pair<const char*, const char*> cases[] = {
      {"60", "1h"},       {"3", "3m"},          {"\"3\"", "3m"},        {"\"5m\"", "5m"},
      {"\"90s\"", "90s"}, {"\"1h30m\"", "90m"}, {"\"1.5s\"", "1500ms"}, {"\"2h\"", "2h"}};
  for (const auto& [range, text] : cases) {
    EXPECT_THAT(Query(R"(,"timeRange":)" + std::string(range)),
                HasSubstr("[" + std::string(text) + "]"))
        << range;
  }
}

TEST(TrafficQuery, EscapesDeviceName) {
  EXPECT_THAT(QueryOf(R"({"address":"p:1","deviceName":"e\"} or up{x=\"\\"})"),
              HasSubstr(R"({device="e\"} or up{x=\"\\"})"));
  EXPECT_THAT(QueryOf(R"({"address":"p:1","deviceName":"{{range}}"})"),
              HasSubstr(R"({device="{{range}}"})"));
}

TEST(TrafficQuery, FillsPlaceholdersOfUserQuery) {
  EXPECT_EQ(Query(R"(,"query":"a{d=\"{{device}}\"}[{{range}}] + b[{{range}}]","timeRange":"30s")"),
            R"(a{d="eth0"}[30s] + b[30s])");
}

TEST(NetworkTrafficArgs, AreValidated) {
  EXPECT_THAT(Errors(ArgsWith("")), IsEmpty());
  EXPECT_THAT(Errors(R"({"address":"p"})"), IsEmpty());
  EXPECT_THAT(Errors(R"({"address":"http://p:1","query":"up","deviceName":""})"), IsEmpty());
  const std::pair<const char*, const char*> cases[] = {
      {R"(,"timeRange":0)", "timeRange: Invalid value: \"0\": expected a duration of at least 1s"},
      {R"(,"timeRange":-5)", "timeRange: Invalid value: \"-5\""},
      {R"(,"timeRange":"soon")", "timeRange: Invalid value: \"soon\""},
      {R"(,"timeRange":"500ms")", "timeRange: Invalid value: \"500ms\""},
      {R"(,"metric":"all")", "metric: Unsupported value: \"all\": supported values: "},
      {R"(,"onMissing":"zero")", "onMissing: Unsupported value: \"zero\""},
      {R"(,"nodeLabel":"a b")", "nodeLabel: Invalid value: \"a b\""},
      {R"(,"nodeLabel":"")", "nodeLabel: Invalid value: \"\""},
      {R"(,"nodeLabel":"1st")", "nodeLabel: Invalid value"},
      {R"(,"query":"up{{x}}")", "query: Invalid value: \"up{{x}}\": unknown placeholder"},
      {R"(,"refreshInterval":"10ms")",
       "refreshInterval: Invalid value: \"10ms\": must be at least 1s"},
      {R"(,"timeout":"1ms")", "timeout: Invalid value: \"1ms\": must be at least 100ms"},
      {R"(,"maxAge":"5s")", "maxAge: Invalid value: \"5s\": must be at least 15s"},
      {R"(,"secretName":"s")",
       "secretName: Invalid value: \"s\": requires https, but the address is http"},
      {R"(,"secretName":"../x")", "secretName: Invalid value: \"../x\": "},
  };
  for (const auto& [more, error] : cases) {
    EXPECT_THAT(Errors(ArgsWith(more)), ElementsAre(HasSubstr(error))) << more;
  }
  EXPECT_THAT(Errors(ArgsWith(R"(,"query":")" + std::string(4097, 'x') + "\"")),
              ElementsAre("query: Forbidden: has 4097 bytes, allowed: 4096"));
  const std::pair<const char*, const char*> whole[] = {
      {"{}", "address: Required value: expected http(s)://HOST[:PORT][/PATH]"},
      {R"({"address":"p:1","deviceName":""})", "deviceName: Required value"},
      {R"({"address":"p:1","deviceName":"","query":"x{d=\"{{device}}\"}"})",
       "deviceName: Required value"},
      {R"({"address":"ftp://p","deviceName":"e"})", "address: Invalid value: \"ftp://p\""},
      {R"({"address":"http://u:p@h","deviceName":"e"})", "address: Invalid value"},
      {R"({"address":"p:1?a=b","deviceName":"e"})", "must not have a query or a fragment"},
      {R"({"address":"p:1","deviceName":"e\n"})", "must not have control characters"},
  };
  for (const auto& [args, error] : whole) {
    EXPECT_THAT(Errors(args), ::testing::Contains(HasSubstr(error))) << args;
  }
}

// Names that other network plugins use for these arguments.
TEST(NetworkTrafficArgs, UnknownFieldsSuggestTheRightName) {
  EXPECT_THAT(Errors(R"({"ip":"p:9090","deviceName":"eth0"})"),
              ElementsAre(AllOf(HasSubstr("unknown field \"ip\""), HasSubstr("address"))));
  EXPECT_THAT(Errors(R"({"address":"p:9090","device_name":"eth0"})"),
              ElementsAre(HasSubstr("nearest: deviceName")));
  EXPECT_THAT(Errors(ArgsWith(R"(,"time_range":3)")), ElementsAre(HasSubstr("nearest: timeRange")));
}

TEST(NetworkTrafficArgs, BareNumberCausesWarning) {
  const auto warnings = [](const std::string& more) {
    return NetworkTraffic::Descriptor().warn({ArgsWith(more)});
  };
  EXPECT_THAT(warnings(R"(,"timeRange":60)"),
              ElementsAre(api::FieldWarning{"timeRange",
                                            "the bare number 60 is read as minutes: write 60m"}));
  EXPECT_THAT(warnings(R"(,"timeRange":"60m")"), IsEmpty());
  EXPECT_THAT(warnings(""), IsEmpty());
  EXPECT_THAT(warnings(R"(,"timeRange":{})"), IsEmpty()) << "an invalid value is an error";
}

}  // namespace
}  // namespace berth::scheduler
