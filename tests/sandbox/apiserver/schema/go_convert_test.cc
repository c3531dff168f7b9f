// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/go_convert.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

std::string Problem(const char* document) {
  const Schema* schema = BuiltinSchemas::Get().FindKind({"apps", "v1", "Deployment"});
  const auto checked = CheckGoConversion(*schema, nlohmann::json::parse(document));
  return checked ? std::string() : checked.error().message();
}

TEST(CheckGoConversion, AcceptsWhatGoConverts) {
  EXPECT_EQ(Problem(R"({"spec":{"replicas":2.0,"paused":true,"unknown":{"a":1},
                         "template":{"metadata":{"creationTimestamp":null,"labels":{"a":"b"}}},
                         "strategy":{"rollingUpdate":{"maxSurge":"25%"}}}})"),
            "");
}

// The texts are what a real kube-apiserver answered.
TEST(CheckGoConversion, WordsMistakesAsGo) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"spec":{"replicas":"many"}})", "unrecognized type: int32"},
      {R"({"spec":{"replicas":1.5}})", "cannot convert float64 to int32"},
      {R"({"spec":{"paused":"x"}})", "unrecognized type: bool"},
      {R"({"spec":3})", "cannot restore struct from: int64"},
      {R"({"spec":{"strategy":[]}})", "cannot restore struct from: slice"},
      {R"({"metadata":{"labels":3}})", "cannot restore map from int64"},
      {R"({"metadata":{"labels":{"a":1}}})", "cannot convert int64 to string"},
      {R"({"spec":{"template":{"spec":{"containers":3}}}})", "cannot restore slice from int64"},
      {R"({"spec":{"template":{"spec":{"hostname":[1]}}}})", "unrecognized type: string"},
      {R"({"spec":{"strategy":{"rollingUpdate":{"maxSurge":{}}}}})",
       "json: cannot unmarshal object into Go value of type int32"},
      {R"({"metadata":{"creationTimestamp":"x"}})",
       R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")"},
  };
  for (const auto& [document, problem] : kCases) EXPECT_EQ(Problem(document), problem) << document;
}

}  // namespace
}  // namespace berth::apiserver
