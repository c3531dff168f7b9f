// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Verbs : public HandlerTest {
 protected:
  json Map(const std::string& name, json data = json::object()) {
    return {{"apiVersion", "v1"},
            {"kind", "ConfigMap"},
            {"metadata", {{"name", name}}},
            {"data", std::move(data)}};
  }
};

TEST_F(Verbs, CreateReturnsObjectAndFailsTheSecondTime) {
  const auto created = Send("POST", kMaps, Map("a", {{"x", "1"}}));
  ASSERT_EQ(created.code, 201) << created.text;
  EXPECT_EQ(created.body["metadata"]["creationTimestamp"], "2026-01-01T00:00:00Z");
  EXPECT_FALSE(created.body["metadata"]["resourceVersion"].empty());
  EXPECT_EQ(Send("GET", std::string(kMaps) + "/a").body, created.body);
  const auto again = Send("POST", kMaps, Map("a"));
  EXPECT_EQ(again.code, 409);
  EXPECT_EQ(again.message(), "configmaps \"a\" already exists");
  EXPECT_EQ(again.body["details"], json({{"name", "a"}, {"kind", "configmaps"}}));
}

TEST_F(Verbs, RejectsDocumentsOfAnotherKind) {
  EXPECT_EQ(Send("POST", kMaps, {{"kind", "Secret"}, {"apiVersion", "v1"}}).message(),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: kind is Secret, and "
            "ConfigMap is expected here");
  EXPECT_EQ(Send("POST", kMaps, Map("A_b")).code, 422);
  EXPECT_EQ(Send("POST", kMaps, Map("x"), "application/foo").code, 415);
  EXPECT_EQ(Send("POST", "/api/v1/namespaces/nope/configmaps", Map("x")).message(),
            "namespaces \"nope\" not found");
  EXPECT_EQ(Send("GET", "/api/v1/namespaces/default/foo").code, 404);
  EXPECT_EQ(Send("POST", "/api/v1/configmaps", Map("x")).code, 405);
}

TEST_F(Verbs, RejectsValuesOfTheWrongType) {
  json map = Map("x");
  map["metadata"]["labels"] = "none";
  EXPECT_EQ(Send("POST", kMaps, map).code, 400);
  EXPECT_EQ(Send("DELETE", std::string(kMaps) + "/x", {{"propagationPolicy", 7}}).code, 400);
  const std::string token = "/api/v1/namespaces/default/serviceaccounts/default/token";
  EXPECT_EQ(Send("POST", token, {{"spec", {{"audiences", "one"}}}}).code, 400);
}

TEST_F(Verbs, FieldValidationControlsUnknownFields) {
  json map = Map("a");
  map["foo"] = 1;
  const auto warned = Send("POST", kMaps, map);
  EXPECT_EQ(warned.code, 201);
  EXPECT_EQ(warned.headers.Find("Warning").value_or(""), "299 - \"unknown field \\\"foo\\\"\"");
  map["metadata"]["name"] = "b";
  const auto strict = Send("POST", std::string(kMaps) + "?fieldValidation=Strict", map);
  EXPECT_EQ(strict.code, 400);
  EXPECT_EQ(strict.message(),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "unknown field \"foo\"");
}

TEST_F(Verbs, UpdateChecksResourceVersion) {
  const auto created = Send("POST", kMaps, Map("a"));
  json changed = created.body;
  changed["data"]["x"] = "2";
  ASSERT_EQ(Send("PUT", std::string(kMaps) + "/a", changed).code, 200);
  const auto late = Send("PUT", std::string(kMaps) + "/a", changed);
  EXPECT_EQ(late.code, 409);
  EXPECT_EQ(late.message(),
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; "
            "please apply your changes to the "
            "latest version and try again");
  EXPECT_EQ(Send("PUT", std::string(kMaps) + "/a", Map("b")).message(),
            "the name of the object (b) does not match the name on the URL (a)");
}

TEST_F(Verbs, DryRunWritesNothing) {
  const auto dry = Send("POST", std::string(kMaps) + "?dryRun=All", Map("a"));
  EXPECT_EQ(dry.code, 201);
  EXPECT_FALSE(dry.body["metadata"].contains("resourceVersion"));
  EXPECT_EQ(Send("GET", std::string(kMaps) + "/a").code, 404);
}

TEST_F(Verbs, SupportsFourPatchTypes) {
  Send("POST", kMaps, Map("a", {{"x", "1"}, {"y", "2"}}));
  const std::string path = std::string(kMaps) + "/a";
  EXPECT_EQ(Send("PATCH", path, {{"data", {{"x", nullptr}}}}, kMerge).body["data"],
            json({{"y", "2"}}));
  EXPECT_EQ(Send("PATCH", path, json::parse(R"([{"op":"add","path":"/data/z","value":"3"}])"),
                 "application/json-patch+json")
                .body["data"],
            json({{"y", "2"}, {"z", "3"}}));
  EXPECT_EQ(
      Send("PATCH", path, {{"data", {{"z", nullptr}}}}, "application/strategic-merge-patch+json")
          .body["data"],
      json({{"y", "2"}}));
  const std::string apply = "application/apply-patch+yaml";
  EXPECT_EQ(Send("PATCH", path, Map("a", {{"y", "9"}}), apply).code, 422);
  const auto conflict = Send("PATCH", path + "?fieldManager=m", Map("a", {{"y", "9"}}), apply);
  EXPECT_EQ(conflict.code, 409);
  EXPECT_EQ(conflict.body["details"]["causes"][0]["field"], ".data.y");
  EXPECT_EQ(Send("PATCH", path + "?fieldManager=m&force=true", Map("a", {{"y", "9"}}), apply)
                .body["data"],
            json({{"y", "9"}}));
  EXPECT_EQ(Send("PATCH", std::string(kMaps) + "/new?fieldManager=m", Map("new"), apply).code, 201);
}

