// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_update_rules.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Returns the paths of the errors after changing a pod's spec by a merge patch.
std::vector<std::string> Changed(const char* spec, const char* patch) {
  json old = {{"spec", json::parse(spec)}};
  old["spec"]["containers"] = json::array({{{"name", "c"}, {"image", "app"}}});
  json pod = old;
  pod["spec"].merge_patch(json::parse(patch));
  Errors errors;
  CheckPodChange(pod, old, errors);
  std::vector<std::string> paths;
  for (const auto& error : errors) paths.push_back(error.path);
  return paths;
}

TEST(CheckPodChange, AllowsImageChange) {
  EXPECT_THAT(Changed("{}", R"({"containers": [{"name": "c", "image": "app:2"}]})"), IsEmpty());
  EXPECT_THAT(Changed("{}", R"({"containers": [{"name": "c", "image": "app "}]})"),
              ElementsAre("spec.containers[0].image"));
  EXPECT_THAT(Changed("{}", R"({"containers": []})"), ElementsAre("spec.containers"));
  EXPECT_THAT(Changed("{}", R"({"containers": [{"name": "d", "image": "app"}]})"),
              ElementsAre("spec"));
}

TEST(CheckPodChange, TolerationsCanOnlyBeAdded) {
  const char* with =
      R"({"tolerations": [{"key": "a", "operator": "Exists", "effect": "NoExecute"}]})";
  EXPECT_THAT(Changed(with, R"({"tolerations": [
      {"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 3},
      {"key": "b", "operator": "Exists"}]})"),
              IsEmpty());
  EXPECT_THAT(Changed(with, R"({"tolerations": []})"), ElementsAre("spec.tolerations"));
}

TEST(CheckPodChange, GatesCanOnlyBeRemoved) {
  const char* with = R"({"schedulingGates": [{"name": "g"}, {"name": "h"}]})";
  EXPECT_THAT(Changed(with, R"({"schedulingGates": [{"name": "h"}]})"), IsEmpty());
  EXPECT_THAT(Changed(with, R"({"schedulingGates": [{"name": "h"}, {"name": "i"}]})"),
              ElementsAre("spec.schedulingGates[1].name"));
}

}  // namespace
}  // namespace berth::apiserver
