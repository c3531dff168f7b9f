// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/service_accounts.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

constexpr const char* kAccount = "default";
constexpr const char* kRootConfigMap = "kube-root-ca.crt";
constexpr const char* kRootKey = "ca.crt";

Result<void> Created(const Error* error) {
  if (error == nullptr || error->Is(Reason::kAlreadyExists)) return {};
  return Fail(*error);
}

template <class T>
Result<void> CreateUnlessThere(client::Client& client, const T& object) {
  const Result<T> created = client.Create(object);
  return Created(created ? nullptr : &created.error());
}

}  // namespace

ServiceAccountController::ServiceAccountController(client::Client& client,
                                                   Watch<api::Namespace>& namespaces,
                                                   Watch<api::ServiceAccount>& accounts,
                                                   Watch<api::ConfigMap>& config_maps,
                                                   std::string root_ca, const Clock& clock)
    : client_(client),
      namespaces_(namespaces),
      accounts_(accounts),
      config_maps_(config_maps),
      root_ca_(std::move(root_ca)),
      loop_("Namespace accounts", clock, 1,
            [this](const std::string& ns) { return Reconcile(ns); }) {
  namespaces_.Listen([this](client::EventType, const api::Namespace& ns, const api::Namespace*) {
    loop_.Add(ns.metadata.name);
  });
  accounts_.Listen([this](client::EventType type, const api::ServiceAccount& account,
                          const api::ServiceAccount*) {
    if (type == client::EventType::kDeleted && account.metadata.name == kAccount) {
      loop_.Add(account.metadata.namespace_);
    }
  });
  config_maps_.Listen([this](client::EventType, const api::ConfigMap& map, const api::ConfigMap*) {
    if (map.metadata.name == kRootConfigMap) loop_.Add(map.metadata.namespace_);
  });
}

Result<LookAgain> ServiceAccountController::Reconcile(const std::string& ns) {
  const auto found = namespaces_.store().Get("", ns);
  if (!found || found->metadata.deletion_timestamp) return LookAgain();
  if (!accounts_.synced() || !config_maps_.synced()) {
    return LookAgain(std::chrono::milliseconds(50));
  }
  if (!accounts_.store().Get(ns, kAccount)) {
    api::ServiceAccount account;
    account.metadata.name = kAccount;
    account.metadata.namespace_ = ns;
    BERTH_TRY_VOID(CreateUnlessThere(client_, account));
  }
  if (!root_ca_.empty()) BERTH_TRY_VOID(EnsureRootCertificate(ns));
  return LookAgain();
}

Result<void> ServiceAccountController::EnsureRootCertificate(const std::string& ns) {
  const auto found = config_maps_.store().Get(ns, kRootConfigMap);
  if (!found) {
    api::ConfigMap map;
    map.metadata.name = kRootConfigMap;
    map.metadata.namespace_ = ns;
    map.data[kRootKey] = root_ca_;
    return CreateUnlessThere(client_, map);
  }
  const auto text = found->data.find(kRootKey);
  if (text != found->data.end() && text->second == root_ca_) return {};
  const nlohmann::json patch = {{"data", {{kRootKey, root_ca_}}}};
  return PatchExactly(client_, api::ConfigMap::kResource, found->metadata,
                      berth::json::DocumentText(patch));
}

}  // namespace berth::simulation
