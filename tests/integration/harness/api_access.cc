// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/api_access.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "client/kubeconfig.h"
#include "http/client/transport.h"

namespace berth::integration {
namespace {

struct Resource {
  std::string group_path;
  std::string plural;
};

const Resource& ResourceOf(const std::string& kind) {
  static const std::map<std::string, Resource> kResources = {
      {"binding", {"/api/v1", "bindings"}},
      {"clusterrole", {"/apis/rbac.authorization.k8s.io/v1", "clusterroles"}},
      {"clusterrolebinding", {"/apis/rbac.authorization.k8s.io/v1", "clusterrolebindings"}},
      {"configmap", {"/api/v1", "configmaps"}},
      {"csidriver", {"/apis/storage.k8s.io/v1", "csidrivers"}},
      {"csinode", {"/apis/storage.k8s.io/v1", "csinodes"}},
      {"csistoragecapacity", {"/apis/storage.k8s.io/v1", "csistoragecapacities"}},
      {"customresourcedefinition", {"/apis/apiextensions.k8s.io/v1", "customresourcedefinitions"}},
      {"daemonset", {"/apis/apps/v1", "daemonsets"}},
      {"deployment", {"/apis/apps/v1", "deployments"}},
      {"endpointslice", {"/apis/discovery.k8s.io/v1", "endpointslices"}},
      {"event", {"/apis/events.k8s.io/v1", "events"}},
      {"lease", {"/apis/coordination.k8s.io/v1", "leases"}},
      {"namespace", {"/api/v1", "namespaces"}},
      {"networkpolicy", {"/apis/networking.k8s.io/v1", "networkpolicies"}},
      {"node", {"/api/v1", "nodes"}},
      {"persistentvolume", {"/api/v1", "persistentvolumes"}},
      {"persistentvolumeclaim", {"/api/v1", "persistentvolumeclaims"}},
      {"pod", {"/api/v1", "pods"}},
      {"poddisruptionbudget", {"/apis/policy/v1", "poddisruptionbudgets"}},
      {"podgroup", {"/apis/scheduling.x-k8s.io/v1alpha1", "podgroups"}},
      {"podgroup.scheduling.k8s.io", {"/apis/scheduling.k8s.io/v1beta1", "podgroups"}},
      {"replicaset", {"/apis/apps/v1", "replicasets"}},
      {"replicationcontroller", {"/api/v1", "replicationcontrollers"}},
      {"resourcequota", {"/api/v1", "resourcequotas"}},
      {"role", {"/apis/rbac.authorization.k8s.io/v1", "roles"}},
      {"rolebinding", {"/apis/rbac.authorization.k8s.io/v1", "rolebindings"}},
      {"schedulerprofile", {"/apis/berth.dev/v1alpha1", "schedulerprofiles"}},
      {"service", {"/api/v1", "services"}},
      {"serviceaccount", {"/api/v1", "serviceaccounts"}},
      {"sprof", {"/apis/berth.dev/v1alpha1", "schedulerprofiles"}},
      {"statefulset", {"/apis/apps/v1", "statefulsets"}},
      {"storageclass", {"/apis/storage.k8s.io/v1", "storageclasses"}},
      {"validatingadmissionpolicy",
       {"/apis/admissionregistration.k8s.io/v1", "validatingadmissionpolicies"}},
      {"validatingadmissionpolicybinding",
       {"/apis/admissionregistration.k8s.io/v1", "validatingadmissionpolicybindings"}},
      {"volumeattachment", {"/apis/storage.k8s.io/v1", "volumeattachments"}},
  };
  const auto found = kResources.find(kind);
  if (found == kResources.end()) throw std::invalid_argument("unknown kind " + kind);
  return found->second;
}

}  // namespace

ApiAccess::ApiAccess(const std::filesystem::path& kubeconfig) {
  const auto config = client::LoadKubeconfig({kubeconfig}, "");
  if (!config) throw std::runtime_error(config.error().message());
  auto transport = http::CreateTransport({.url = config->server, .tls = config->tls});
  if (!transport) throw std::runtime_error(transport.error().message());
  transport_ = std::move(*transport);
  if (!config->token.empty()) authorization_ = "Bearer " + config->token;
}

ApiAnswer ApiAccess::Call(http::Request request) const {
  request.headers.Set("Accept", "application/json");
  if (!authorization_.empty()) request.headers.Set("Authorization", authorization_);
  const auto response = transport_->Call(std::move(request));
  return response ? ApiAnswer{response->code, response->body}
                  : ApiAnswer{0, response.error().message()};
}

ApiAnswer ApiAccess::Send(const std::string& method, const std::string& path,
                          const Json& body) const {
  http::Request request{.method = method, .target = path};
  if (!body.is_null()) {
    request.body = body.dump();
    request.headers.Set("Content-Type",
                        method == "PATCH" ? "application/merge-patch+json" : "application/json");
  }
  return Call(std::move(request));
}

ApiAnswer ApiAccess::Apply(const Json& object) const {
  std::string kind = object.at("kind");
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
  const Json& metadata = object.at("metadata");
  http::Request request{
      .method = "PATCH",
      .target = PathOf(kind, metadata.at("name"), metadata.value("namespace", "")) +
                "?fieldManager=kubectl&force=true",
      .body = object.dump()};
  request.headers.Set("Content-Type", "application/apply-patch+yaml");
  return Call(std::move(request));
}

std::string ApiAccess::PathOf(const std::string& kind, const std::string& name,
                              const std::string& ns) {
  const Resource& resource = ResourceOf(kind);
  std::string path = resource.group_path;
  if (!ns.empty()) path += "/namespaces/" + ns;
  path += "/" + resource.plural;
  return name.empty() ? path : path + "/" + name;
}

}  // namespace berth::integration
