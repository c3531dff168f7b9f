// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

// How requests are read and refused before anything is done.
namespace berth::apiserver {
namespace {

using nlohmann::json;

class Requests : public HandlerTest {
 protected:
  static constexpr const char* kYaml = "application/yaml";
};

TEST_F(Requests, ABadPathIsNotFoundAndABadMethodNotAllowed) {
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
  const auto page = Send("GET", "/apis/nosuch.example.com/v1/things");
  EXPECT_EQ(page.code, 404);
  EXPECT_EQ(page.text, "404 page not found\n");
}

TEST_F(Requests, AMistakeOfTheServerIsToldAndSurvived) {
  // A document that is no JSON cannot come in from outside.
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

TEST_F(Requests, ABodyHasALimit) {
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

TEST_F(Requests, AnUnreadableBodyIsShownAndExplained) {
  static constexpr const char* kStruct =
      R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; )"
      R"(Kind string "json:\"kind,omitempty\"" })";
  const std::string json_error = "couldn't get version/kind; json parse error: ";
  const std::pair<std::pair<const char*, std::string>, std::string> kRows[] = {
      {{"application/json", ""}, json_error + "unexpected end of JSON input (<empty>)"},
      {{"application/json", "[]"},
       json_error + "json: cannot unmarshal array into Go value of type " + kStruct + " (5b5d)"},
      {{"application/json", R"({"kind":3})"},
       json_error + "json: cannot unmarshal number into Go struct field .kind of type string "
                    R"(({"kind":3}))"},
      {{"application/json", R"({"metadata":{"name":"a"},"data":{"k":1e}})"},
       json_error + "invalid character '}' in exponent of numeric literal "
                    R"(({"metadata":{"name":"a"},"data ...))"},
      {{kYaml, "a: b: c"}, "yaml: mapping values are not allowed in this context (613a20623a2063)"},
      {{kYaml, "a: 1\nb: c: d"},
       "yaml: line 2: mapping values are not allowed in this context (613a20310a623a20633a2064)"},
  };
  for (const auto& [sent, why] : kRows) {
    const auto answer = Send("POST", kMaps, sent.second, sent.first);
    EXPECT_EQ(answer.code, 400) << sent.second;
    EXPECT_EQ(answer.message(),
              "the object provided is unrecognized (must be of type ConfigMap): " + why);
  }
}

TEST_F(Requests, WarnsOfDuplicateFieldsOrRefusesThem) {
  const std::string body = R"({"metadata":{"name":"a"},"data":{"k":"1","k":"2"},"zzz":1})";
  const auto made = Send("POST", kMaps, body);
  ASSERT_EQ(made.code, 201) << made.text;
  EXPECT_EQ(made.body["data"]["k"], "2");
  const auto warnings = made.headers.All("Warning");
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], R"(299 - "duplicate field \"data.k\"")");
  EXPECT_EQ(warnings[1], R"(299 - "unknown field \"zzz\"")");
  EXPECT_EQ(Send("POST", std::string(kMaps) + "?fieldValidation=Strict", body).message(),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "duplicate field \"data.k\", unknown field \"zzz\"");
}

TEST_F(Requests, DuplicateKeysOfYamlAreToldByTheirLine) {
  const std::string body = "metadata:\n  name: a\ndata:\n  k: x\n  k: z\nzzz: 1\n";
  const auto made = Send("POST", kMaps, body, kYaml);
  ASSERT_EQ(made.code, 201) << made.text;
  EXPECT_EQ(made.headers.All("Warning")[0], R"(299 - "line 5: key \"k\" already set in map")");
  EXPECT_EQ(Send("POST", std::string(kMaps) + "?fieldValidation=Strict", body, kYaml).message(),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "yaml: unmarshal errors:\n  line 5: key \"k\" already set in map, unknown field "
            "\"zzz\"");
}

TEST_F(Requests, AllThatIsWrongWithOptionsIsTold) {
  EXPECT_EQ(Send("POST", std::string(kMaps) + "?dryRun=Some&fieldValidation=Foo&fieldManager=%09",
                 json::object())
                .message(),
            "CreateOptions.meta.k8s.io \"\" is invalid: [fieldManager: Invalid value: \"\\t\": "
            "invalid character U+0009 (at position 0), dryRun: Unsupported value: [\"Some\"]: "
            "supported values: \"All\", fieldValidation: Unsupported value: \"Foo\": supported "
            "values: \"\", \"Ignore\", \"Strict\", \"Warn\"]");
  EXPECT_EQ(Send("GET", std::string(kMaps) + "?limit=99999999999999999999").message(),
            "strconv.ParseInt: parsing \"99999999999999999999\": value out of range");
  EXPECT_EQ(Send("GET", std::string(kMaps) + "?timeoutSeconds=soon").code, 400);
}

TEST_F(Requests, HealthChecksHaveNames) {
  EXPECT_EQ(Send("GET", "/readyz/ping").text, "ok");
  EXPECT_EQ(Send("GET", "/livez/nope").code, 404);
  EXPECT_EQ(Send("GET", "/livez?verbose").text,
            "[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n");
}

TEST_F(Requests, ThereIsNoWayToContainers) {
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
