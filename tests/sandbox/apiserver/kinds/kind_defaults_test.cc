// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/kind_defaults.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

TEST(ApplyOverlay, SetsAbsentScalarsAndCreatesMarkedObjects) {
  json object = json::parse(R"({"a": {"x": 1}, "list": [{}, {"k": "own"}]})");
  ApplyOverlay(
      json::parse(
          R"({"a": {"x": 2, "y": 3}, "b": {"z": 1}, "+c": {"z": 1}, "list": [{"k": "def"}], "s": "t"})"),
      object);
  EXPECT_EQ(
      object,
      json::parse(
          R"({"a": {"x": 1, "y": 3}, "c": {"z": 1}, "list": [{"k": "def"}, {"k": "own"}], "s": "t"})"));
}

json Defaulted(const char* group, const char* plural, const char* text) {
  const KindRegistry kinds;
  json object = json::parse(text);
  DefaultKind(*kinds.Find(group, "v1", plural), object);
  return object;
}

TEST(DefaultKind, PullPolicyDependsOnTag) {
  const json pod = Defaulted(
      "", "pods",
      R"({"spec": {"containers": [{"image": "r:5000/a"}, {"image": "a:1"}, {"image": "a@sha256:x"}]}})");
  EXPECT_EQ(pod["spec"]["containers"][0]["imagePullPolicy"], "Always");
  EXPECT_EQ(pod["spec"]["containers"][1]["imagePullPolicy"], "IfNotPresent");
  EXPECT_EQ(pod["spec"]["containers"][2]["imagePullPolicy"], "IfNotPresent");
  EXPECT_EQ(pod["spec"]["terminationGracePeriodSeconds"], 30);
}

TEST(DefaultKind, LimitsDefaultRequestsInPodsOnly) {
  const char* spec = R"({"containers": [{"image": "a", "resources": {"limits": {"cpu": "1"}}}]})";
  EXPECT_EQ(Defaulted("", "pods",
                      (std::string(R"({"spec": )") + spec + "}")
                          .c_str())["spec"]["containers"][0]["resources"]["requests"]["cpu"],
            "1");
  const json deployment =
      Defaulted("apps", "deployments",
                (std::string(R"({"spec": {"template": {"spec": )") + spec + "}}}").c_str());
  EXPECT_FALSE(
      deployment["spec"]["template"]["spec"]["containers"][0]["resources"].contains("requests"));
  EXPECT_EQ(deployment["spec"]["strategy"]["rollingUpdate"]["maxSurge"], "25%");
}

TEST(DefaultKind, MergesStringDataIntoData) {
  EXPECT_EQ(Defaulted("", "secrets", R"({"stringData": {"a": "b"}})"),
            json::parse(R"({"data": {"a": "Yg=="}, "type": "Opaque"})"));
}

}  // namespace
}  // namespace berth::apiserver
