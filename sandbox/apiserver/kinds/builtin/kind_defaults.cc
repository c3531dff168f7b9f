// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/kind_defaults.h"

#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/custom/custom_kinds.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Named parts of overlays: "$Container" refers to the overlay of that name.
const std::map<std::string, json, std::less<>>& Parts() {
  static const auto kParts = [] {
    std::map<std::string, json, std::less<>> parts;
    parts["Get"] = ReadDocument(R"({"path": "/", "scheme": "HTTP"})");
    parts["Probe"] = ReadDocument(R"({"timeoutSeconds": 1, "periodSeconds": 10,
      "successThreshold": 1, "failureThreshold": 3, "httpGet": "$Get", "grpc": {"service": ""}})");
    parts["Field"] = ReadDocument(R"({"fieldRef": {"apiVersion": "v1"}})");
    parts["Container"] = ReadDocument(R"({"terminationMessagePath": "/dev/termination-log",
      "terminationMessagePolicy": "File", "+resources": {}, "ports": [{"protocol": "TCP"}],
      "env": [{"valueFrom": "$Field"}], "livenessProbe": "$Probe", "readinessProbe": "$Probe",
      "startupProbe": "$Probe",
      "lifecycle": {"postStart": {"httpGet": "$Get"}, "preStop": {"httpGet": "$Get"}}})");
    parts["Volume"] = ReadDocument(R"({"secret": {"defaultMode": 420},
      "configMap": {"defaultMode": 420}, "hostPath": {"type": ""},
      "downwardAPI": {"defaultMode": 420, "items": ["$Field"]},
      "projected": {"defaultMode": 420, "sources": [{
        "serviceAccountToken": {"expirationSeconds": 3600}, "downwardAPI": {"items": ["$Field"]}}]},
      "ephemeral": {"volumeClaimTemplate": {"spec": {"volumeMode": "Filesystem"}}}})");
    parts["PodSpec"] = ReadDocument(R"({"restartPolicy": "Always", "dnsPolicy": "ClusterFirst",
      "schedulerName": "default-scheduler", "terminationGracePeriodSeconds": 30,
      "+securityContext": {}, "containers": ["$Container"], "initContainers": ["$Container"],
      "ephemeralContainers": ["$Container"], "volumes": ["$Volume"]})");
    return parts;
  }();
  return kParts;
}

