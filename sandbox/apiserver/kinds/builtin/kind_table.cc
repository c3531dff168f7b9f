// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/kind_table.h"

#include <algorithm>
#include <cstdint>

#include "base/strings.h"
#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

enum Trait : uint32_t {
  kCluster = 1,               // not namespaced
  kStatus = 2,                // has /status
  kScale = 4,                 // has /scale
  kReview = 8,                // create only, not stored
  kVersioned = 32,            // an update must have a resourceVersion
  kMadeByUpdate = 64,         // a PUT to a free name creates it
  kGeneration = 128,          // metadata.generation: Generation::kContent
  kCountsNothing = 256,       // kConstant
  kCountsAnnotations = 1024,  // kContentOrAnnotations
  kCountsFromNone = 2048,     // kContentFromNone
};

struct KindRow {
  std::string_view group, plural, kind;
  uint32_t traits;
  std::string_view short_names, categories, selectable;  // separated by spaces
};

constexpr std::string_view kPodFields =
    "spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork "
    "status.phase status.podIP status.nominatedNodeName";
constexpr std::string_view kEventFields =
    "involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid "
    "involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason "
    "reportingComponent source type";
// The names of the same fields in events.k8s.io, "-" for none.
constexpr std::string_view kNewEventFields =
    "regarding.kind regarding.namespace regarding.name regarding.uid regarding.apiVersion "
    "regarding.resourceVersion regarding.fieldPath reason reportingController - type";
constexpr std::string_view kAdmission = "admissionregistration.k8s.io";
constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr uint32_t kWorkload = kStatus | kScale | kGeneration;

// Sorted by resource within a group, as discovery lists them.
constexpr KindRow kKindRows[] = {
    {"", "configmaps", "ConfigMap", 0, "cm", "", ""},
    {"", "events", "Event", kMadeByUpdate, "ev", "", kEventFields},
    {"", "namespaces", "Namespace", kCluster | kStatus, "ns", "", "status.phase"},
    {"", "nodes", "Node", kCluster | kStatus, "no", "", "spec.unschedulable"},
    {"", "persistentvolumeclaims", "PersistentVolumeClaim", kStatus, "pvc", "", ""},
    {"", "persistentvolumes", "PersistentVolume", kCluster | kStatus, "pv", "", ""},
    {"", "pods", "Pod", kStatus | kGeneration, "po", "all", kPodFields},
    {"", "replicationcontrollers", "ReplicationController", kWorkload, "rc", "all",
     "status.replicas"},
    {"", "resourcequotas", "ResourceQuota", kStatus, "quota", "", ""},
    {"", "secrets", "Secret", 0, "", "", "type"},
    {"", "serviceaccounts", "ServiceAccount", 0, "sa", "", ""},
    {"", "services", "Service", kStatus | kMadeByUpdate, "svc", "all", "spec.clusterIP spec.type"},
    {"apps", "daemonsets", "DaemonSet", kStatus | kGeneration, "ds", "all", ""},
    {"apps", "deployments", "Deployment", kWorkload | kCountsAnnotations, "deploy", "all", ""},
    {"apps", "replicasets", "ReplicaSet", kWorkload, "rs", "all", ""},
    {"apps", "statefulsets", "StatefulSet", kWorkload, "sts", "all", ""},
    {"events.k8s.io", "events", "Event", kMadeByUpdate, "ev", "", kEventFields},
    {"authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview", kReview | kCluster, "", "",
     ""},
    {"authentication.k8s.io", "tokenreviews", "TokenReview", kReview | kCluster, "", "", ""},
    {"authorization.k8s.io", "localsubjectaccessreviews", "LocalSubjectAccessReview", kReview, "",
     "", ""},
    {"authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview",
     kReview | kCluster, "", "", ""},
    {"authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview",
     kReview | kCluster, "", "", ""},
    {"authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview", kReview | kCluster, "",
     "", ""},
    {"networking.k8s.io", "networkpolicies", "NetworkPolicy", kGeneration, "netpol", "", ""},
    {"policy", "poddisruptionbudgets", "PodDisruptionBudget", kStatus | kGeneration | kVersioned,
     "pdb", "", ""},
    {kRbac, "clusterrolebindings", "ClusterRoleBinding", kCluster | kMadeByUpdate, "", "", ""},
    {kRbac, "clusterroles", "ClusterRole", kCluster | kMadeByUpdate, "", "", ""},
    {kRbac, "rolebindings", "RoleBinding", kMadeByUpdate, "", "", ""},
    {kRbac, "roles", "Role", kMadeByUpdate, "", "", ""},
    {"storage.k8s.io", "csidrivers", "CSIDriver", kCluster | kVersioned | kCountsFromNone, "", "",
     ""},
    {"storage.k8s.io", "csinodes", "CSINode", kCluster | kVersioned, "", "", ""},
    {"storage.k8s.io", "csistoragecapacities", "CSIStorageCapacity", kVersioned, "", "", ""},
    {"storage.k8s.io", "storageclasses", "StorageClass", kCluster, "sc", "", ""},
    {"storage.k8s.io", "volumeattachments", "VolumeAttachment", kCluster | kStatus | kVersioned, "",
     "", ""},
    {"storage.k8s.io", "volumeattributesclasses", "VolumeAttributesClass", kCluster, "vac", "", ""},
    {kAdmission, "validatingadmissionpolicies", "ValidatingAdmissionPolicy",
     kCluster | kStatus | kGeneration | kVersioned, "", "api-extensions", ""},
    {kAdmission, "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding",
     kCluster | kGeneration | kVersioned, "", "api-extensions", ""},
    {"apiextensions.k8s.io", "customresourcedefinitions", "CustomResourceDefinition",
     kCluster | kStatus | kGeneration | kVersioned, "crd crds", "api-extensions", ""},
    {"scheduling.k8s.io", "priorityclasses", "PriorityClass", kCluster | kCountsNothing, "pc", "",
     ""},
    {"coordination.k8s.io", "leases", "Lease", kVersioned | kMadeByUpdate, "", "", ""},
    {"discovery.k8s.io", "endpointslices", "EndpointSlice", kGeneration, "", "", ""},
    {"resource.k8s.io", "deviceclasses", "DeviceClass", kCluster | kGeneration, "", "", ""},
    {"resource.k8s.io", "resourceclaims", "ResourceClaim", kStatus, "", "", ""},
    {"resource.k8s.io", "resourceclaimtemplates", "ResourceClaimTemplate", 0, "", "", ""},
    {"resource.k8s.io", "resourceslices", "ResourceSlice", kCluster | kGeneration, "", "",
     "spec.driver spec.nodeName"},
};

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  if (text.empty()) return words;
  for (const std::string_view word : Split(text, ' ')) words.emplace_back(word);
  return words;
}

