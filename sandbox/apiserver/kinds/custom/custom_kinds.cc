// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/custom_kinds.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/custom/custom_rules.h"
#include "sandbox/apiserver/patch/field_manager.h"
#include "sandbox/apiserver/schema/parse.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kDefinitions = "customresourcedefinitions.apiextensions.k8s.io";

std::vector<std::string> TextList(const json* list) {
  return list == nullptr || !list->is_array() ? std::vector<std::string>()
                                              : list->get<std::vector<std::string>>();
}

void ReadColumns(const json& version, KindInfo& info) {
  const json* columns = At(version, "additionalPrinterColumns");
  if (columns == nullptr) {
    info.columns.push_back({"Age", "date", "", "", ".metadata.creationTimestamp", 0});
    return;
  }
  for (const json& column : *columns) {
    info.columns.push_back({column.value("name", ""), column.value("type", ""),
                            column.value("format", ""), column.value("description", ""),
                            column.value("jsonPath", ""), column.value("priority", 0)});
  }
}

void ReadSubresources(const json& version, KindInfo& info) {
  const std::vector<std::string> change = {"get", "patch", "update"};
  if (At(version, "subresources/status") != nullptr) {
    info.subresources.push_back({"status", info.Gvk(), change});
  }
}

KindPtr KindOf(const json& spec, const json& version) {
  auto info = std::make_shared<KindInfo>();
  const json& names = spec["names"];
  info->group = spec.value("group", "");
  info->version = version.value("name", "");
  info->kind = names.value("kind", "");
  info->list_kind = names.value("listKind", info->kind + "List");
  info->plural = names.value("plural", "");
  info->singular = names.value("singular", ToLower(info->kind));
  info->short_names = TextList(At(names, "shortNames"));
  info->categories = TextList(At(names, "categories"));
  info->namespaced = spec.value("scope", "") == "Namespaced";
  info->verbs = {"delete", "get", "list", "patch", "create", "update", "watch"};
  info->storage = info->Resource().ToString();
  info->generation = Generation::kContent;
  info->needs_version = true;
  info->custom = true;
  if (const json* fields = At(version, "selectableFields")) {
    for (const json& field : *fields) {
      const std::string path = field.value("jsonPath", "");
      if (path.size() > 1) info->selectable.push_back(path.substr(1));
    }
  }
  ReadColumns(version, *info);
  ReadSubresources(version, *info);
  if (const json* schema = At(version, "schema/openAPIV3Schema")) {
    Errors errors;
    info->published = std::make_shared<json>(*schema);
    info->rules = CustomRules::Compile(*schema, "", errors);
    if (auto parsed = ParseResourceSchema(*schema)) info->schema_owner = *parsed;
    info->schema = info->schema_owner.get();
  }
  return info;
}

void SetCondition(json& conditions, const char* type, const char* status, const char* reason,
                  const char* message, const std::string& now) {
  json condition = {{"type", type},
                    {"status", status},
                    {"lastTransitionTime", now},
                    {"reason", reason},
                    {"message", message}};
  for (json& existing : conditions) {
    if (existing.value("type", "") != type) continue;
    if (existing.value("status", "") == status)
      condition["lastTransitionTime"] = existing["lastTransitionTime"];
    existing = std::move(condition);
    return;
  }
  conditions.push_back(std::move(condition));
}

bool IsTrue(const json& definition, const char* type) {
  const json* conditions = At(definition, "status/conditions");
  if (conditions == nullptr || !conditions->is_array()) return false;
  return std::any_of(conditions->begin(), conditions->end(), [&](const json& condition) {
    return condition.value("type", "") == type && condition.value("status", "") == "True";
  });
}

void Save(State& state, const json& definition) {
  if (Collection* collection = state.store.Find(kDefinitions)) {
    // If the definition was removed in the meantime, its status does not matter.
    (void)collection->Update(MakeDraft(definition, {}));
  }
}

