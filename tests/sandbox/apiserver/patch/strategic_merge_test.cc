// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/strategic_merge.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

struct MergeCase {
  const char* why;
  const char* document;
  const char* patch;
  const char* result;  // or the error
};

std::string Patched(std::string_view type, const MergeCase& test) {
  const Schema* schema = BuiltinSchemas::Get().Find(type);
  const auto result = ApplyStrategicMergePatch(*schema, json::parse(test.document), test.patch);
  return result ? result->dump() : result.error().message();
}

TEST(StrategicMerge, MergesPodSpecs) {
  const MergeCase kCases[] = {
      {"items merge by key", R"({"containers":[{"name":"a","image":"1"}]})",
       R"({"containers":[{"name":"a","tty":true}]})",
       R"({"containers":[{"image":"1","name":"a","tty":true}]})"},
      {"new items come first, as the patch has them", R"({"containers":[{"name":"a"}]})",
       R"({"containers":[{"name":"b"}]})", R"({"containers":[{"name":"b"},{"name":"a"}]})"},
      {"an item is deleted", R"({"containers":[{"name":"a"},{"name":"b"}]})",
       R"({"containers":[{"name":"a","$patch":"delete"}]})", R"({"containers":[{"name":"b"}]})"},
      {"a list is replaced", R"({"containers":[{"name":"a"},{"name":"b"}]})",
       R"({"containers":[{"name":"c"},{"$patch":"replace"}]})", R"({"containers":[{"name":"c"}]})"},
      {"order is set", R"({"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]})",
       R"({"$setElementOrder/containers":[{"name":"c"},{"name":"a"}],"containers":[{"name":"a","tty":true}]})",
       R"({"containers":[{"name":"b"},{"name":"c"},{"name":"a","tty":true}]})"},
      {"order is set without items", R"({"containers":[{"name":"a"},{"name":"b"}]})",
       R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]})",
       R"({"containers":[{"name":"b"},{"name":"a"}]})"},
      {"lists without a strategy are replaced", R"({"tolerations":[{"key":"a"}]})",
       R"({"tolerations":[{"key":"b"}]})", R"({"tolerations":[{"key":"b"}]})"},
      {"maps merge", R"({"nodeSelector":{"a":"1"}})", R"({"nodeSelector":{"b":"2"}})",
       R"({"nodeSelector":{"a":"1","b":"2"}})"},
      {"null removes an entry", R"({"nodeSelector":{"a":"1"}})", R"({"nodeSelector":{"a":null}})",
       R"({"nodeSelector":{}})"},
      {"null of an absent field is dropped", "{}", R"({"nodeSelector":{"a":null,"b":"1"}})",
       R"({"nodeSelector":{"b":"1"}})"},
      {"a map is replaced", R"({"nodeSelector":{"a":"1"}})",
       R"({"nodeSelector":{"$patch":"replace","b":"2"}})", R"({"nodeSelector":{"b":"2"}})"},
      {"a map is emptied", R"({"nodeSelector":{"a":"1"}})",
       R"({"nodeSelector":{"$patch":"delete"}})", R"({"nodeSelector":{}})"},
      {"keys are retained", R"({"volumes":[{"name":"v","emptyDir":{}}]})",
       R"({"volumes":[{"name":"v","$retainKeys":["name","hostPath"],"hostPath":{"path":"/x"}}]})",
       R"({"volumes":[{"hostPath":{"path":"/x"},"name":"v"}]})"},
      {"ports merge by their first key",
       R"({"containers":[{"name":"a","ports":[{"containerPort":80}]}]})",
       R"({"containers":[{"name":"a","ports":[{"containerPort":80,"name":"p"}]}]})",
       R"({"containers":[{"name":"a","ports":[{"containerPort":80,"name":"p"}]}]})"},
      {"a directive of something new vanishes", "{}",
       R"({"containers":[{"name":"a","$patch":"delete"},{"name":"b"}]})",
       R"({"containers":[{"name":"b"}]})"},
      {"a key is missing", R"({"containers":[{"name":"a"}]})", R"({"containers":[{"image":"x"}]})",
       R"(map: {"image":"x"} does not contain declared merge key: name)"},
      {"an unknown directive", "{}", R"({"$patch":"foo"})",
       R"(unknown patch type: "foo" in map: {"$patch":"foo"})"},
      {"an unknown directive in a list", R"({"containers":[{"name":"c"}]})",
       R"({"containers":[{"name":"c","$patch":"foo"}]})",
       R"(unknown patch type: "foo" in map: {"$patch":"foo","name":"c"})"},
      {"lists cannot be merged by directive", R"({"containers":[{"name":"c"}]})",
       R"({"containers":[{"$patch":"merge"}]})",
       "merging lists cannot yet be specified in the patch"},
      {"items of another type", R"({"containers":[{"name":"c"}]})", R"({"containers":["x"]})",
       R"(list element types are not identical: [[{"name":"c"}] ["x"]])"},
      {"an order that does not fit", R"({"containers":[{"name":"c"}]})",
       R"({"$setElementOrder/containers":[{"name":"z"}],"containers":[{"name":"y"}]})",
       "The order in patch list:\n[{\"name\":\"y\"}]\n doesn't match $setElementOrder list:\n"
       "[{\"name\":\"z\"}]\n"},
      {"not an object", "{}", "[1]", "error decoding patch: the body is not an object"},
      {"not JSON", "{}", "zz",
       "error decoding patch: the body is not JSON, has a duplicate field or is nested too deep"},
  };
  for (const MergeCase& test : kCases)
    EXPECT_EQ(Patched("io.k8s.api.core.v1.PodSpec", test), test.result) << test.why;
}

TEST(StrategicMerge, MergesListsOfScalars) {
  const MergeCase kCases[] = {
      {"finalizers are joined", R"({"finalizers":["a","b"]})", R"({"finalizers":["c","a"]})",
       R"({"finalizers":["c","a","b"]})"},
      {"scalars are deleted", R"({"finalizers":["a","b"]})",
       R"({"$deleteFromPrimitiveList/finalizers":["a"]})", R"({"finalizers":["b"]})"},
      {"with the order left", R"({"finalizers":["a","b","c"]})",
       R"({"$deleteFromPrimitiveList/finalizers":["a"],"$setElementOrder/finalizers":["c","b"]})",
       R"({"finalizers":["c","b"]})"},
      {"nothing to delete from", "{}", R"({"$deleteFromPrimitiveList/finalizers":["a"]})", "{}"},
  };
  for (const MergeCase& test : kCases)
    EXPECT_EQ(Patched(kObjectMetaType, test), test.result) << test.why;
}

TEST(StrategicMerge, SupportsRetainKeys) {
  const MergeCase kCases[] = {
      {"the other form goes",
       R"({"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}})",
       R"({"strategy":{"$retainKeys":["type"],"type":"Recreate"}})",
       R"({"strategy":{"type":"Recreate"}})"},
      {"fields that the patch sets must be retained", R"({"strategy":{"type":"RollingUpdate"}})",
       R"({"strategy":{"$retainKeys":["type"],"rollingUpdate":{}}})",
       "invalid patch format of retainKeys"},
  };
  for (const MergeCase& test : kCases)
    EXPECT_EQ(Patched("io.k8s.api.apps.v1.DeploymentSpec", test), test.result) << test.why;
}

TEST(StrategicMerge, IsUnsupportedForCustomResources) {
  EXPECT_EQ(UnsupportedPatchType().http_code(), 415);
  EXPECT_EQ(UnsupportedPatchType().reason(), Reason::kUnsupportedMediaType);
}

}  // namespace
}  // namespace berth::apiserver
