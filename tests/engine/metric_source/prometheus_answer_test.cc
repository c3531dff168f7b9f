// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/prometheus_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::engine {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

http::Response Vector(const std::string& result) {
  return {
      .code = 200,
      .headers = {},
      .body = R"({"status":"success","data":{"resultType":"vector","result":[)" + result + "]}}"};
}

TEST(PrometheusAnswer, UsesTheHighestSeriesOfANode) {
  const auto answer =
      ReadPrometheusAnswer(Vector(R"({"metric":{"instance":"a:1"},"value":[1,"2"]},)"
                                  R"({"metric":{"instance":"a:2"},"value":[1,"7.5"]},)"
                                  R"({"metric":{"instance":"a"},"value":[1,"3"]},)"
                                  R"({"metric":{"instance":"b"},"value":[1,"0"]})"),
                           "instance");
  ASSERT_TRUE(answer.has_value()) << answer.error().message();
  EXPECT_THAT(answer->samples, UnorderedElementsAre(Pair("a", 7.5), Pair("b", 0)));
}

TEST(PrometheusAnswer, IgnoresInvalidSamples) {
  for (const char* const value : {R"("NaN")", R"("+Inf")", R"("-Inf")", R"("Inf")", R"("1e309")",
                                  R"("-1")", R"("")", R"("1x")", R"(" 1")", "1", "null", "[]"}) {
    const auto answer = ReadPrometheusAnswer(
        Vector(R"({"metric":{"instance":"a"},"value":[1,)" + std::string(value) + "]}"),
        "instance");
    ASSERT_TRUE(answer.has_value()) << value << answer.error().message();
    EXPECT_TRUE(answer->samples.empty()) << value;
    EXPECT_EQ(answer->without_value, 1u) << value;
  }
}

TEST(PrometheusAnswer, ReadsTheConfiguredLabel) {
  const auto response = Vector(R"({"metric":{"instance":"10.0.0.1:9100","nodename":"a"},)"
                               R"("value":[1,"2"]},{"metric":{"nodename":""},"value":[1,"2"]})");
  const auto answer = ReadPrometheusAnswer(response, "nodename");
  ASSERT_TRUE(answer.has_value());
  EXPECT_THAT(answer->samples, UnorderedElementsAre(Pair("a", 2)));
  EXPECT_EQ(answer->without_label, 1u);
}

TEST(PrometheusAnswer, StripsThePort) {
  const std::pair<const char*, const char*> cases[] = {{"node-1", "node-1"},
                                                       {"node-1:9100", "node-1"},
                                                       {"10.0.0.1:9100", "10.0.0.1"},
                                                       {"[fd00::1]:9100", "fd00::1"},
                                                       {"[fd00::1]", "fd00::1"},
                                                       {"[fd00::1", "fd00::1"},
                                                       {"fd00::1", "fd00::1"},
                                                       {"[FD00:0:0:0:0:0:0:1]:9", "fd00::1"},
                                                       {"FD00:0::1", "fd00::1"},
                                                       {"a:b:c", "a:b:c"},
                                                       {":9100", ""},
                                                       {"", ""},
                                                       {"[", ""}};
  for (const auto& [value, node] : cases) EXPECT_EQ(NodeOf(value), node) << value;
}

}  // namespace
}  // namespace berth::engine