// By "group/Kind".
const std::map<std::string, json, std::less<>>& Overlays() {
  static const auto kOverlays = [] {
    std::map<std::string, json, std::less<>> of;
    const auto add = [&of](const char* kind, const char* text) { of[kind] = ReadDocument(text); };
    add("/Pod", R"({"+spec": "$PodSpec"})");
    add("/ReplicationController", R"({"spec": {"replicas": 1, "template": {"spec": "$PodSpec"}}})");
    add("/Service", R"({"+spec": {"sessionAffinity": "None", "type": "ClusterIP",
      "ports": [{"protocol": "TCP"}]}})");
    add("/Namespace", R"({"+spec": {}})");
    add("/Secret", R"({"type": "Opaque"})");
    add("/PersistentVolume", R"({"spec": {"persistentVolumeReclaimPolicy": "Retain",
      "volumeMode": "Filesystem", "hostPath": {"type": ""}, "local": {}}})");
    add("/PersistentVolumeClaim", R"({"spec": {"volumeMode": "Filesystem"}})");
    add("authentication.k8s.io/TokenRequest", R"({"+spec": {"expirationSeconds": 3600}})");
    add("apps/Deployment", R"({"spec": {"replicas": 1, "revisionHistoryLimit": 10,
      "progressDeadlineSeconds": 600, "+strategy": {"type": "RollingUpdate"},
      "template": {"spec": "$PodSpec"}}})");
    add("apps/ReplicaSet", R"({"spec": {"replicas": 1, "template": {"spec": "$PodSpec"}}})");
    add("apps/StatefulSet", R"({"spec": {"replicas": 1, "revisionHistoryLimit": 10,
      "podManagementPolicy": "OrderedReady", "+updateStrategy": {"type": "RollingUpdate"},
      "+persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
      "template": {"spec": "$PodSpec"}, "volumeClaimTemplates": [{"apiVersion": "v1",
        "kind": "PersistentVolumeClaim", "+spec": {"volumeMode": "Filesystem"},
        "+status": {"phase": "Pending"}}]}})");
    add("apps/DaemonSet", R"({"spec": {"revisionHistoryLimit": 10,
      "+updateStrategy": {"type": "RollingUpdate"}, "template": {"spec": "$PodSpec"}}})");
    add("storage.k8s.io/StorageClass",
        R"({"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"})");
    add("storage.k8s.io/CSIDriver", R"({"spec": {"attachRequired": true, "podInfoOnMount": false,
      "storageCapacity": false, "requiresRepublish": false, "seLinuxMount": false,
      "fsGroupPolicy": "ReadWriteOnceWithFSType"}})");
    add("scheduling.k8s.io/PriorityClass", R"({"preemptionPolicy": "PreemptLowerPriority"})");
    add("networking.k8s.io/NetworkPolicy", R"({"spec": {
      "ingress": [{"ports": [{"protocol": "TCP"}]}],
      "egress": [{"ports": [{"protocol": "TCP"}]}]}})");
    add("admissionregistration.k8s.io/ValidatingAdmissionPolicy",
        R"({"spec": {"failurePolicy": "Fail", "matchConstraints": {"matchPolicy": "Equivalent",
      "+namespaceSelector": {}, "+objectSelector": {}, "resourceRules": [{"scope": "*"}],
      "excludeResourceRules": [{"scope": "*"}]}}})");
    add("admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
        R"({"spec": {"matchResources": {"matchPolicy": "Equivalent", "+namespaceSelector": {},
      "+objectSelector": {}, "resourceRules": [{"scope": "*"}]}}})");
    return of;
  }();
  return kOverlays;
}

bool IsLatest(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return false;
  const size_t slash = image.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const size_t colon = name.rfind(':');
  return colon == std::string_view::npos || name.substr(colon + 1) == "latest";
}

void DefaultPodSpec(json& spec) {
  const bool host_network = spec.value("hostNetwork", false);
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    if (!spec.contains(list) || !spec[list].is_array()) continue;
    for (json& container : spec[list]) {
      if (container.value("imagePullPolicy", "").empty()) {
        container["imagePullPolicy"] =
            IsLatest(container.value("image", "")) ? "Always" : "IfNotPresent";
      }
      if (!host_network || !container.contains("ports")) continue;
      for (json& port : container["ports"]) {
        if (port.value("hostPort", 0) == 0) port["hostPort"] = port.value("containerPort", 0);
      }
    }
  }
  if (spec.contains("volumes") && spec["volumes"].is_array()) {
    for (json& volume : spec["volumes"]) {
      if (volume.size() == 1 && volume.contains("name")) volume["emptyDir"] = json::object();
    }
  }
  // Two names of one field: the old one follows the new one.
  if (spec.contains("serviceAccountName"))
    spec["serviceAccount"] = spec["serviceAccountName"];
  else if (spec.contains("serviceAccount"))
    spec["serviceAccountName"] = spec["serviceAccount"];
}

// Copies limits to absent requests. Applies to pods, not to pod templates.
void DefaultPod(json& pod) {
  json& spec = pod["spec"];
  if (!spec.contains("enableServiceLinks")) spec["enableServiceLinks"] = true;
  for (const char* list : {"containers", "initContainers"}) {
    if (!spec.contains(list) || !spec[list].is_array()) continue;
    for (json& container : spec[list]) {
      json& resources = container["resources"];
      if (!resources.contains("limits")) continue;
      for (const auto& [name, amount] : resources["limits"].items()) {
        if (!resources.contains("requests") || !resources["requests"].contains(name)) {
          resources["requests"][name] = amount;
        }
      }
    }
  }
}

