// SPDX-License-Identifier: Apache-2.0
// What kinds are checked for, beyond what the recorded cases of tests/sandbox/fidelity show.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

struct Case {
  const char *group, *plural, *object;
  const char* problems;  // as in the message of the error; "" for none
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
    {"", "secrets", R"({"type": "kubernetes.io/basic-auth", "data": {"username": ""}})", ""},
    {"", "secrets", R"({"type": "kubernetes.io/basic-auth"})",
     "[data[username]: Required value, data[password]: Required value]"},
    {"", "secrets", R"({"type": "kubernetes.io/ssh-auth", "data": {"ssh-privatekey": ""}})",
     "data[ssh-privatekey]: Required value"},
    {"", "secrets", R"({"type": "kubernetes.io/dockerconfigjson"})",
     "data[.dockerconfigjson]: Required value"},
    {"", "secrets",
     R"({"type": "kubernetes.io/dockerconfigjson", "data": {".dockerconfigjson": "e30="}})", ""},
    {"", "secrets",
     R"({"type": "kubernetes.io/dockerconfigjson", "data": {".dockerconfigjson": "ew=="}})",
     "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": unexpected end of "
     "JSON input"},
    {"", "secrets", R"({"type": "kubernetes.io/service-account-token"})",
     "metadata.annotations[kubernetes.io/service-account.name]: Required value"},
    {"", "namespaces", R"({"spec": {"finalizers": ["x"]}})",
     "spec.finalizers: Invalid value: \"x\": name is neither a standard finalizer name nor is it "
     "fully qualified"},
    {"", "configmaps", R"({"metadata": {"finalizers": ["orphan", "foregroundDeletion"]}})",
     "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan "
     "and "
     "foregroundDeletion cannot be both set"},
    {"", "configmaps", R"({"metadata": {"generation": -1}})",
     "metadata.generation: Invalid value: -1: must be greater than or equal to 0"},
    {"", "configmaps", R"({"metadata": {"ownerReferences": [
        {"apiVersion": "v1", "kind": "Event", "name": "e", "uid": "u"}]}})",
     "metadata.ownerReferences: Invalid value: {\"apiVersion\":\"v1\",\"kind\":\"Event\",\"name\":"
     "\"e\",\"uid\":\"u\"}: /v1, Kind=Event is disallowed from being an owner"},
    {"coordination.k8s.io", "leases", R"({"metadata": {"finalizers": ["any"]}})", ""},
    {"scheduling.k8s.io", "priorityclasses",
     R"({"metadata": {"name": "system-node-critical"}, "value": 2000001000,
         "preemptionPolicy": "Never"})",
     ""},
    {"scheduling.k8s.io", "priorityclasses",
     R"({"metadata": {"name": "system-node-critical"}, "value": 1, "preemptionPolicy": "Never"})",
     "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system "
     "use only. error: value of system-node-critical PriorityClass must be 2000001000"},
    {"scheduling.k8s.io", "priorityclasses", R"({"value": 1, "preemptionPolicy": "Maybe"})",
     "preemptionPolicy: Unsupported value: \"Maybe\": supported values: \"PreemptLowerPriority\", "
     "\"Never\""},
    {"rbac.authorization.k8s.io", "clusterroles", R"({"aggregationRule": {}})",
     "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector "
     "required if aggregationRule is non-nil"},
    {"rbac.authorization.k8s.io", "clusterrolebindings",
     R"({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a/b"},
         "subjects": [{"kind": "ServiceAccount", "name": "s"}]})",
     "[roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\", roleRef.name: "
     "Invalid value: \"a/b\": may not contain '/', subjects[0].namespace: Required value]"},
    {"storage.k8s.io", "csinodes",
     R"({"spec": {"drivers": [{"name": "d", "nodeID": "n", "allocatable": {"count": -1}},
                              {"name": "d", "topologyKeys": ["k", "k"]}]}})",
     "[spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0, "
     "spec.drivers[1].nodeID: Required value, spec.drivers[1].name: Duplicate value: \"d\", "
     "spec.drivers[1]: Duplicate value: \"k\"]"},
    {"storage.k8s.io", "csistoragecapacities",
     R"({"storageClassName": "fast", "capacity": "-1Gi"})",
     "capacity: Invalid value: \"-1Gi\": must be greater than or equal to 0"},
};