void Establish(State& state, json definition) {
  const json before = definition;
  const std::string now = state.clock.Wall().ToString();
  json& status = definition["status"];
  if (!status.contains("conditions") || !status["conditions"].is_array())
    status["conditions"] = json::array();
  SetCondition(status["conditions"], "NamesAccepted", "True", "NoConflicts", "no conflicts found",
               now);
  SetCondition(status["conditions"], "Established", "True", "InitialNamesAccepted",
               "the initial names have been accepted", now);
  status["acceptedNames"] = definition["spec"]["names"];
  const KindPtr kind = state.kinds.Find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  RecordUpdate({.schema = kind->schema,
                .kind = kind->Gvk(),
                .manager = "kube-apiserver",
                .subresource = "status",
                .now = state.clock.Wall(),
                .creating = false,
                .reset = nullptr},
               before, &definition);
  Save(state, definition);
}

// Deletes the remaining objects of a kind. Objects with finalizers are only marked, and keep their
// definition alive.
void Sweep(State& state, json definition) {
  const std::string name = TextAt(definition, "metadata/name");
  Collection* collection = state.store.Find(name);
  if (collection != nullptr) {
    const ListResult page = collection->List({});
    for (const ObjectPtr& object : page ? page->items : std::vector<ObjectPtr>()) {
      if (object->metadata.finalizers.empty()) {
        (void)collection->Delete(object->metadata.namespace_, object->metadata.name);
      } else if (!object->metadata.IsBeingDeleted()) {
        json document = ReadDocument(object->text);
        document["metadata"]["deletionTimestamp"] = state.clock.Wall().ToString();
        document["metadata"]["deletionGracePeriodSeconds"] = 0;
        (void)collection->Update(MakeDraft(document, object->metadata.fields));
      }
    }
    if (collection->size() > 0) return;
  }
  json& finalizers = definition["metadata"]["finalizers"];
  const auto cleanup = std::find(finalizers.begin(), finalizers.end(), kCleanupFinalizer);
  if (cleanup != finalizers.end()) finalizers.erase(cleanup);
  if (!finalizers.empty()) return Save(state, definition);
  if (Collection* definitions = state.store.Find(kDefinitions)) (void)definitions->Delete("", name);
  state.kinds.RemoveCustom(name);
  state.store.Remove(name);
}

}  // namespace

std::vector<KindPtr> KindsOf(const json& definition) {
  std::vector<KindPtr> kinds;
  const json& spec = definition["spec"];
  for (const json& version : spec["versions"]) {
    if (version.value("served", false)) kinds.push_back(KindOf(spec, version));
  }
  return kinds;
}

void DefaultDefinition(json& definition) {
  json& spec = definition["spec"];
  if (!spec.is_object()) return;
  json& names = spec["names"];
  if (names.is_object()) {
    const std::string kind = names.value("kind", "");
    if (names.value("singular", "").empty()) names["singular"] = ToLower(kind);
    if (names.value("listKind", "").empty() && !kind.empty()) names["listKind"] = kind + "List";
  }
  if (!spec.contains("conversion")) spec["conversion"] = {{"strategy", "None"}};
}

void RecordDefinition(State& state, const json* now, const Object* before) {
  if (now == nullptr) {
    const std::string gone = before->metadata.name;
    state.kinds.RemoveCustom(gone);
    state.store.Remove(gone);
    return;
  }
  const std::string name = TextAt(*now, "metadata/name");
  if (!TextAt(*now, "metadata/deletionTimestamp").empty()) return Sweep(state, *now);
  const json old = before == nullptr ? json() : ReadDocument(before->text);
  if (At(old, "spec") == nullptr || old["spec"] != (*now)["spec"]) {
    state.kinds.SetCustom(name, KindsOf(*now));
  }
  const json* accepted = At(*now, "status/acceptedNames");
  const bool is_current = accepted != nullptr && *accepted == (*now)["spec"]["names"];
  if (!is_current || !IsTrue(*now, "Established")) Establish(state, *now);
}

void RecordCustomGone(State& state, const KindInfo& kind) {
  const Collection* definitions = state.store.Find(kDefinitions);
  const ObjectPtr definition =
      definitions == nullptr ? nullptr : definitions->Find("", kind.storage);
  if (definition == nullptr || !definition->metadata.IsBeingDeleted()) return;
  const Collection* collection = state.store.Find(kind.storage);
  if (collection == nullptr || collection->size() == 0)
    Sweep(state, ReadDocument(definition->text));
}

}  // namespace berth::apiserver
