// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/manifests.h"

#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace berth::sandbox {
namespace {

constexpr const char* kManager = "berth-demo";
constexpr std::chrono::seconds kKindLimit(20);

}  // namespace

Result<std::vector<AppliedObject>> ManifestApplier::Apply(std::string_view text,
                                                          const std::string& source) {
  auto documents = yaml::DocumentsToJson(text);
  if (!documents) return Fail(documents.error().With(source));
  std::vector<AppliedObject> applied;
  for (const std::string& document : *documents) {
    auto one = ApplyOne(document);
    if (!one) return Fail(one.error().With(source));
    applied.push_back(std::move(*one));
  }
  return applied;
}

Result<AppliedObject> ManifestApplier::ApplyOne(const std::string& json) {
  BERTH_TRY(const api::ObjectHeader object, json::Decode<api::ObjectHeader>(json));
  BERTH_TRY(const simulation::ServedResourcePtr resource,
            ResourceOf(object.api_version, object.kind));
  AppliedObject applied{.kind = object.kind, .ns = "", .name = object.metadata.name};
  if (resource->info().namespaced) {
    applied.ns = object.metadata.namespace_.empty() ? "default" : object.metadata.namespace_;
  }
  const auto answer = client_.ApplyRaw(resource->info(), applied.ns, applied.name, json, kManager);
  if (!answer) return Fail(answer.error().With(object.kind + " " + object.metadata.name));
  return applied;
}

Result<simulation::ServedResourcePtr> ManifestApplier::ResourceOf(const std::string& api_version,
                                                                  const std::string& kind) {
  simulation::ServedResourcePtr found;
  const auto look = [&] {
    for (const simulation::ServedResourcePtr& resource : served_) {
      const api::ResourceInfo& info = resource->info();
      if (info.ApiVersion() == api_version && info.kind == kind) found = resource;
    }
    return found != nullptr;
  };
  if (look()) return found;
  BERTH_TRY_VOID(narrator_.Await("kind " + kind, kKindLimit, [&]() -> Result<std::string> {
    BERTH_TRY(served_, simulation::DiscoverResources(client_));
    return look() ? "" : "the API server does not serve " + api_version + " " + kind;
  }));
  return found;
}

}  // namespace berth::sandbox
