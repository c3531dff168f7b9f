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
                                                   client::Informer<api::Namespace>& namespaces,
                                                   client::Informer<api::ServiceAccount>& accounts,
                                                   client::Informer<api::ConfigMap>& config_maps,
                                                   std::string root_ca, const Clock& clock)
    : client_(client),
      namespaces_(namespaces),
      accounts_(accounts),
      config_maps_(config_maps),
      root_ca_(std::move(root_ca)),
      loop_("Namespace accounts", clock, 1,
            [this](const std::string& ns) { return Reconcile(ns); }) {
  namespaces_.Listen([this](const api::Change<api::Namespace>& change) {
    loop_.Add(change.newest().metadata.name);
  });
  accounts_.Listen([this](const api::Change<api::ServiceAccount>& change) {
    const api::ObjectMeta& account = change.newest().metadata;
    if (change.type == api::ChangeType::kDeleted && account.name == kAccount) {
      loop_.Add(account.namespace_);
    }
  });
  config_maps_.Listen([this](const api::Change<api::ConfigMap>& change) {
    const api::ObjectMeta& map = change.newest().metadata;
    if (map.name == kRootConfigMap) loop_.Add(map.namespace_);
  });
}

Result<RequeueAfter> ServiceAccountController::Reconcile(const std::string& ns) {
  const auto found = namespaces_.store().Get("", ns);
  if (!found || found->metadata.deletion_timestamp) return RequeueAfter();
  if (!accounts_.synced() || !config_maps_.synced()) {
    return RequeueAfter(std::chrono::milliseconds(50));
  }
  if (!accounts_.store().Get(ns, kAccount)) {
    api::ServiceAccount account;
    account.metadata.name = kAccount;
    account.metadata.namespace_ = ns;
    BERTH_TRY_VOID(CreateUnlessThere(client_, account));
  }
  if (!root_ca_.empty()) BERTH_TRY_VOID(EnsureRootCertificate(ns));
  return RequeueAfter();
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
