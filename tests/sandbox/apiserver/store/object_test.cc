// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/object.h"

#include <gtest/gtest.h>

#include "tests/sandbox/apiserver/store/objects.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

TEST(Object, TextContainsVersion) {
  const Json document = {{"data", {{"metadata", "\"metadata\":{\"resourceVersion\":\"9\"}"}}},
                         {"kind", "ConfigMap"},
                         {"metadata", {{"name", "a"}, {"resourceVersion", "7"}}}};
  const ObjectPtr object = MakeObject(MakeDraft(document, {}), 1234);
  Json expected = document;
  expected["metadata"]["resourceVersion"] = "1234";
  EXPECT_EQ(Json::parse(object->text), expected);
  EXPECT_EQ(object->version, 1234u);
  EXPECT_EQ(object->text.substr(object->version_at, 4), "1234");
}

TEST(Object, HasVersionInOtherwiseEmptyMetadata) {
  const ObjectPtr object = MakeObject(MakeDraft(Json::parse(R"({"metadata":{}})"), {}), 5);
  EXPECT_EQ(object->text, R"({"metadata":{"resourceVersion":"5"}})");
  EXPECT_EQ(WithVersion(*object, 10)->text, R"({"metadata":{"resourceVersion":"10"}})");
}

TEST(Object, ListItemHasNoTypeMeta) {
  const auto item = [](const char* text) {
    std::string out;
    AppendItem(*MakeObject(MakeDraft(Json::parse(text), {}), 5), out);
    return out;
  };
  EXPECT_EQ(item(R"({"apiVersion":"v1","data":{"kind":"a}\"{"},"kind":"ConfigMap","metadata":{}})"),
            R"({"data":{"kind":"a}\"{"},"metadata":{"resourceVersion":"5"}})");
  EXPECT_EQ(item(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{}})"),
            R"({"metadata":{"resourceVersion":"5","name":"a"},"spec":{}})");
  EXPECT_EQ(item(R"({"A":1,"kind":"Thing","metadata":{}})"),
            R"({"A":1,"metadata":{"resourceVersion":"5"}})");
  EXPECT_EQ(item(R"({"metadata":{}})"), R"({"metadata":{"resourceVersion":"5"}})");
}

TEST(Object, WithVersionChangesTheVersionOnly) {
  const ObjectPtr object = MakeObject(MakePod("ns", "a"), 99);
  const ObjectPtr later = WithVersion(*object, 100);
  Json expected = Json::parse(object->text);
  expected["metadata"]["resourceVersion"] = "100";
  EXPECT_EQ(Json::parse(later->text), expected);
  EXPECT_EQ(later->version, 100u);
  EXPECT_EQ(later->metadata.name, "a");
  EXPECT_EQ(WithVersion(*later, 99)->text, object->text);
}

TEST(Object, IsSameIgnoresOnlyTheVersion) {
  const ObjectPtr object = MakeObject(MakePod("ns", "a"), 99);
  EXPECT_TRUE(IsSame(*object, MakePod("ns", "a")));
  EXPECT_FALSE(IsSame(*object, MakePodOn("ns", "a", "node")));
  EXPECT_FALSE(IsSame(*object, MakePod("ns", "b")));
}

TEST(Object, MetadataIsReadFromTheDocument) {
  const Draft draft = MakeDraft(Json::parse(R"({"metadata":{
      "name":"a","namespace":"ns","uid":"u1","labels":{"app":"web","bad":1},
      "deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["f1","f2"],
      "ownerReferences":[{"uid":"o1"},{"uid":"o2"}]}})"),
                                {"x"});
  const Metadata& metadata = draft.metadata;
  EXPECT_EQ(KeyOf(metadata), "ns/a");
  EXPECT_EQ(metadata.uid, "u1");
  EXPECT_EQ(metadata.labels, (api::StringMap{{"app", "web"}}));
  EXPECT_TRUE(metadata.IsBeingDeleted());
  EXPECT_EQ(metadata.finalizers, (std::vector<std::string>{"f1", "f2"}));
  EXPECT_EQ(metadata.owner_uids, (std::vector<std::string>{"o1", "o2"}));
  EXPECT_EQ(metadata.fields, (std::vector<std::string>{"x"}));
}

TEST(Object, TextOutlivesObjectPtr) {
  ObjectPtr object = MakeObject(MakePod("ns", "a"), 1);
  const std::string copy = object->text;
  const auto text = TextOf(object);
  object.reset();
  EXPECT_EQ(*text, copy);
}

}  // namespace
}  // namespace berth::apiserver
