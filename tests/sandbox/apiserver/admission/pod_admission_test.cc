// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class PodAdmission : public HandlerTest {};

TEST_F(PodAdmission, FillsInAccountTokenPriorityAndTolerations) {
  const auto made = Send("POST", kPods, Pod("a"));
  const json& spec = made.body["spec"];
  EXPECT_EQ(spec["serviceAccountName"], "default");
  EXPECT_EQ(spec["priority"], 0);
  EXPECT_EQ(spec["tolerations"].size(), 2U);
  EXPECT_EQ(spec["volumes"][0]["name"], spec["containers"][0]["volumeMounts"][0]["name"]);
}

TEST_F(PodAdmission, TakesPriorityFromTheClass) {
  json pod = Pod("a");
  pod["spec"]["priorityClassName"] = "system-node-critical";
  EXPECT_EQ(Send("POST", kPods, pod).body["spec"]["priority"], 2'000'001'000);
  pod = Pod("b");
  pod["spec"]["priorityClassName"] = "nope";
  EXPECT_EQ(Send("POST", kPods, pod).message(),
            "pods \"b\" is forbidden: no PriorityClass with name nope was found");
  pod = Pod("c");
  pod["spec"]["serviceAccountName"] = "nope";
  EXPECT_EQ(Send("POST", kPods, pod).code, 403);
}

TEST_F(PodAdmission, RejectsPodInTerminatingNamespace) {
  Send("POST", "/api/v1/namespaces", {{"metadata", {{"name", "t"}}}});
  const auto going = Send("DELETE", "/api/v1/namespaces/t");
  EXPECT_EQ(going.body["status"]["phase"], "Terminating");
  const auto rejected =
      Send("POST", "/api/v1/namespaces/t/configmaps", {{"metadata", {{"name", "x"}}}});
  EXPECT_EQ(rejected.code, 403);
  EXPECT_EQ(rejected.body["details"]["causes"][0]["reason"], "NamespaceTerminating");
  EXPECT_EQ(Send("PUT", "/api/v1/namespaces/t/finalize",
                 {{"metadata", {{"name", "t"}}}, {"spec", json::object()}})
                .code,
            200);
  EXPECT_EQ(Send("GET", "/api/v1/namespaces/t").code, 404);
  EXPECT_EQ(Send("DELETE", "/api/v1/namespaces/kube-system").code, 403);
}

}  // namespace
}  // namespace berth::apiserver
