// SPDX-License-Identifier: Apache-2.0
#include "crds/argument_rules.h"

#include <map>
#include <optional>

#include <gmock/gmock.h>

#include "base/quantity.h"
#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

struct Entry {
  std::string name;
  std::vector<int32_t> numbers;

  static auto Fields() {
    return json::Object(json::Field("name", &Entry::name).Required(),
                        json::Field("numbers", &Entry::numbers));
  }
};

struct Arguments {
  bool yes = false;
  double share = 0;
  Quantity amount;
  std::map<std::string, std::string> words;
  std::optional<Entry> one;
  std::vector<Entry> many;

  static auto Fields() {
    return json::Object(json::Field("yes", &Arguments::yes),
                        json::Field("share", &Arguments::share),
                        json::Field("amount", &Arguments::amount).Required(),
                        json::Field("words", &Arguments::words),
                        json::Field("one", &Arguments::one), json::Field("many", &Arguments::many));
  }
};

// tests/cel/shipped_test.cc tests the rules with arguments of plugins.
TEST(ArgumentRules, AreDerivedFromArgumentTypes) {
  PluginCatalogueView catalogue;
  catalogue.plugins.push_back({.name = "Plain"});
  catalogue.plugins.push_back({.name = "Choosy", .args = &json::TypeOf<Arguments>()});
  std::map<std::string, std::string> variables;
  for (const api::AdmissionVariable& variable : ArgumentVariables(catalogue)) {
    variables[variable.name] = variable.expression;
  }
  EXPECT_EQ(variables["argumentKinds"],
            "{'Choosy': {'apiVersion': 'string', 'kind': 'string', 'yes': 'boolean', "
            "'share': 'number', 'amount': 'any', 'words': 'object', 'one': 'object', "
            "'many': 'list of object', 'many[].name': 'string', "
            "'many[].numbers': 'list of number'}}");
  EXPECT_EQ(variables["argumentsRequired"], "{'Choosy': ['amount', 'many[].name']}");
}

TEST(ArgumentRules, HaveMessageForEachPlugin) {
  for (const api::Validation& rule : ArgumentRules()) {
    EXPECT_FALSE(rule.message.empty());
    EXPECT_THAT(rule.message_expression, testing::HasSubstr("[name=' + entry.name + ']"));
  }
}

}  // namespace
}  // namespace berth::crds
