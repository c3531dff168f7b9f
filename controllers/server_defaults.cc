// SPDX-License-Identifier: Apache-2.0
#include "controllers/server_defaults.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/json/json.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kAnyValue = "*";

struct Default {
  std::string_view kind;
  std::string_view path;  // [*] is any entry of a list
  std::string_view json;
};

// Sources: kubernetes pkg/apis/apps/v1/defaults.go, pkg/apis/core/v1/defaults.go,
// SetDefaults_PodSpec and below, SetDefaults_Service; pkg/registry/core/service/storage.
// A Service's address and its families cannot change while its type is ClusterIP.
constexpr Default kDefaults[] = {
    {"Deployment", "spec.template.spec.dnsPolicy", R"("ClusterFirst")"},
    {"Deployment", "spec.template.spec.restartPolicy", R"("Always")"},
    {"Deployment", "spec.template.spec.schedulerName", R"("default-scheduler")"},
    {"Deployment", "spec.template.spec.containers[*].terminationMessagePath",
     R"("/dev/termination-log")"},
    {"Deployment", "spec.template.spec.containers[*].env[*].valueFrom.fieldRef.apiVersion",
     R"("v1")"},
    {"Deployment", "spec.template.spec.containers[*].env[*].valueFrom.resourceFieldRef.divisor",
     R"("0")"},
    {"Deployment", "spec.template.spec.containers[*].livenessProbe.successThreshold", "1"},
    {"Deployment", "spec.template.spec.containers[*].readinessProbe.successThreshold", "1"},
    {"Deployment", "spec.template.spec.volumes[*].configMap.defaultMode", "420"},
    {"Deployment", "spec.template.spec.volumes[*].projected.defaultMode", "420"},
    {"Service", "spec.clusterIP", kAnyValue},
    {"Service", "spec.clusterIPs", kAnyValue},
    {"Service", "spec.internalTrafficPolicy", R"("Cluster")"},
    {"Service", "spec.ipFamilies", kAnyValue},
    {"Service", "spec.ipFamilyPolicy", R"("SingleStack")"},
    {"Service", "spec.sessionAffinity", R"("None")"},
    // Lists Secrets with tokens of the account; written by OpenShift and by old versions.
    {"ServiceAccount", "secrets", kAnyValue},
};

bool Matches(std::string_view pattern, std::string_view path) {
  constexpr std::string_view kAnyEntry = "[*]";
  const size_t any = pattern.find(kAnyEntry);
  if (any == pattern.npos) return pattern == path;
  if (path.substr(0, any) != pattern.substr(0, any) || path.substr(any, 1) != "[") return false;
  const size_t end = path.find(']', any);
  return end != path.npos && Matches(pattern.substr(any + kAnyEntry.size()), path.substr(end + 1));
}

// The deprecated name of serviceAccountName, which the API server keeps equal to it. The account
// has the Deployment's name.
bool IsAccountAlias(const ObjectKey& key, std::string_view path, std::string_view value) {
  return path == "spec.template.spec.serviceAccount" && value == json::Quoted(key.name);
}

// OpenShift gives each account a Secret for its own registry, and creates another one if the
// account loses it. Source: openshift/openshift-controller-manager
// pkg/internalregistry/controllers.
bool IsRegistrySecret(const ObjectKey& key, std::string_view path, std::string_view value) {
  if (key.resource->kind != "ServiceAccount" || path != "imagePullSecrets") return false;
  const auto secrets = json::Decode<std::vector<api::LocalObjectReference>>(value);
  return secrets && std::ranges::all_of(*secrets, [&key](const api::LocalObjectReference& secret) {
           return secret.name.starts_with(key.name + "-dockercfg-");
         });
}

}  // namespace

bool IsMadeByServer(const ObjectKey& key, std::string_view path, std::string_view value) {
  const bool is_default = std::ranges::any_of(kDefaults, [&](const Default& known) {
    return known.kind == key.resource->kind && Matches(known.path, path) &&
           (known.json == kAnyValue || known.json == value);
  });
  return is_default || IsAccountAlias(key, path, value) || IsRegistrySecret(key, path, value);
}

}  // namespace berth::controllers
