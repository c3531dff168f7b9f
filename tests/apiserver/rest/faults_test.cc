// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/faults.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

RequestInfo Bind() { return RequestInfo::Parse("POST", "/api/v1/namespaces/ns/pods/a/binding"); }

TEST(FaultInjector, HitsWhatMatchesAsOftenAsAsked) {
  FaultInjector faults(1);
  faults.Add(*FaultRule::FromJson({{"action", "fail"},
                                   {"resource", "pods"},
                                   {"subresource", "binding"},
                                   {"code", 503},
                                   {"skip", 1},
                                   {"times", 1}}));
  EXPECT_FALSE(faults.Plan(RequestInfo::Parse("GET", "/api/v1/pods")).fail_code);
  EXPECT_FALSE(faults.Plan(Bind()).fail_code);
  EXPECT_EQ(faults.Plan(Bind()).fail_code, 503);
  EXPECT_FALSE(faults.Plan(Bind()).fail_code);
}

TEST(FaultInjector, SameSeedSameFaults) {
  const auto run = [](uint64_t seed) {
    FaultInjector faults(seed);
    faults.Add(*FaultRule::FromJson({{"action", "dropAfter"}, {"probability", 0.5}}));
    std::string hits;
    for (int i = 0; i < 64; ++i) hits += faults.Plan(Bind()).drop_after ? 'x' : '.';
    return hits;
  };
  EXPECT_EQ(run(3), run(3));
  EXPECT_NE(run(3), run(4));
  EXPECT_NE(run(3).find('x'), std::string::npos);
}

TEST(FaultRule, NamesWhatItDoesNotKnow) {
  const auto refused = FaultRule::FromJson({{"action", "explode"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().details.causes[0].field, "action");
  EXPECT_FALSE(FaultRule::FromJson(json::array()));
  EXPECT_FALSE(FaultRule::FromJson({{"action", "fail"}, {"verb", 7}}));
  EXPECT_FALSE(FaultRule::FromJson({{"action", "fail"}, {"code", 200}}));
}

}  // namespace
}  // namespace berth::apiserver
