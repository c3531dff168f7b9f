// SPDX-License-Identifier: Apache-2.0
#include "crds/schema.h"

#include <gmock/gmock.h>

#include "base/regex.h"
#include "crds/bounds.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {
namespace {

using api::JsonSchemaProps;

struct Leaf {
  std::string name;
  int32_t number = 1;
  std::vector<std::string> words;
  std::map<std::string, Quantity> amounts;
  std::optional<Duration> wait;
  json::Raw args;

  static auto Fields() {
    return json::Object(json::Field("name", &Leaf::name)
                            .Doc("A name.")
                            .Required()
                            .MinLength(1)
                            .Pattern("^[a-z]+$"),
                        json::Field("number", &Leaf::number).Default("1").Min(0).Max(7),
                        json::Field("words", &Leaf::words)
                            .ListSet()
                            .MaxItems(3)
                            .ItemMaxLength(5)
                            .Rule("self != []", "empty"),
                        json::Field("amounts", &Leaf::amounts).MaxItems(2),
                        json::Field("wait", &Leaf::wait),
                        json::Field("args", &Leaf::args).PreserveUnknown())
        .Rule("has(self.name)", "needs a name");
  }
};

struct Tree {
  std::vector<Leaf> leaves;
  std::string kind_of_wood;

  static auto Fields() {
    return json::Object(json::Field("leaves", &Tree::leaves).ListMap("name"),
                        json::Field("kindOfWood", &Tree::kind_of_wood).OneOf("oak|elm"));
  }
};

std::string SchemaText(const json::Type& type) { return json::Encode(SchemaOf(type)); }

TEST(SchemaOf, ContainsTypesDocsBoundsDefaultsAndRules) {
  const JsonSchemaProps leaf = SchemaOf(json::TypeOf<Leaf>());
  EXPECT_EQ(leaf.type, "object");
  EXPECT_THAT(leaf.required, testing::ElementsAre("name"));
  ASSERT_EQ(leaf.validations.size(), 1u);
  EXPECT_EQ(leaf.validations[0].message, "needs a name");

  EXPECT_EQ(
      json::Encode(leaf.properties.at("name")),
      R"({"description":"A name.","maxLength":1024,"minLength":1,"pattern":"^[a-z]+$","type":"string"})");
  EXPECT_EQ(json::Encode(leaf.properties.at("number")),
            R"({"default":1,"format":"int32","maximum":7,"minimum":0,"type":"integer"})");
  EXPECT_EQ(
      json::Encode(leaf.properties.at("words")),
      R"({"items":{"maxLength":5,"type":"string"},"maxItems":3,"type":"array","x-kubernetes-list-type":"set",)"
      R"("x-kubernetes-validations":[{"message":"empty","rule":"self != []"}]})");
  EXPECT_EQ(json::Encode(leaf.properties.at("args")),
            R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})");
  EXPECT_EQ(leaf.properties.at("amounts").max_properties, 2);
  EXPECT_TRUE(leaf.properties.at("amounts").additional_properties->int_or_string);
  EXPECT_EQ(leaf.properties.at("wait").pattern, kDurationPattern);
}

TEST(SchemaOf, RequiresKeysOfMapLists) {
  const JsonSchemaProps tree = SchemaOf(json::TypeOf<Tree>());
  const JsonSchemaProps& leaves = tree.properties.at("leaves");
  EXPECT_EQ(leaves.list_type, "map");
  EXPECT_THAT(leaves.list_map_keys, testing::ElementsAre("name"));
  EXPECT_THAT(leaves.items->required, testing::ElementsAre("name"));
}

TEST(SchemaOf, WritesWordsAsEnum) {
  EXPECT_THAT(SchemaText(json::TypeOf<Tree>()), testing::HasSubstr(R"("enum":["oak","elm"])"));
}

// A pattern cannot bound a duration; a rule must reject values that our parser rejects.
void ExpectRulesOnDurations(const JsonSchemaProps& schema, const std::string& path) {
  if (schema.pattern == kDurationPattern) {
    EXPECT_THAT(json::Encode(schema), testing::HasSubstr("duration(self)")) << path;
  }
  for (const auto& [name, below] : schema.properties) {
    ExpectRulesOnDurations(below, path + "." + name);
  }
  if (schema.items) ExpectRulesOnDurations(*schema.items, path + "[]");
}

TEST(RootSchemaOf, HasRuleForEveryDuration) {
  ExpectRulesOnDurations(RootSchemaOf(json::TypeOf<SchedulerProfile>()), "");
}

