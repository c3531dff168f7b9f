// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void PrepareNamespace(json& object, Time /*now*/) {
  // Who deletes a namespace has to wait for what is in it.
  object["spec"]["finalizers"] = {"kubernetes"};
  object["status"] = {{"phase", "Active"}};
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = object["metadata"]["name"];
}

void PrepareNamespaceUpdate(json& object, const json& old) {
  if (const json* finalizers = At(old, "spec/finalizers"))
    object["spec"]["finalizers"] = *finalizers;
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = object["metadata"]["name"];
}

void PrepareSecretUpdate(json& secret, const json& old) {
  if (!secret.contains("type") && old.contains("type")) secret["type"] = old["type"];
}

void AddFinalizer(json& object, const char* name) {
  json& list = object["metadata"]["finalizers"];
  if (!list.is_array()) list = json::array();
  for (const json& entry : list) {
    if (entry == name) return;
  }
  list.push_back(name);
}
void PrepareClaim(json& object, Time /*now*/) {
  AddFinalizer(object, "kubernetes.io/pvc-protection");
  object["status"] = {{"phase", "Pending"}};
}
void PrepareVolume(json& object, Time now) {
  AddFinalizer(object, "kubernetes.io/pv-protection");
  object["status"] = {{"phase", "Pending"}, {"lastPhaseTransitionTime", now.ToString()}};
}

// Addresses are drawn from 10.0.0.0/16 by the uid, so that the same uid gives the same address.
void PrepareService(json& service, Time /*now*/) {
  json& spec = service["spec"];
  if (!spec.is_object()) spec = json::object();
  const std::string type = spec.value("type", "ClusterIP");
  if (type != "ExternalName") {
    if (spec.value("clusterIP", "").empty()) {
      const size_t hash = std::hash<std::string>()(TextAt(service, "metadata/uid"));
      spec["clusterIP"] =
          "10.0." + std::to_string(hash / 250 % 256) + "." + std::to_string(2 + hash % 250);
    }
    spec["clusterIPs"] = {spec["clusterIP"]};
    spec["ipFamilies"] = {"IPv4"};
    spec["ipFamilyPolicy"] = "SingleStack";
  }
  service["status"] = {{"loadBalancer", json::object()}};
}
void PrepareServiceUpdate(json& service, const json& old) {
  for (const char* field : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    if (!service["spec"].contains(field) && old["spec"].contains(field)) {
      service["spec"][field] = old["spec"][field];
    }
  }
}
void ValidateServiceUpdate(const json& object, const json& old, Problems& problems) {
  if (TextAt(object, "spec/type") == "ExternalName") return;
  CheckUnchanged(object, old, "spec/clusterIP", problems);
}
void ValidateService(const json& object, Problems& problems) {
  const json* ports = At(object, "spec/ports");
  const bool headless = TextAt(object, "spec/clusterIP") == "None";
  if ((ports == nullptr || ports->empty()) && !headless &&
      TextAt(object, "spec/type") != "ExternalName") {
    problems.push_back(RequiredField("spec.ports"));
  }
}

// `immutable: true` of a ConfigMap or a Secret freezes its content, and itself.
void ValidateData(const json& object, const json& old, Problems& problems) {
  if (!old.value("immutable", false)) return;
  if (!object.value("immutable", false)) {
    problems.push_back(ForbiddenField("immutable", "field is immutable when `immutable` is set"));
  }
  for (const char* field : {"data", "binaryData"}) {
    const json* now = At(object, field);
    const json* before = At(old, field);
    if ((now == nullptr) == (before == nullptr) && (now == nullptr || *now == *before)) continue;
    problems.push_back(ForbiddenField(field, "field is immutable when `immutable` is set"));
  }
}
void ValidateSecretUpdate(const json& object, const json& old, Problems& problems) {
  CheckUnchanged(object, old, "type", problems);
  ValidateData(object, old, problems);
}

void ValidateClaimUpdate(const json& object, const json& old, Problems& problems) {
  json now = object["spec"];
  json before = old["spec"];
  for (json* spec : {&now, &before}) {
    spec->erase("resources");
    spec->erase("volumeAttributesClassName");
    if (TextAt(old, "spec/volumeName").empty()) spec->erase("volumeName");
    if (TextAt(old, "spec/storageClassName").empty()) spec->erase("storageClassName");
  }
  if (now == before) return;
  problems.push_back(
      ForbiddenField("spec",
                     "spec is immutable after creation except "
                     "resources.requests and volumeAttributesClassName for bound claims"));
}

const std::map<std::string, Strategy, std::less<>>& Table() {
  using Rule = Strategy::NameRule;
  static const std::map<std::string, Strategy, std::less<>> kTable = {
      {"Namespace", {Rule::kLabel, PrepareNamespace, PrepareNamespaceUpdate, nullptr, nullptr}},
      {"Secret", {Rule::kSubdomain, nullptr, PrepareSecretUpdate, nullptr, ValidateSecretUpdate}},
      {"ConfigMap", {Rule::kSubdomain, nullptr, nullptr, nullptr, ValidateData}},
      {"Service",
       {Rule::kLabel, PrepareService, PrepareServiceUpdate, ValidateService,
        ValidateServiceUpdate}},
      {"PersistentVolume", {Rule::kSubdomain, PrepareVolume, nullptr, nullptr, nullptr}},
      {"PersistentVolumeClaim",
       {Rule::kSubdomain, PrepareClaim, nullptr, nullptr, ValidateClaimUpdate}},
  };
  return kTable;
}

}  // namespace

const Strategy* CoreStrategy(const KindInfo& kind) {
  if (!kind.group.empty()) return nullptr;
  const auto found = Table().find(kind.kind);
  return found == Table().end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