// Subresources of core kinds besides scale.
struct Extra {
  std::string_view plural, name;
  GroupVersionKind kind;
  std::string_view verbs;
  bool connects = false;
};

const std::vector<Extra>& Extras() {
  static constexpr std::string_view kStream = "create get";
  static const std::vector<Extra> kExtras = {
      {"namespaces", "finalize", {"", "v1", "Namespace"}, "update"},
      {"pods", "attach", {"", "v1", "PodAttachOptions"}, kStream, true},
      {"pods", "binding", {"", "v1", "Binding"}, "create"},
      {"pods", "ephemeralcontainers", {"", "v1", "Pod"}, "get patch update"},
      {"pods", "eviction", {"policy", "v1", "Eviction"}, "create"},
      {"pods", "exec", {"", "v1", "PodExecOptions"}, kStream, true},
      {"pods", "log", {"", "v1", "Pod"}, "get", true},
      {"pods", "portforward", {"", "v1", "PodPortForwardOptions"}, kStream, true},
      {"pods", "resize", {"", "v1", "Pod"}, "get patch update"},
      {"serviceaccounts", "token", {"authentication.k8s.io", "v1", "TokenRequest"}, "create"},
  };
  return kExtras;
}

void AddSubresources(const KindRow& row, KindInfo& info) {
  const std::vector<std::string> change = Words("get patch update");
  if (row.group.empty()) {
    for (const Extra& extra : Extras()) {
      if (extra.plural != row.plural) continue;
      info.subresources.push_back(
          {std::string(extra.name), extra.kind, Words(extra.verbs), extra.connects});
    }
  }
  if (row.traits & kScale) {
    info.subresources.push_back({"scale", {"autoscaling", "v1", "Scale"}, change});
  }
  if (row.traits & kStatus) info.subresources.push_back({"status", info.Gvk(), change});
}

Generation GenerationOf(uint32_t traits) {
  if (traits & kCountsNothing) return Generation::kConstant;
  if (traits & kCountsAnnotations) return Generation::kContentOrAnnotations;
  if (traits & kCountsFromNone) return Generation::kContentFromNone;
  return traits & kGeneration ? Generation::kContent : Generation::kUncounted;
}

KindPtr MakeKind(const KindRow& row) {
  auto info = std::make_shared<KindInfo>();
  info->group = row.group;
  info->version = "v1";
  info->kind = row.kind;
  info->list_kind = std::string(row.kind) + "List";
  info->plural = row.plural;
  info->singular = ToLower(row.kind);
  info->namespaced = (row.traits & kCluster) == 0;
  info->stored = (row.traits & kReview) == 0;
  info->graceful = row.plural == "pods";
  info->generation = GenerationOf(row.traits);
  info->needs_version = (row.traits & kVersioned) != 0;
  info->made_by_update = (row.traits & kMadeByUpdate) != 0;
  info->short_names = Words(row.short_names);
  info->categories = Words(row.categories);
  info->selectable = Words(row.selectable);
  if (row.group == "events.k8s.io") {
    info->selectable_names = Words(kNewEventFields);
    std::replace(info->selectable_names.begin(), info->selectable_names.end(), std::string("-"),
                 std::string());
  }
  info->storage = row.plural == "events" ? "events" : info->Resource().ToString();
  info->verbs = Words(info->stored ? "create delete get list patch update watch" : "create");
  AddSubresources(row, *info);
  info->schema = BuiltinSchemas::Get().FindKind(info->Gvk());
  return info;
}

}  // namespace

std::vector<KindPtr> BuiltinKinds() {
  std::vector<KindPtr> kinds;
  for (const KindRow& row : kKindRows) kinds.push_back(MakeKind(row));
  return kinds;
}

}  // namespace berth::apiserver
