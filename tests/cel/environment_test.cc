// SPDX-License-Identifier: Apache-2.0
#include "cel/environment.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "api/kubernetes_version.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel/schema_type.h"

namespace berth::cel {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Json Releases() {
  const auto text = ReadFile("tests/cel/releases.yaml");
  const auto document = yaml::ToJson(text.value_or(""));
  EXPECT_TRUE(document.has_value());
  return Json::parse(document.value_or("{}"));
}

// Returns the error of compiling a rule; empty on success.
std::string ErrorIn(const std::string& rule, const Environment& environment) {
  const auto program = Compile(rule, environment, Basic(Kind::kBool));
  return program ? "" : program.error().message();
}

TEST(AcceptedBy, RejectsFeaturesUnknownToThePreviousRelease) {
  const Json releases = Releases();
  const TypePtr self = TypeOfSchema(releases["schema"]);
  for (const Json& row : releases["rules"]) {
    const auto rule = row["rule"].get<std::string>();
    for (unsigned minor = api::kOldestKubernetes.minor; minor <= api::kNewestKubernetes.minor;
         ++minor) {
      const std::string error = ErrorIn(rule, RuleEnvironment(self).AcceptedBy(minor));
      if (minor < row["acceptedFrom"].get<unsigned>()) {
        EXPECT_THAT(error, HasSubstr(row["error"].get<std::string>())) << rule << " by " << minor;
        EXPECT_NE(error, "") << rule << " by " << minor;
      } else {
        EXPECT_EQ(error, "") << rule << " by " << minor;
      }
    }
  }
}

TEST(AcceptedBy, DefaultsToAllFeatures) {
  const Json releases = Releases();
  const TypePtr self = TypeOfSchema(releases["schema"]);
  for (const Json& row : releases["rules"]) {
    EXPECT_EQ(ErrorIn(row["rule"], RuleEnvironment(self)), "");
  }
}

}  // namespace
}  // namespace berth::cel