TEST_F(Verbs, DeleteChecksPreconditions) {
  const auto created = Send("POST", kMaps, Map("a"));
  const std::string path = std::string(kMaps) + "/a";
  EXPECT_EQ(Send("DELETE", path, {{"preconditions", {{"uid", "x"}}}}).code, 409);
  const auto gone =
      Send("DELETE", path, {{"preconditions", {{"uid", created.body["metadata"]["uid"]}}}});
  EXPECT_EQ(gone.code, 200);
  EXPECT_EQ(gone.body["status"], "Success");
  EXPECT_EQ(gone.body["details"]["name"], "a");
  EXPECT_EQ(Send("DELETE", path).code, 404);
}

TEST_F(Verbs, KeepsObjectUntilFinalizersAreGone) {
  json map = Map("a");
  map["metadata"]["finalizers"] = {"x.dev/y"};
  Send("POST", kMaps, map);
  const std::string path = std::string(kMaps) + "/a";
  EXPECT_TRUE(Send("DELETE", path).body["metadata"].contains("deletionTimestamp"));
  EXPECT_EQ(
      Send("PATCH", path, {{"metadata", {{"finalizers", {"x.dev/y", "x.dev/z"}}}}}, kMerge).code,
      422);
  EXPECT_EQ(Send("PATCH", path, {{"metadata", {{"finalizers", nullptr}}}}, kMerge).code, 200);
  EXPECT_EQ(Send("GET", path).code, 404);
}

TEST_F(Verbs, PropagationPolicySetsFinalizer) {
  Send("POST", kMaps, Map("a"));
  const auto waits = Send("DELETE", std::string(kMaps) + "/a?propagationPolicy=Foreground");
  EXPECT_EQ(waits.body["metadata"]["finalizers"], json({"foregroundDeletion"}));
}

TEST_F(Verbs, ListsInPagesAndBySelector) {
  for (const char* name : {"a", "b", "c"}) {
    json map = Map(name);
    map["metadata"]["labels"]["n"] = name;
    Send("POST", kMaps, map);
  }
  const auto first = Send("GET", std::string(kMaps) + "?limit=2");
  EXPECT_EQ(first.body["items"].size(), 2U);
  EXPECT_FALSE(first.body["items"][0].contains("kind"));
  const auto rest = Send("GET", std::string(kMaps) + "?limit=2&continue=" +
                                    first.body["metadata"]["continue"].get<std::string>());
  ASSERT_EQ(rest.body["items"].size(), 1U);
  EXPECT_EQ(rest.body["items"][0]["metadata"]["name"], "c");
  EXPECT_EQ(Send("GET", std::string(kMaps) + "?labelSelector=n%20in%20(a,c)").body["items"].size(),
            2U);
  EXPECT_EQ(Send("GET", std::string(kMaps) + "?fieldSelector=spec.x%3Db").code, 400);
  EXPECT_EQ(Send("DELETE", kMaps).code, 405);  // deletecollection is not served
}

TEST_F(Verbs, WatchReturnsEventsAfterAVersion) {
  const auto list = Send("GET", kMaps);
  auto watch = Send("GET", std::string(kMaps) + "?watch=1&resourceVersion=" +
                               list.body["metadata"]["resourceVersion"].get<std::string>());
  ASSERT_TRUE(watch.watcher);
  EXPECT_EQ(watch.watcher->Next(), nullptr);
  Send("POST", kMaps, Map("a"));
  Send("DELETE", std::string(kMaps) + "/a");
  for (const char* type : {"ADDED", "DELETED"}) {
    const Frame frame = watch.watcher->Next();
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(json::parse(*frame)["type"], type);
  }
}

TEST_F(Verbs, GeneratesNamesAndGenerations) {
  const auto made = Send("POST", kMaps, {{"metadata", {{"generateName", "x-"}}}});
  EXPECT_TRUE(made.body["metadata"]["name"].get<std::string>().starts_with("x-"));
  EXPECT_EQ(made.body["metadata"]["name"].get<std::string>().size(), 7U);
  EXPECT_FALSE(made.body["metadata"].contains("generation"));
}

TEST_F(Verbs, EventsHaveTwoApiVersions) {
  const json event = {{"metadata", {{"name", "e"}}},
                      {"eventTime", "2026-01-01T00:00:00.000000Z"},
                      {"note", "hi"},
                      {"reason", "R"},
                      {"action", "A"},
                      {"reportingController", "c"},
                      {"reportingInstance", "c-1"},
                      {"type", "Normal"},
                      {"regarding", {{"kind", "Pod"}, {"name", "p"}}}};
  ASSERT_EQ(Send("POST", "/apis/events.k8s.io/v1/namespaces/default/events", event).body["note"],
            "hi");
  const auto core = Send("GET", "/api/v1/namespaces/default/events/e");
  EXPECT_EQ(core.body["message"], "hi");
  EXPECT_EQ(core.body["involvedObject"]["name"], "p");
}

}  // namespace
}  // namespace berth::apiserver