TEST(ValidateCreate, FindsWhatIsWrongWithAKind) {
  for (const Case& each : kCases)
    EXPECT_EQ(Created(each.group, each.plural, each.object), each.problems) << each.object;
}

TEST(ValidateCreate, LimitsTheSizeOfData) {
  const auto map = [](size_t bytes) {
    return json{{"data", {{"k", std::string(bytes, 'x')}}}}.dump();
  };
  EXPECT_EQ(Created("", "configmaps", map(1 << 20)), "");
  EXPECT_EQ(Created("", "configmaps", map((1 << 20) + 1)),
            "[]: Too long: may not be more than 1048576 bytes");
}

TEST(ValidateUpdate, TellsAFindingAsOftenAsItIsChecked) {
  const KindRegistry kinds;
  const json old = json::parse(R"({"metadata": {"name": "a", "namespace": "ns", "uid": "u"}})");
  json object = old;
  object["metadata"]["uid"] = "v";
  // All kinds, and the kind's own strategy.
  const Problems problems = ValidateUpdate(*kinds.Find("", "v1", "configmaps"), "", object, old);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0], problems[1]);
  EXPECT_EQ(problems[0].ToString(), "metadata.uid: Invalid value: \"v\": field is immutable");
}

TEST(ValidateUpdate, ADeletedObjectTakesNoNewFinalizers) {
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
            "deleted, found new finalizers []string{\"e.com/b\"}");
}

TEST(ValidateUpdate, EventsOfEventsGroupKeepAllButTheirSeries) {
  const KindRegistry kinds;
  const json old = json::parse(R"({"metadata": {"name": "a", "namespace": "ns"},
      "involvedObject": {"namespace": "ns"}, "eventTime": "2020-01-01T00:00:00.000000Z",
      "reportingComponent": "c", "reportingInstance": "i", "action": "A", "reason": "R",
      "type": "Normal"})");
  json object = old;
  object["series"] = {{"count", 2}, {"lastObservedTime", "2020-01-01T00:00:01.000000Z"}};
  const KindInfo& events = *kinds.Find("events.k8s.io", "v1", "events");
  EXPECT_TRUE(ValidateUpdate(events, "", object, old).empty());
  object["series"]["count"] = 1;
  object["reportingComponent"] = "d";
  EXPECT_EQ(api::Aggregate(ValidateUpdate(events, "", object, old)),
            "[series.count: Invalid value: \"\": should be at least 2, reportingController: "
            "Invalid value: \"d\": field is immutable]");
  // core/v1 lets anything through that is well formed.
  EXPECT_TRUE(ValidateUpdate(*kinds.Find("", "v1", "events"), "", object, old).empty());
}

TEST(ValidateUpdate, NamespacesAreCheckedThroughTheirSubresources) {
  const KindRegistry kinds;
  const KindInfo& namespaces = *kinds.Find("", "v1", "namespaces");
  const json old = json::parse(R"({"metadata": {"name": "a"}, "status": {"phase": "Active"}})");
  json object = old;
  object["status"]["phase"] = "Terminating";
  EXPECT_EQ(api::Aggregate(ValidateUpdate(namespaces, "status", object, old)),
            "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if "
            "`deletionTimestamp` is empty");
  object["spec"]["finalizers"] = {"x"};
  EXPECT_EQ(api::Aggregate(ValidateUpdate(namespaces, "finalize", object, old)),
            "spec.finalizers[0]: Invalid value: \"x\": name is neither a standard finalizer name "
            "nor is it fully qualified");
}

}  // namespace
}  // namespace berth::apiserver
