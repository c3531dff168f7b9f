// SPDX-License-Identifier: Apache-2.0
#include "apiserver/kinds/strategy.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/metadata_rules.h"
#include "apiserver/schema/defaults.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string Dotted(std::string_view path) {
  std::string text(path);
  std::replace(text.begin(), text.end(), '/', '.');
  return text;
}

bool IsCustomStatusUpdate(const KindInfo& kind, std::string_view subresource) {
  return kind.custom && subresource == "status";
}

void KeepStatus(const KindInfo& kind, json& object, const json& old) {
  if (!kind.HasStatus()) return;
  if (old.contains("status"))
    object["status"] = old["status"];
  else
    object.erase("status");
}

// What is asked for: everything but metadata and, where it has its own door, status.
json DesiredPart(const KindInfo& kind, const json& object) {
  json part = object;
  part.erase("metadata");
  if (kind.HasStatus()) part.erase("status");
  return part;
}

}  // namespace

const json* At(const json& object, std::string_view path) {
  const json* at = &object;
  for (const std::string_view step : Split(path, '/')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(step);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string TextAt(const json& object, std::string_view path) {
  const json* value = At(object, path);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

int64_t IntAt(const json& object, std::string_view path, int64_t otherwise) {
  const json* value = At(object, path);
  return value != nullptr && value->is_number_integer() ? value->get<int64_t>() : otherwise;
}

void CheckUnchanged(const json& object, const json& old, std::string_view path,
                    Problems& problems) {
  static const json kNull;
  const json* now = At(object, path);
  const json* before = At(old, path);
  if ((now == nullptr ? kNull : *now) == (before == nullptr ? kNull : *before)) return;
  problems.push_back(ImmutableField(Dotted(path), now == nullptr ? kNull : *now));
}

const Strategy& StrategyOf(const KindInfo& kind) {
  static const Strategy kPlain;
  if (kind.custom) return kPlain;
  for (const auto& find : {PodStrategy, WorkloadStrategy, CoreStrategy, PolicyStrategy}) {
    if (const Strategy* found = find(kind)) return *found;
  }
  return kPlain;
}

void PrepareCreate(const KindInfo& kind, json& object, Time now) {
  // A kubelet makes its node with the status at once.
  const bool keeps_status = kind.kind == "Node" && kind.group.empty();
  if (kind.HasStatus() && !keeps_status) {
    object.erase("status");
    if (!kind.custom && kind.schema != nullptr) {
      const json empty = EmptyObject(*kind.schema);
      if (empty.contains("status")) object["status"] = empty["status"];
    }
  }
  if (kind.counts_generation)
    object["metadata"]["generation"] = 1;
  else
    object["metadata"].erase("generation");
  if (const Strategy& strategy = StrategyOf(kind); strategy.prepare_create != nullptr) {
    strategy.prepare_create(object, now);
  }
}

void PrepareUpdate(const KindInfo& kind, std::string_view subresource, json& object,
                   const json& old) {
  if (subresource == "status") {
    json status = object.contains("status") ? std::move(object["status"]) : json();
    json metadata = std::move(object["metadata"]);
    object = old;
    if (status.is_null())
      object.erase("status");
    else
      object["status"] = std::move(status);
    if (IsCustomStatusUpdate(kind, subresource)) {
      // Of the metadata a custom resource's status door takes nothing but who wrote it.
      if (metadata.contains("managedFields")) {
        object["metadata"]["managedFields"] = metadata["managedFields"];
      }
    } else {
      object["metadata"] = std::move(metadata);
    }
  } else {
    KeepStatus(kind, object, old);
  }
  const Strategy& strategy = StrategyOf(kind);
  if (strategy.prepare_update != nullptr && subresource != "status") {
    strategy.prepare_update(object, old);
  }
  if (!kind.counts_generation) return;
  const int64_t generation = IntAt(old, "metadata/generation");
  const bool changed =
      subresource != "status" && DesiredPart(kind, object) != DesiredPart(kind, old);
  object["metadata"]["generation"] = generation + (changed ? 1 : 0);
}

Problems ValidateCreate(const KindInfo& kind, const json& object) {
  Problems problems;
  const Strategy& strategy = StrategyOf(kind);
  ValidateMetadata(kind, strategy.names, object, problems);
  if (strategy.validate != nullptr) strategy.validate(object, problems);
  return problems;
}

Problems ValidateUpdate(const KindInfo& kind, std::string_view subresource, const json& object,
                        const json& old) {
  Problems problems;
  const Strategy& strategy = StrategyOf(kind);
  ValidateMetadataUpdate(kind, strategy.names, object, old, problems);
  if (subresource == "status") return problems;
  if (strategy.validate != nullptr) strategy.validate(object, problems);
  if (strategy.validate_update != nullptr) strategy.validate_update(object, old, problems);
  return problems;
}

}  // namespace berth::apiserver