void DefaultRollout(const KindInfo& kind, json& spec) {
  const auto rolling = [&spec](const char* field) -> json* {
    if (!spec.contains(field) || spec[field].value("type", "") != "RollingUpdate") return nullptr;
    return &spec[field]["rollingUpdate"];
  };
  const auto fill = [](json& object, const char* name, json value) {
    if (!object.contains(name)) object[name] = std::move(value);
  };
  if (kind.kind == "Deployment") {
    if (json* update = rolling("strategy")) {
      fill(*update, "maxSurge", "25%");
      fill(*update, "maxUnavailable", "25%");
    }
  } else if (kind.kind == "StatefulSet") {
    if (json* update = rolling("updateStrategy")) {
      fill(*update, "partition", 0);
      fill(*update, "maxUnavailable", 1);
    }
  } else if (kind.kind == "DaemonSet") {
    if (json* update = rolling("updateStrategy")) {
      fill(*update, "maxSurge", 0);
      fill(*update, "maxUnavailable", 1);
    }
  }
}

void DefaultService(json& spec) {
  const std::string type = spec["type"];
  json policies = json::object();
  if (type != "ExternalName") policies["internalTrafficPolicy"] = "Cluster";
  if (type == "NodePort" || type == "LoadBalancer") policies["externalTrafficPolicy"] = "Cluster";
  if (type == "LoadBalancer") policies["allocateLoadBalancerNodePorts"] = true;
  if (spec["sessionAffinity"] == "ClientIP")
    policies["sessionAffinityConfig"] = {{"clientIP", {{"timeoutSeconds", 10800}}}};
  for (auto& [name, value] : policies.items()) {
    if (!spec.contains(name)) spec[name] = value;
  }
  if (!spec.contains("ports") || !spec["ports"].is_array()) return;
  for (json& port : spec["ports"]) {
    if (!port.contains("targetPort") || port["targetPort"] == 0 || port["targetPort"] == "") {
      port["targetPort"] = port.value("port", 0);
    }
  }
}

// stringData is write-only; it is never stored.
void MergeStringData(json& secret) {
  if (!secret.contains("stringData")) return;
  for (const auto& [key, value] : secret["stringData"].items()) {
    secret["data"][key] = EncodeBase64(value.get<std::string>());
  }
  secret.erase("stringData");
}

// The allocatable resources default to the capacity.
void DefaultNode(json& node) {
  if (node.contains("status") && node["status"].contains("capacity")) {
    json& allocatable = node["status"]["allocatable"];
    if (allocatable.is_null()) allocatable = node["status"]["capacity"];
  }
}

// A request for devices defaults to one device.
void DefaultDeviceRequests(json& claim) {
  const auto fill = [](json& request) {
    if (request.value("allocationMode", "").empty()) request["allocationMode"] = "ExactCount";
    if (request["allocationMode"] == "ExactCount" && request.value("count", 0) == 0)
      request["count"] = 1;
  };
  if (!claim.contains("devices") || !claim["devices"].contains("requests")) return;
  for (json& request : claim["devices"]["requests"]) {
    if (request.contains("exactly")) fill(request["exactly"]);
    if (!request.contains("firstAvailable")) continue;
    for (json& choice : request["firstAvailable"]) fill(choice);
  }
}

// The label makes the name available to selectors.
void DefaultNamespace(json& object) {
  json& metadata = object["metadata"];
  if (!metadata.value("name", "").empty())
    metadata["labels"]["kubernetes.io/metadata.name"] = metadata["name"];
}

