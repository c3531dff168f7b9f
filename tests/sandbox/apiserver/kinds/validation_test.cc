// SPDX-License-Identifier: Apache-2.0
// Validation that the recorded cases of tests/sandbox/fidelity do not cover.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

struct Case {
  const char *group, *plural, *object;
  const char* errors;  // as in the message of the error; "" for none
};

std::string Created(const char* group, const char* plural, const std::string& text) {
  const KindRegistry kinds;
  json object = json::parse(text);
  if (!object.contains("metadata")) object["metadata"] = json::object();
  if (!object["metadata"].contains("name")) object["metadata"]["name"] = "a";
  object["metadata"]["namespace"] = "ns";
  return api::Aggregate(ValidateCreate(*kinds.Find(group, "v1", plural), object));
}

constexpr Case kCases[] = {
    {"", "configmaps", R"({"metadata": {"finalizers": ["orphan", "foregroundDeletion"]}})",
     "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan "
     "and "
     "foregroundDeletion cannot be both set"},
    {"", "configmaps", R"({"metadata": {"generation": -1}})",
     "metadata.generation: Invalid value: -1: must be greater than or equal to 0"},
    {"", "configmaps", R"({"metadata": {"ownerReferences": [
        {"apiVersion": "v1", "kind": "Pod", "name": "e"}]}})",
     "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty"},
    {"coordination.k8s.io", "leases", R"({"metadata": {"finalizers": ["any"]}})", ""},
    {"scheduling.k8s.io", "priorityclasses",
     R"({"metadata": {"name": "system-mine"}, "value": 1, "preemptionPolicy": "Never"})",
     "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system "
     "use only"},
    {"scheduling.k8s.io", "priorityclasses", R"({"value": 1, "preemptionPolicy": "Maybe"})",
     "preemptionPolicy: Unsupported value: \"Maybe\": supported values: \"PreemptLowerPriority\", "
     "\"Never\""},
    {"rbac.authorization.k8s.io", "clusterroles", R"({"aggregationRule": {}})",
     "aggregationRule: Forbidden: is not served by this server: it needs a real API server"},
    {"rbac.authorization.k8s.io", "clusterrolebindings",
     R"({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a/b"},
         "subjects": [{"kind": "ServiceAccount", "name": "s"}]})",
     "[roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\", roleRef.name: "
     "Invalid value: \"a/b\": may not contain '/', subjects[0].namespace: Required value]"},
};

TEST(ValidateCreate, ReportsErrorsByKind) {
  for (const Case& each : kCases)
    EXPECT_EQ(Created(each.group, each.plural, each.object), each.errors) << each.object;
}

TEST(ValidateUpdate, RejectsNewFinalizersDuringDeletion) {
  const KindRegistry kinds;
  const json old = json::parse(R"({"metadata": {"name": "a", "namespace": "ns",
      "deletionTimestamp": "2020-01-01T00:00:00Z", "finalizers": ["e.com/a"]}})");
  json object = old;
  object["metadata"]["finalizers"] = json::array();
  const KindInfo& leases = *kinds.Find("coordination.k8s.io", "v1", "leases");
  EXPECT_TRUE(ValidateUpdate(leases, "", object, old).empty());
  object["metadata"]["finalizers"] = {"e.com/a", "e.com/b"};
  EXPECT_EQ(api::Aggregate(ValidateUpdate(leases, "", object, old)),
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being "
            "deleted");
}

}  // namespace
}  // namespace berth::apiserver
