// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/calls_seen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::SizeIs;

ExtenderCall Call(const std::string& extender, const std::string& verb, const char* body) {
  return {.extender = extender,
          .verb = verb,
          .method = "POST",
          .path = "/" + extender + "/" + verb,
          .content_type = "application/json",
          .body = Json::parse(body)};
}

Json See(const std::vector<ExtenderCall>& calls, Repeats repeats = Repeats::kCounted) {
  const auto pod = [](const std::string& uid) { return uid == "u1" ? "web" : ""; };
  const auto text = [](std::string one) { return one == "here:1" ? "EXTENDERS" : one; };
  return CallsSeen(calls, {pod, text}, repeats);
}

TEST(CallsSeen, HidesOnlyClusterSpecificValues) {
  const Json seen =
      See({Call("gpu", "filter", R"({"Nodes": null, "NodeNames": ["n2", "n1"], "Pod": {
      "metadata": {"uid": "u1", "resourceVersion": "7", "creationTimestamp": "2026-01-02T03:04:05Z",
                   "managedFields": [{}], "labels": {}},
      "spec": {"nodeName": null, "containers": [{"name": "2026"}]}, "status": {"message": "here:1"}}})")});
  ASSERT_THAT(seen["web"], SizeIs(1));
  EXPECT_EQ(seen["web"][0], Json::parse(R"({"extender": "gpu", "verb": "filter", "method": "POST",
      "path": "/gpu/filter", "contentType": "application/json",
      "body": {"Nodes": null, "NodeNames": ["n1", "n2"], "Pod": {
        "metadata": {"uid": "uid of web", "resourceVersion": "VERSION", "creationTimestamp": "TIME", "labels": {}},
        "spec": {"nodeName": null, "containers": [{"name": "2026"}]}, "status": {"message": "EXTENDERS"}}}})"));
}

TEST(CallsSeen, SortsNodesByName) {
  const Json seen =
      See({Call("gpu", "filter", R"({"Pod": {"metadata": {"uid": "u1"}}, "Nodes": {"items": [
      {"metadata": {"name": "n2", "uid": "x"}}, {"metadata": {"name": "n1", "uid": "y"}}]}})")});
  EXPECT_EQ(seen["web"][0]["body"]["Nodes"]["items"],
            Json::parse(R"([{"metadata": {"name": "n1", "uid": "UID"}},
                            {"metadata": {"name": "n2", "uid": "UID"}}])"));
}

TEST(CallsSeen, KeepsTheOrderExceptForParallelRequests) {
  const char* body = R"({"Pod": {"metadata": {"uid": "u1"}}})";
  const Json seen =
      See({Call("b", "filter", body), Call("a", "filter", body), Call("b", "prioritize", body),
           Call("a", "prioritize", body), Call("b", "bind", R"({"PodUID": "u1"})")});
  std::vector<std::string> paths;
  for (const Json& call : seen["web"]) paths.push_back(call["path"]);
  EXPECT_THAT(paths, ::testing::ElementsAre("/b/filter", "/a/filter", "/a/prioritize",
                                            "/b/prioritize", "/b/bind"));
}

TEST(CallsSeen, RemovesRepeatsIfFree) {
  const ExtenderCall call = Call("gpu", "filter", R"({"Pod": {"metadata": {"uid": "u1"}}})");
  const ExtenderCall other =
      Call("gpu", "filter", R"({"Pod": {"metadata": {"uid": "u1"}}, "a": 1})");
  EXPECT_THAT(See({call, other, call, other})["web"], SizeIs(4));
  EXPECT_THAT(See({call, other, call, other}, Repeats::kFree)["web"], SizeIs(2));
}

TEST(CallsSeen, RemovesConditionsIfRepeatsAreFree) {
  const ExtenderCall call = Call(
      "gpu", "filter", R"({"Pod": {"metadata": {"uid": "u1"}, "status": {"phase": "Pending"}}})");
  ExtenderCall again = call;
  again.body["Pod"]["status"]["conditions"] = {{{"type", "PodScheduled"}}};
  EXPECT_THAT(See({call, again})["web"], SizeIs(2));
  const Json seen = See({again, call}, Repeats::kFree)["web"];
  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_EQ(seen[0]["body"]["Pod"]["status"], Json({{"phase", "Pending"}}));
}

TEST(CallsSeen, KeepsRequestsWithoutAKnownPod) {
  EXPECT_THAT(See({Call("gpu", "filter", R"("no JSON")")})["nobody"], SizeIs(1));
  EXPECT_THAT(See({Call("gpu", "bind", R"({"PodUID": "u2"})")})["nobody"], SizeIs(1));
}

}  // namespace
}  // namespace berth::differential
