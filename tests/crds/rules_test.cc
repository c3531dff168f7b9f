// SPDX-License-Identifier: Apache-2.0
#include "crds/rules.h"

#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json/document.h"
#include "base/yaml/yaml.h"
#include "crds/schema.h"
#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

using Document = nlohmann::json;

// The integration tests use the same examples against an API server.
Document Examples(const std::string& list) {
  const auto text = ReadFile("tests/crds/rule_examples.yaml");
  const auto document = yaml::ToJson(text.value_or(""));
  EXPECT_TRUE(document.has_value());
  return json::ReadDocument(document.value_or("{}"))[list];
}

SchedulerProfile ProfileIn(const Document& example) {
  auto profile = json::Decode<SchedulerProfile>(json::DocumentText(example), json::Mode::kStrict);
  EXPECT_TRUE(profile.has_value()) << profile.error().message();
  return WithDefaults(std::move(*profile));
}

std::vector<std::string> BrokenRules(const SchedulerProfile& profile) {
  std::vector<std::string> texts;
  for (const api::FieldError& error : CheckRules(profile)) texts.push_back(error.ToString());
  return texts;
}

// DescribedRule is a rule of the definition with the path of its object.
struct DescribedRule {
  std::vector<std::string> path;
  std::string message;
};

// Rules with oldSelf apply to updates only.
void FindRules(const Document& schema, const std::vector<std::string>& path,
               std::vector<DescribedRule>& found) {
  for (const Document& rule : schema.value("x-kubernetes-validations", Document::array())) {
    const auto text = rule["rule"].get<std::string>();
    if (text.find("oldSelf") == text.npos) found.push_back({path, rule["message"]});
  }
  const Document properties = schema.value("properties", Document::object());
  for (const auto& [name, below] : properties.items()) {
    std::vector<std::string> inner = path;
    inner.push_back(name);
    FindRules(below, inner, found);
  }
  if (schema.contains("items")) FindRules(schema["items"], path, found);
}

std::vector<DescribedRule> RulesOfTheDefinition() {
  std::vector<DescribedRule> rules;
  FindRules(json::ReadDocument(json::Encode(RootSchemaOf(json::TypeOf<SchedulerProfile>()))), {},
            rules);
  return rules;
}

// Reports whether a document has the object that contains a path; a list has it if an entry does.
bool Reaches(const Document& value, std::span<const std::string> path) {
  if (value.is_array()) {
    return std::any_of(value.begin(), value.end(),
                       [&](const Document& entry) { return Reaches(entry, path); });
  }
  if (path.size() <= 1) return value.is_object();
  return value.contains(path[0]) && Reaches(value[path[0]], path.subspan(1));
}

TEST(CheckRules, NamesFieldOrEntryWithItsValue) {
  for (const Document& example : Examples("broken")) {
    const std::string error = example.value("offline", example["says"].get<std::string>());
    EXPECT_THAT(BrokenRules(ProfileIn(example["profile"])),
                testing::Contains(testing::StartsWith(error)))
        << example;
  }
}

TEST(CheckRules, NamesEveryEntryThatBreaksRule) {
  SchedulerProfile profile;
  profile.metadata.name = "a";
  profile.spec.deployment.env = {{.name = "LD_PRELOAD"}, {.name = "A"}, {.name = "HTTP_PROXY"}};
  EXPECT_THAT(BrokenRules(WithDefaults(profile)),
              testing::ElementsAre(
                  testing::StartsWith("spec.deployment.env[name=LD_PRELOAD].name: Invalid value: "
                                      "\"LD_PRELOAD\": "),
                  testing::StartsWith("spec.deployment.env[name=HTTP_PROXY].name: Invalid value: "
                                      "\"HTTP_PROXY\": ")));
}

TEST(CheckRules, OmitsLongValueOfList) {
  SchedulerProfile profile;
  profile.metadata.name = "a";
  profile.spec.plugins.queue_sort.enabled = {{.name = std::string(150, 'a')},
                                             {.name = std::string(150, 'b')}};
  EXPECT_THAT(BrokenRules(WithDefaults(profile)),
              testing::ElementsAre(testing::StartsWith(
                  "spec.plugins.queueSort.enabled: Invalid value: only one queue sort")));
}

TEST(CheckRules, AcceptsValidProfiles) {
  for (const Document& example : Examples("kept")) {
    EXPECT_THAT(BrokenRules(ProfileIn(example)), testing::IsEmpty()) << example;
  }
}

TEST(CheckRules, ExamplesBreakEveryRule) {
  std::multiset<std::string> broken;
  for (const Document& example : Examples("broken")) {
    for (const api::FieldError& error : CheckRules(ProfileIn(example["profile"]))) {
      broken.insert(error.detail);
    }
  }
  const std::vector<DescribedRule> rules = RulesOfTheDefinition();
  EXPECT_GE(rules.size(), 19u);
  std::multiset<std::string> described;
  for (const DescribedRule& rule : rules) described.insert(rule.message);
  for (const std::string& message : described) {
    EXPECT_GE(broken.count(message), described.count(message)) << message;
  }
}

TEST(CheckRules, ExamplesReachEveryRule) {
  const Document examples = Examples("kept");
  for (const DescribedRule& rule : RulesOfTheDefinition()) {
    EXPECT_TRUE(std::any_of(examples.begin(), examples.end(), [&](const Document& example) {
      return Reaches(example, rule.path);
    })) << rule.message;
  }
}

TEST(CheckRules, SkipsExcusedRulesAndRulesThatNeedName) {
  SchedulerProfile profile;
  profile.metadata.name = "default-scheduler";
  const std::string_view excused[] = {SchedulerProfile::kReservedName};
  EXPECT_EQ(CheckRules(profile).size(), 1u);
  EXPECT_THAT(CheckRules(profile, excused), testing::IsEmpty());
  profile.metadata.name.clear();
  EXPECT_THAT(CheckRules(profile), testing::IsEmpty());
}

}  // namespace
}  // namespace berth::crds
