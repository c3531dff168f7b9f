// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

// Requests that are rejected before they are executed.
namespace berth::apiserver {
namespace {

using nlohmann::json;

class Requests : public HandlerTest {};

TEST_F(Requests, RejectUnknownPathsAndMethods) {
  struct Row {
    const char *method, *target;
    int code;
  };
  static constexpr Row kRows[] = {
      {"GET", "/api/v1/pods/a", 404},
      {"GET", "/api/v1/namespaces/default/nodes", 404},
      {"GET", "/api/v1/namespaces/default/pods/a/status/x", 404},
      {"GET", "/api/v1/bindings", 404},
      {"GET", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/a", 404},
      {"GET", "/apis/apps/v9/deployments", 404},
      {"POST", "/api/v1/pods", 405},
      {"DELETE", "/api/v1/pods", 405},
      {"PUT", "/api/v1/namespaces/default/pods", 405},
      {"POST", "/api/v1/namespaces/default/pods/a", 405},
      {"HEAD", "/api/v1/pods", 405},
      {"FOO", "/api/v1/pods", 405},
      {"GET", "/api/v1/namespaces/a/finalize", 405},
      {"DELETE", "/apis/apps/v1", 405},
      {"POST", "/version", 405},
  };
  for (const Row& row : kRows) {
    const auto answer = Send(row.method, row.target);
    EXPECT_EQ(answer.code, row.code) << row.method << ' ' << row.target;
    EXPECT_EQ(answer.body["details"], json::object()) << row.method << ' ' << row.target;
  }
  for (const char* target : {"/apis/nosuch.example.com/v1/things", "/apis/batch/v1/jobs"}) {
    const auto page = Send("GET", target);
    EXPECT_EQ(page.code, 404) << target;
    EXPECT_EQ(page.text, "404 page not found\n") << target;
  }
}

TEST_F(Requests, ServerSurvivesInternalError) {
  // A malformed document cannot be created by a request.
  const KindPtr kind = state_.kinds.Find("", "v1", "configmaps");
  Draft broken = MakeDraft({{"metadata", {{"name", "broken"}, {"namespace", "default"}}}}, {});
  broken.text[broken.text.size() - 1] = '!';
  ASSERT_TRUE(state_.CollectionOf(*kind).Create(std::move(broken)));
  const auto failed = Send("GET", std::string(kMaps) + "/broken", nullptr, "application/json",
                           "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(failed.code, 500);
  EXPECT_EQ(failed.body["reason"], "InternalError");
  EXPECT_EQ(Send("GET", kPods).code, 200);
}

TEST_F(Requests, RejectTooLargeBody) {
  Handler small(state_,
                {.address = "127.0.0.1:1", .anonymous_masters = true, .max_body_bytes = 64});
  http::Request request;
  request.method = "POST";
  request.target = kMaps;
  request.body = std::string(65, ' ');
  const Reply reply = small.Handle(request, {});
  EXPECT_EQ(reply.response.code, 413);
  EXPECT_EQ(json::parse(reply.response.body)["message"], "Request entity too large: limit is 64");
}

TEST_F(Requests, RejectBodyThatIsNotAJsonObject) {
  for (const char* body : {"", "[]", R"({"kind":3})", R"({"data":{"k":1e}})", R"({"a":1,"a":2})"})
    EXPECT_EQ(Send("POST", kMaps, std::string(body)).code, 400) << body;
  EXPECT_EQ(Send("POST", kMaps, std::string("a: b"), "application/yaml").code, 415);
  const auto warned = Send("POST", kMaps, {{"metadata", {{"name", "a"}}}, {"zzz", 1}});
  EXPECT_EQ(warned.headers.All("Warning")[0], R"(299 - "unknown field \"zzz\"")");
  EXPECT_EQ(Send("POST", std::string(kMaps) + "?fieldValidation=Strict",
                 {{"metadata", {{"name", "b"}}}, {"zzz", 1}})
                .message(),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "unknown field \"zzz\"");
}

TEST_F(Requests, ReportAllErrorsInOptions) {
  EXPECT_EQ(Send("POST", std::string(kMaps) + "?dryRun=Some&fieldValidation=Foo", json::object())
                .message(),
            "CreateOptions.meta.k8s.io \"\" is invalid: [dryRun: Unsupported value: [\"Some\"]: "
            "supported values: \"All\", fieldValidation: Unsupported value: \"Foo\": supported "
            "values: \"\", \"Ignore\", \"Strict\", \"Warn\"]");
  EXPECT_EQ(Send("GET", std::string(kMaps) + "?limit=99999999999999999999").message(),
            "strconv.ParseInt: parsing \"99999999999999999999\": value out of range");
  EXPECT_EQ(Send("GET", std::string(kMaps) + "?timeoutSeconds=soon").code, 400);
}

TEST_F(Requests, HealthEndpointsReturnOk) {
  EXPECT_EQ(Send("GET", "/readyz").text, "ok");
  EXPECT_EQ(Send("GET", "/livez/nope").code, 404);
}

TEST_F(Requests, RejectConnectionsToContainers) {
  ASSERT_EQ(Send("POST", kPods, Pod("a")).code, 201);
  const std::string log = std::string(kPods) + "/a/log";
  EXPECT_EQ(Send("GET", log).message(), "pod a does not have a host assigned");
  ASSERT_EQ(Send("POST", std::string(kPods) + "/a/binding",
                 {{"metadata", {{"name", "a"}}}, {"target", {{"kind", "Node"}, {"name", "n"}}}})
                .code,
            201);
  EXPECT_EQ(Send("GET", log).code, 503);
}

}  // namespace
}  // namespace berth::apiserver