TEST(RootSchemaOf, LeavesMetadataToServer) {
  const JsonSchemaProps root = RootSchemaOf(json::TypeOf<SchedulerProfile>());
  EXPECT_TRUE(root.properties.at("metadata").properties.empty());
  EXPECT_EQ(root.properties.at("apiVersion").type, "string");
  EXPECT_EQ(root.properties.at("spec").default_.text, "{}");
  EXPECT_EQ(root.properties.at("status").default_.text, R"({"observedGeneration":-1})");
}

// Walks a schema and names every unbounded part.
void FindUnbounded(const JsonSchemaProps& schema, const std::string& path,
                   std::vector<std::string>& unbounded) {
  const bool text = schema.type == "string" && schema.enum_.empty() && schema.format != "date-time";
  if (text && !schema.max_length) unbounded.push_back(path);
  if (schema.type == "array" && !schema.max_items) unbounded.push_back(path);
  if (schema.additional_properties && !schema.max_properties) unbounded.push_back(path);
  if (schema.preserve_unknown_fields.value_or(false)) unbounded.push_back(path + " (any content)");
  for (const auto& [name, property] : schema.properties) {
    FindUnbounded(property, path + "." + name, unbounded);
  }
  if (schema.items) FindUnbounded(*schema.items, path + "[]", unbounded);
  if (schema.additional_properties) {
    FindUnbounded(*schema.additional_properties, path + "{}", unbounded);
  }
}

TEST(SchemaOf, BoundsEverythingExceptPluginArguments) {
  std::vector<std::string> unbounded;
  FindUnbounded(SchemaOf(json::TypeOf<SchedulerProfileSpec>()), "spec", unbounded);
  FindUnbounded(SchemaOf(json::TypeOf<SchedulerProfileStatus>()), "status", unbounded);
  EXPECT_THAT(unbounded, testing::ElementsAre("spec.pluginConfig[].args (any content)"));
}

void FindUndocumented(const json::Type& type, const std::string& path,
                      std::vector<std::string>& undocumented) {
  for (const json::Type::Field& field : type.fields) {
    const std::string at = path + "." + std::string(field.name);
    if (field.options.doc.empty()) undocumented.push_back(at);
  }
}

TEST(SchedulerProfileSpec, DocumentsEveryOwnField) {
  std::vector<std::string> undocumented;
  FindUndocumented(json::TypeOf<SchedulerProfileSpec>(), "spec", undocumented);
  FindUndocumented(json::TypeOf<api::Plugins>(), "plugins", undocumented);
  FindUndocumented(json::TypeOf<api::PluginSet>(), "pluginSet", undocumented);
  FindUndocumented(json::TypeOf<Extender>(), "extender", undocumented);
  FindUndocumented(json::TypeOf<ExtenderTls>(), "tlsConfig", undocumented);
  FindUndocumented(json::TypeOf<EngineSpec>(), "engine", undocumented);
  FindUndocumented(json::TypeOf<DeploymentSpec>(), "deployment", undocumented);
  FindUndocumented(json::TypeOf<LeaderElectionSpec>(), "leaderElection", undocumented);
  FindUndocumented(json::TypeOf<SchedulerProfileStatus>(), "status", undocumented);
  EXPECT_THAT(undocumented, testing::IsEmpty());
}

struct TextCase {
  std::string_view text;
  bool allowed;
};

TEST(Patterns, AllowOnlyValuesOurParsersAccept) {
  const auto duration = Regex::Compile(kDurationPattern);
  ASSERT_TRUE(duration.has_value());
  for (const TextCase& c : {TextCase{"15s", true},
                            {"1m30s", true},
                            {"1.5h", true},
                            {"0", true},
                            {"", false},
                            {"15", false},
                            {"-1s", false},
                            {"1 s", false}}) {
    EXPECT_EQ((*duration)->Matches(c.text), c.allowed) << c.text;
    EXPECT_TRUE(!c.allowed || Duration::Parse(c.text).has_value()) << c.text;
  }
  const auto quantity = Regex::Compile(kQuantityPattern);
  ASSERT_TRUE(quantity.has_value());
  for (const TextCase& c : {TextCase{"1", true},
                            {"100m", true},
                            {"1.5Gi", true},
                            {".5", true},
                            {"1e3", true},
                            {"+2Ki", true},
                            {"-2Ki", false},
                            {"", false},
                            {"Gi", false},
                            {"1.5.5", false},
                            {"1 Gi", false}}) {
    EXPECT_EQ((*quantity)->Matches(c.text), c.allowed) << c.text;
    EXPECT_TRUE(!c.allowed || Quantity::Parse(c.text).has_value()) << c.text;
  }
}

}  // namespace
}  // namespace berth::crds
