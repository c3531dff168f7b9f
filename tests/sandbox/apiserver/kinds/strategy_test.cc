// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/strategy.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

struct ChangeCase {
  const char *group, *plural, *old_object, *new_object, *path;
};

TEST(Strategy, RejectsChangesOfImmutableFields) {
  const ChangeCase cases[] = {
      {"scheduling.k8s.io", "priorityclasses", R"({"value": 1})", R"({"value": 2})", "value"},
      {"rbac.authorization.k8s.io", "rolebindings",
       R"({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a"}})",
       R"({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "b"}})",
       "roleRef"},
  };
  const KindRegistry kinds;
  for (const ChangeCase& each : cases) {
    json old_object = json::parse(each.old_object);
    json new_object = json::parse(each.new_object);
    for (json* object : {&old_object, &new_object})
      (*object)["metadata"] = {{"name", "x"}, {"namespace", "ns"}};
    const Errors errors =
        ValidateUpdate(*kinds.Find(each.group, "v1", each.plural), "", new_object, old_object);
    ASSERT_EQ(errors.size(), 1U) << each.plural;
    EXPECT_EQ(errors[0].path, each.path);
    EXPECT_TRUE(
        ValidateUpdate(*kinds.Find(each.group, "v1", each.plural), "", old_object, old_object)
            .empty())
        << each.plural;
  }
}

TEST(Strategy, QosClassFollowsRequestsAndLimits) {
  const KindRegistry kinds;
  const auto of = [&](const char* resources) {
    json pod =
        json::parse(std::string(R"({"spec": {"containers": [{"resources": )") + resources + "}]}}");
    PrepareCreate(*kinds.Find("", "v1", "pods"), pod, Time());
    return pod["status"]["qosClass"];
  };
  EXPECT_EQ(of("{}"), "BestEffort");
  EXPECT_EQ(of(R"({"requests": {"cpu": "1"}})"), "Burstable");
  EXPECT_EQ(
      of(R"({"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}})"),
      "Guaranteed");
}

TEST(StatusError, ListsEachErrorOnce) {
  const Errors errors = {FieldError::Required("a"), FieldError::Required("a"),
                         FieldError::InvalidJson("b", "1", "too small")};
  const StatusError error = Invalid("apps", "Deployment", "x", errors);
  EXPECT_EQ(
      error.message,
      "Deployment.apps \"x\" is invalid: [a: Required value, b: Invalid value: 1: too small]");
  EXPECT_EQ(error.ToJson()["details"]["causes"].size(), 3U);
}

}  // namespace
}  // namespace berth::apiserver