void DefaultBinding(json& object) {
  json& role = object["roleRef"];
  if (role.is_object() && role.value("apiGroup", "").empty()) {
    role["apiGroup"] = "rbac.authorization.k8s.io";
  }
  if (!object.contains("subjects") || !object["subjects"].is_array()) return;
  for (json& subject : object["subjects"]) {
    const std::string kind = subject.value("kind", "");
    if ((kind == "User" || kind == "Group") && subject.value("apiGroup", "").empty()) {
      subject["apiGroup"] = "rbac.authorization.k8s.io";
    }
  }
}

void DefaultPolicyTypes(json& spec) {
  if (spec.contains("policyTypes") && !spec["policyTypes"].empty()) return;
  spec["policyTypes"] = {"Ingress"};
  if (spec.contains("egress") && !spec["egress"].empty()) spec["policyTypes"].push_back("Egress");
}

json* TemplateSpec(json& spec) {
  if (!spec.contains("template") || !spec["template"].contains("spec")) return nullptr;
  return &spec["template"]["spec"];
}

}  // namespace

void ApplyOverlay(const json& overlay, json& object) {
  if (overlay.is_string()) {
    ApplyOverlay(Parts().at(overlay.get<std::string>().substr(1)), object);
    return;
  }
  if (!object.is_object()) return;
  for (const auto& [raw_key, value] : overlay.items()) {
    const bool make = raw_key.starts_with('+');
    const std::string key = make ? raw_key.substr(1) : raw_key;
    const bool nested = value.is_object() ||
                        (value.is_string() && value.get_ref<const std::string&>().starts_with('$'));
    auto found = object.find(key);
    if (nested || make) {
      if (found == object.end() && make) found = object.emplace(key, json::object()).first;
      if (found != object.end()) ApplyOverlay(value, *found);
    } else if (value.is_array()) {
      if (found == object.end() || !found->is_array()) continue;
      for (json& element : *found) ApplyOverlay(value[0], element);
    } else if (found == object.end() || found->is_null() ||
               (found->is_string() && found->get_ref<const std::string&>().empty() &&
                value != "")) {
      object[key] = value;
    }
  }
}

void DefaultKind(const KindInfo& kind, json& object) {
  if (kind.custom) return;
  if (const auto overlay = Overlays().find(kind.group + "/" + kind.kind);
      overlay != Overlays().end()) {
    ApplyOverlay(overlay->second, object);
  }
  if (kind.kind == "CustomResourceDefinition") DefaultDefinition(object);
  if (kind.kind == "Secret") MergeStringData(object);
  if (kind.kind == "Namespace") DefaultNamespace(object);
  if (kind.kind == "Node") DefaultNode(object);
  if (kind.kind == "RoleBinding" || kind.kind == "ClusterRoleBinding") DefaultBinding(object);
  if (kind.kind == "PriorityClass" || !object.contains("spec") || !object["spec"].is_object())
    return;
  json& spec = object["spec"];
  if (kind.kind == "Pod") {
    DefaultPodSpec(spec);
    DefaultPod(object);
  } else if (json* pod_spec = TemplateSpec(spec)) {
    DefaultPodSpec(*pod_spec);
  }
  DefaultRollout(kind, spec);
  if (kind.kind == "Service") DefaultService(spec);
  if (kind.kind == "ResourceClaim") DefaultDeviceRequests(spec);
  if (kind.kind == "ResourceClaimTemplate" && spec.contains("spec"))
    DefaultDeviceRequests(spec["spec"]);
  if (kind.kind == "NetworkPolicy") DefaultPolicyTypes(spec);
  if (kind.kind != "ReplicationController" || !spec.contains("template")) return;
  // The labels and the selector default to the labels of the template.
  const json labels = spec["template"].value("/metadata/labels"_json_pointer, json::object());
  if (labels.empty()) return;
  if (!spec.contains("selector")) spec["selector"] = labels;
  if (!object["metadata"].contains("labels")) object["metadata"]["labels"] = labels;
}

}  // namespace berth::apiserver
