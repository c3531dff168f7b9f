// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/namespace_controller.h"

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/json/json.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

constexpr int kNamespaceWorkers = 2;
constexpr std::chrono::milliseconds kUntilEmpty(500);

}  // namespace

NamespaceController::NamespaceController(client::Client& client,
                                         client::Informer<api::Namespace>& namespaces,
                                         const Clock& clock)
    : client_(client),
      namespaces_(namespaces),
      loop_("Namespace", clock, kNamespaceWorkers,
            [this](const std::string& name) { return Reconcile(name); }) {
  namespaces_.Listen([this](const api::Change<api::Namespace>& change) {
    const api::ObjectMeta& ns = change.newest().metadata;
    if (ns.deletion_timestamp) loop_.Add(ns.name);
  });
}

Result<RequeueAfter> NamespaceController::Reconcile(const std::string& name) {
  const auto ns = namespaces_.store().Get("", name);
  if (!ns || !ns->metadata.deletion_timestamp) return RequeueAfter();
  BERTH_TRY(const size_t left, Empty(name));
  if (left > 0) return RequeueAfter(kUntilEmpty);
  BERTH_TRY_VOID(Finalize(name));
  return RequeueAfter();
}

Result<size_t> NamespaceController::Empty(const std::string& ns) {
  BERTH_TRY(const std::vector<ServedResourcePtr> resources, DiscoverResources(client_));
  size_t left = 0;
  for (const ServedResourcePtr& resource : resources) {
    if (!resource->info().namespaced || !resource->Can("list") || !resource->Can("delete"))
      continue;
    BERTH_TRY(const size_t of_kind, EmptyOf(*resource, ns));
    left += of_kind;
  }
  return left;
}

Result<size_t> NamespaceController::EmptyOf(const ServedResource& resource, const std::string& ns) {
  BERTH_TRY(const client::RawList before, client_.ListRaw(resource.info(), ns, {}));
  if (before.items.empty()) return size_t{0};
  for (const std::string& text : before.items) {
    BERTH_TRY(const api::ObjectHeader object, json::Decode<api::ObjectHeader>(text));
    if (object.metadata.deletion_timestamp) continue;
    api::DeleteOptions options;
    options.propagation_policy = "Background";
    BERTH_TRY_VOID(DeleteExactly(client_, resource.info(), object.metadata, options));
  }
  BERTH_TRY(const client::RawList after, client_.ListRaw(resource.info(), ns, {}));
  return after.items.size();
}

Result<void> NamespaceController::Finalize(const std::string& ns) {
  BERTH_TRY(const std::string text,
            client_.Call(client::GetRequest(api::Namespace::kResource, "", ns)));
  Json object = berth::json::ReadDocument(text);
  object["spec"]["finalizers"] = Json::array();
  return Ignored(client_.Call(client::UpdateRequest(
      api::Namespace::kResource, "", ns, berth::json::DocumentText(object), "finalize")));
}

}  // namespace berth::simulation
