// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/strategy.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/reset_fields.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/metadata_rules.h"
#include "sandbox/apiserver/schema/defaults.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void KeepStatus(const KindInfo& kind, json& object, const json& old) {
  if (!kind.HasStatus()) return;
  if (old.contains("status"))
    object["status"] = old["status"];
  else
    object.erase("status");
}

// For a status write: keeps all fields except metadata and status.
void KeepAllButStatus(json& object, const json& old) {
  json kept = json::object();
  if (const auto status = object.find("status"); status != object.end() && !status->is_null())
    kept["status"] = std::move(*status);
  for (const auto& [key, value] : old.items()) {
    if (key != "metadata" && key != "status") kept[key] = value;
  }
  kept["metadata"] = std::move(object["metadata"]);
  object = std::move(kept);
}

// Reports whether the desired state is the same: all but metadata and, if it is a subresource,
// status.
bool AsksTheSame(const KindInfo& kind, const json& object, const json& old) {
  const auto is_asked = [&](const std::string& key) {
    return key != "metadata" && (key != "status" || !kind.HasStatus());
  };
  for (const auto& [key, value] : object.items()) {
    const auto before = old.find(key);
    if (is_asked(key) && (before == old.end() || *before != value)) return false;
  }
  for (const auto& [key, value] : old.items()) {
    if (is_asked(key) && !object.contains(key)) return false;
  }
  return true;
}

bool CountsAs(const KindInfo& kind, const json& object, const json& old) {
  const auto changed = [&](const char* path) {
    static const json kNone = json::object();
    const json* now = At(object, path);
    const json* before = At(old, path);
    return (now == nullptr ? kNone : *now) != (before == nullptr ? kNone : *before);
  };
  switch (kind.generation) {
    case Generation::kUncounted:
    case Generation::kConstant:
      return false;
    case Generation::kContentOrAnnotations:
      if (changed("metadata/annotations")) return true;
      break;
    case Generation::kContent:
    case Generation::kContentFromNone:
      break;
  }
  return !AsksTheSame(kind, object, old);
}

// Keeps the first of equal errors. Source: apimachinery pkg/util/validation/field/errors.go,
// ErrorList.Filter, which apiserver calls for kinds with declared rules.
Errors WithoutRepeats(const Errors& errors) {
  Errors kept;
  for (const FieldError& error : errors) {
    if (std::find(kept.begin(), kept.end(), error) == kept.end()) kept.push_back(error);
  }
  return kept;
}

}  // namespace

const Strategy& StrategyOf(const KindInfo& kind) {
  static const Strategy kPlain;
  if (kind.custom) return kPlain;
  for (const auto& find : {PodStrategy, WorkloadStrategy, ServiceStrategy, VolumeStrategy,
                           BudgetStrategy, CoreStrategy, PriorityStrategy, RbacStrategy,
                           DefinitionStrategy, AdmissionPolicyStrategy}) {
    if (const Strategy* found = find(kind)) return *found;
  }
  return kPlain;
}

void PrepareCreate(const KindInfo& kind, json& object, Time now) {
  // A kubelet creates its node with a status.
  const bool keeps_status = kind.kind == "Node" && kind.group.empty();
  if (kind.HasStatus() && !keeps_status) {
    object.erase("status");
    if (!kind.custom && kind.schema != nullptr) {
      const json empty = EmptyObject(*kind.schema);
      if (empty.contains("status")) object["status"] = empty["status"];
    }
  }
  const bool counted =
      kind.generation != Generation::kUncounted && kind.generation != Generation::kContentFromNone;
  if (counted) object["metadata"]["generation"] = 1;
  if (const Strategy& strategy = StrategyOf(kind); strategy.prepare_create != nullptr) {
    strategy.prepare_create(object, now);
  }
}

void PrepareUpdate(const KindInfo& kind, std::string_view subresource, json& object,
                   const json& old) {
  if (subresource == "status") {
    KeepAllButStatus(object, old);
    KeepStatusMetadata(kind, object["metadata"], old);
  } else {
    KeepStatus(kind, object, old);
  }
  const Strategy& strategy = StrategyOf(kind);
  if (strategy.prepare_update != nullptr && subresource.empty())
    strategy.prepare_update(object, old);
  if (subresource != "status" && CountsAs(kind, object, old))
    object["metadata"]["generation"] = IntAt(old, "metadata/generation") + 1;
}

Errors ValidateCreate(const KindInfo& kind, const json& object) {
  Errors errors;
  const Strategy& strategy = StrategyOf(kind);
  ValidateMetadata(strategy.names, object, errors);
  if (strategy.validate != nullptr) strategy.validate(object, errors);
  return WithoutRepeats(errors);
}

Errors ValidateUpdate(const KindInfo& kind, std::string_view subresource, const json& object,
                      const json& old) {
  Errors errors;
  const Strategy& strategy = StrategyOf(kind);
  ValidateMetadataUpdate(object, old, errors);
  if (!subresource.empty()) return errors;
  if (strategy.validate != nullptr && !strategy.checks_updates_apart)
    strategy.validate(object, errors);
  if (strategy.validate_update != nullptr) strategy.validate_update(object, old, errors);
  return WithoutRepeats(errors);
}

}  // namespace berth::apiserver
