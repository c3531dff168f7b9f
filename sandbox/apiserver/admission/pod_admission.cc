// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/admission/admission.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

json TokenVolume(const std::string& name) {
  static const json kVolume = {
      {"projected",
       {{"defaultMode", 420},
        {"sources",
         json::array({{{"serviceAccountToken", {{"expirationSeconds", 3607}, {"path", "token"}}}},
                      {{"configMap",
                        {{"items", json::array({{{"key", "ca.crt"}, {"path", "ca.crt"}}})},
                         {"name", "kube-root-ca.crt"}}}},
                      {{"downwardAPI",
                        {{"items", json::array({{{"fieldRef",
                                                  {{"apiVersion", "v1"},
                                                   {"fieldPath", "metadata.namespace"}}},
                                                 {"path", "namespace"}}})}}}}})}}}};
  json volume = kVolume;
  volume["name"] = name;
  return volume;
}

// Mounts the account's token into each container without a mount of its own at the path.
void MountToken(State& state, json& spec) {
  std::string volume;
  for (const char* list : {"initContainers", "containers"}) {
    if (!spec.contains(list)) continue;
    for (json& container : spec[list]) {
      json& mounts = container["volumeMounts"];
      if (mounts.is_null()) mounts = json::array();
      const bool mounted = std::any_of(mounts.begin(), mounts.end(), [](const json& mount) {
        return mount.value("mountPath", "") == kTokenPath;
      });
      if (mounted) continue;
      if (volume.empty()) volume = "kube-api-access-" + state.random.Suffix(5);
      mounts.push_back({{"name", volume}, {"mountPath", kTokenPath}, {"readOnly", true}});
    }
  }
  if (!volume.empty()) spec["volumes"].push_back(TokenVolume(volume));
}

ObjectPtr FindObject(State& state, std::string_view resource, std::string_view name_space,
                     std::string_view name) {
  const Collection* collection = state.store.Find(resource);
  return collection == nullptr ? nullptr : collection->Find(name_space, name);
}

struct PriorityChoice {
  std::string name;
  int64_t value = 0;
  std::string preemption = "PreemptLowerPriority";
};

std::optional<PriorityChoice> GlobalDefault(State& state) {
  const Collection* classes = state.store.Find("priorityclasses.scheduling.k8s.io");
  if (classes == nullptr) return std::nullopt;
  const ListResult page = classes->List({});
  std::optional<PriorityChoice> best;
  for (const ObjectPtr& object : page ? page->items : std::vector<ObjectPtr>()) {
    const auto document = state.documents.Of(object);
    if (!document->value("globalDefault", false)) continue;
    const int64_t value = document->value("value", int64_t{0});
    if (best && best->value <= value) continue;
    best = PriorityChoice{object->metadata.name, value,
                          document->value("preemptionPolicy", "PreemptLowerPriority")};
  }
  return best;
}

}  // namespace

Answer<void> FillPriority(State& state, const AdmissionRequest& request, json& pod) {
  json& spec = pod["spec"];
  PriorityChoice choice;
  choice.name = TextAt(spec, "priorityClassName");
  if (choice.name.empty()) {
    if (auto fallback = GlobalDefault(state)) choice = *fallback;
  } else {
    const ObjectPtr found = FindObject(state, "priorityclasses.scheduling.k8s.io", "", choice.name);
    if (found == nullptr) {
      return Reject(AdmissionRejection(request, pod,
                                       "no PriorityClass with name " + choice.name + " was found"));
    }
    const auto document = state.documents.Of(found);
    choice.value = document->value("value", int64_t{0});
    choice.preemption = document->value("preemptionPolicy", choice.preemption);
  }
  if (spec.contains("priority") && spec["priority"] != choice.value) {
    return Reject(AdmissionRejection(
        request, pod,
        "the integer value of priority (" + DocumentText(spec["priority"]) +
            ") must not be provided in pod spec; priority admission controller computed " +
            std::to_string(choice.value) + " from the given PriorityClass name"));
  }
  if (!choice.name.empty()) spec["priorityClassName"] = choice.name;
  spec["priority"] = choice.value;
  if (!spec.contains("preemptionPolicy")) spec["preemptionPolicy"] = choice.preemption;
  return {};
}

Answer<void> FillServiceAccount(State& state, const AdmissionRequest& request, json& pod) {
  json& spec = pod["spec"];
  if (TextAt(spec, "serviceAccountName").empty()) spec["serviceAccountName"] = "default";
  spec["serviceAccount"] = spec["serviceAccountName"];
  const std::string name = TextAt(spec, "serviceAccountName");
  const ObjectPtr account = FindObject(state, "serviceaccounts", request.namespace_, name);
  if (account == nullptr) {
    return Reject(AdmissionRejection(request, pod,
                                     "error looking up service account " + request.namespace_ +
                                         "/" + name + ": serviceaccount \"" + name +
                                         "\" not found"));
  }
  const auto document = state.documents.Of(account);
  if (document->contains("imagePullSecrets") && !spec.contains("imagePullSecrets")) {
    spec["imagePullSecrets"] = (*document)["imagePullSecrets"];
  }
  const bool mount = spec.value("automountServiceAccountToken",
                                document->value("automountServiceAccountToken", true));
  if (mount) MountToken(state, spec);
  return {};
}

void FillTolerations(json& pod) {
  json& tolerations = pod["spec"]["tolerations"];
  if (tolerations.is_null()) tolerations = json::array();
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    const bool tolerated =
        std::any_of(tolerations.begin(), tolerations.end(), [&](const json& each) {
          const std::string named = each.value("key", "");
          const std::string effect = each.value("effect", "");
          return (named == key || named.empty()) && (effect == "NoExecute" || effect.empty());
        });
    if (tolerated) continue;
    tolerations.push_back({{"key", key},
                           {"operator", "Exists"},
                           {"effect", "NoExecute"},
                           {"tolerationSeconds", 300}});
  }
}

}  // namespace berth::apiserver
