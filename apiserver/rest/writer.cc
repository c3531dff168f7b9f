// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/writer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/auth/aggregation.h"
#include "apiserver/kinds/custom_kinds.h"
#include "apiserver/kinds/custom_rules.h"
#include "apiserver/kinds/event_conversion.h"
#include "apiserver/kinds/strategy.h"
#include "apiserver/rest/body.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kStale =
    "the object has been modified; please apply your changes to the latest version and try again";

// What a write through this door cannot change is nobody's.
const FieldSet* ResetFields(const WriteCall& call) {
  static const FieldSet kStatus = FieldSet::Of({{"status"}});
  static const FieldSet kAllButStatus = FieldSet::Of({{"spec"}});
  if (!call.kind->HasStatus()) return nullptr;
  return call.subresource == "status" ? &kAllButStatus : &kStatus;
}

// A PUT to a name that is free makes these.
bool CreatesOnUpdate(const KindInfo& kind) {
  static constexpr std::string_view kKinds[] = {"Lease",       "Event",       "Endpoints",
                                                "Service",     "LimitRange",  "Role",
                                                "RoleBinding", "ClusterRole", "ClusterRoleBinding"};
  return !kind.custom &&
         std::find(std::begin(kKinds), std::end(kKinds), kind.kind) != std::end(kKinds);
}

// A PUT without a version overwrites; not for these.
bool NeedsVersion(const KindInfo& kind) {
  return kind.custom || kind.group == "apiextensions.k8s.io" ||
         kind.group == "admissionregistration.k8s.io" || kind.kind == "PodDisruptionBudget" ||
         kind.kind == "Lease" || kind.kind == "PriorityClass";
}

bool HasFinalizers(const json& document) {
  const json* list = At(document, "metadata/finalizers");
  const json* of_namespace = At(document, "kind")->get_ref<const std::string&>() == "Namespace"
                                 ? At(document, "spec/finalizers")
                                 : nullptr;
  return (list != nullptr && !list->empty()) || (of_namespace != nullptr && !of_namespace->empty());
}

}  // namespace

FieldWrite FieldWriteOf(const WriteCall& call, Time now, bool creating) {
  return {.schema = call.kind->schema,
          .kind = call.kind->Gvk(),
          .manager = call.options.manager,
          .subresource = call.subresource,
          .now = now,
          .creating = creating,
          .reset = ResetFields(call)};
}

std::string UidMismatch(const WriteCall& call, const std::string& wanted,
                        const std::string& found) {
  return "StorageError: invalid object, Code: 4, Key: /registry/" + call.kind->plural + "/" +
         KeyOf(call.namespace_, call.name) +
         ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " +
         "UID in precondition: " + wanted + ", UID in object meta: " + found;
}

StatusError Writer::NotFoundError(const WriteCall& call) const {
  return NotFound(call.kind->Resource(), call.name);
}

AdmissionRequest Writer::RequestOf(const WriteCall& call, const char* operation,
                                   const json* old) const {
  return {.kind = call.kind,
          .operation = operation,
          .namespace_ = call.namespace_,
          .name = call.name,
          .subresource = call.subresource,
          .user = call.user,
          .dry_run = call.options.dry_run,
          .old = old,
          .warnings = call.warnings};
}

std::string Writer::Text(const KindInfo& kind, const std::string& text) const {
  if (!IsEventsV1(kind)) return text;
  json event = json::parse(text);
  EventFromStored(event);
  return event.dump(-1, ' ', false, json::error_handler_t::replace);
}

Answer<void> Writer::CheckIdentity(const WriteCall& call, json& document) const {
  json& metadata = document["metadata"];
  const std::string name_space = metadata.value("namespace", "");
  if (!name_space.empty() && name_space != call.namespace_) {
    return Refuse(BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  if (call.kind->namespaced)
    metadata["namespace"] = call.namespace_;
  else
    metadata.erase("namespace");
  const std::string name = metadata.value("name", "");
  if (call.name.empty() || name == call.name) return {};
  if (!name.empty()) {
    return Refuse(BadRequest("the name of the object (" + name +
                             ") does not match the name on the URL (" + call.name + ")"));
  }
  metadata["name"] = call.name;
  return {};
}

void Writer::StampNew(const WriteCall& call, json& document) {
  json& metadata = document["metadata"];
  for (const char* field :
       {"resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    metadata.erase(field);
  }
  metadata["uid"] = state_.random.Uid();
  metadata["creationTimestamp"] = state_.clock.Wall().ToString();
  const std::string prefix = metadata.value("generateName", "");
  if (!metadata.value("name", "").empty() || prefix.empty()) return;
  // Free by construction as long as there is one: a taken name is drawn again.
  const Collection& collection = state_.CollectionOf(*call.kind);
  std::string name;
  for (int attempt = 0; attempt < 8; ++attempt) {
    name = prefix.substr(0, 58) + state_.random.Suffix(5);
    if (collection.Find(call.namespace_, name) == nullptr) break;
  }
  metadata["name"] = name;
}

Answer<Written> Writer::Create(const WriteCall& call, json document) {
  const auto admitted =
      AdmitDocument(*call.kind, call.options.validation, *call.warnings, document);
  if (!admitted) return Refuse(admitted.error());
  if (const auto same = CheckIdentity(call, document); !same) return Refuse(same.error());
  if (!document["metadata"].value("resourceVersion", "").empty()) {
    return Refuse(BadRequest("resourceVersion should not be set on objects to be created"));
  }
  document["metadata"].erase("managedFields");
  if (call.kind->schema != nullptr) {
    RecordUpdate(FieldWriteOf(call, state_.clock.Wall(), true), json::object(), &document);
  }
  return CreatePrepared(call, std::move(document));
}

Answer<Written> Writer::CreatePrepared(const WriteCall& call, json document) {
  const AdmissionRequest request = RequestOf(call, "CREATE", nullptr);
  StampNew(call, document);
  if (const auto admitted = MutateOnAdmission(state_, request, document); !admitted) {
    return Refuse(admitted.error());
  }
  PrepareCreate(*call.kind, document, state_.clock.Wall());
  Problems problems = ValidateCreate(*call.kind, document);
  ValidateContent(*call.kind, document, nullptr, problems);
  const std::string name = document["metadata"].value("name", "");
  if (!problems.empty()) return Refuse(Invalid(call.kind->group, call.kind->kind, name, problems));
  if (const auto admitted = ValidateOnAdmission(state_, request, &document); !admitted) {
    return Refuse(admitted.error());
  }
  if (IsEventsV1(*call.kind)) EventToStored(document);
  Draft draft = MakeDraft(document, FieldValues(*call.kind, document));
  Collection& collection = state_.CollectionOf(*call.kind);
  if (collection.Find(call.namespace_, name) != nullptr) {
    return Refuse(AlreadyExists(call.kind->Resource(), name));
  }
  if (call.options.dry_run) return Written{Text(*call.kind, draft.text), true};
  const auto created = collection.Create(std::move(draft));
  if (!created) return Refuse(FromError(created.error()));
  NoteChange(state_, *call.kind, &document, nullptr);
  return Written{Text(*call.kind, (*created)->text), true};
}

Answer<Written> Writer::Update(const WriteCall& call, json document) {
  const auto admitted =
      AdmitDocument(*call.kind, call.options.validation, *call.warnings, document);
  if (!admitted) return Refuse(admitted.error());
  if (const auto same = CheckIdentity(call, document); !same) return Refuse(same.error());
  if (IsEventsV1(*call.kind)) EventToStored(document);
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (live == nullptr) {
    if (!CreatesOnUpdate(*call.kind) || !call.subresource.empty())
      return Refuse(NotFoundError(call));
    document["metadata"].erase("resourceVersion");
    return Create(call, std::move(document));
  }
  const std::string uid = document["metadata"].value("uid", "");
  if (!uid.empty() && uid != live->metadata.uid) {
    return Refuse(
        Conflict(call.kind->Resource(), call.name, UidMismatch(call, uid, live->metadata.uid)));
  }
  const bool versioned = !document["metadata"].value("resourceVersion", "").empty();
  if (!versioned && NeedsVersion(*call.kind)) {
    const Problems problems = {
        InvalidField("metadata.resourceVersion", "0", "must be specified for an update")};
    return Refuse(Invalid(call.kind->group, call.kind->plural, call.name, problems));
  }
  return Adopt(call, live, json::parse(live->text), std::move(document), false);
}

Answer<Written> Writer::Adopt(const WriteCall& call, const ObjectPtr& live, const json& old,
                              json document, bool applied) {
  const std::string version = document["metadata"].value("resourceVersion", "");
  if (!version.empty() && version != std::to_string(live->version)) {
    return Refuse(Conflict(call.kind->Resource(), call.name, kStale));
  }
  if (!applied && call.kind->schema != nullptr) {
    RecordUpdate(FieldWriteOf(call, state_.clock.Wall(), false), old, &document);
  }
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds", "generation"}) {
    if (!document["metadata"].contains(field) && old["metadata"].contains(field)) {
      document["metadata"][field] = old["metadata"][field];
    }
  }
  document["metadata"].erase("selfLink");
  const AdmissionRequest request = RequestOf(call, "UPDATE", &old);
  if (const auto admitted = MutateOnAdmission(state_, request, document); !admitted) {
    return Refuse(admitted.error());
  }
  PrepareUpdate(*call.kind, call.subresource, document, old);
  Problems problems = ValidateUpdate(*call.kind, call.subresource, document, old);
  ValidateContent(*call.kind, document, &old, problems);
  if (!problems.empty()) {
    return Refuse(Invalid(call.kind->group, call.kind->kind, call.name, problems));
  }
  if (const auto admitted = ValidateOnAdmission(state_, request, &document); !admitted) {
    return Refuse(admitted.error());
  }
  return Store(call, live, std::move(document));
}

Answer<Written> Writer::Store(const WriteCall& call, const ObjectPtr& live, json document) {
  // The last finalizer of an object that is being deleted is what kept it.
  const bool going = live->metadata.IsBeingDeleted() && !HasFinalizers(document) &&
                     IntAt(document, "metadata/deletionGracePeriodSeconds") == 0;
  Draft draft = MakeDraft(document, FieldValues(*call.kind, document));
  Collection& collection = state_.CollectionOf(*call.kind);
  if (going) {
    if (!call.options.dry_run) {
      const auto removed = collection.Delete(live->metadata.namespace_, live->metadata.name);
      if (!removed) return Refuse(FromError(removed.error()));
      NoteChange(state_, *call.kind, nullptr, &document);
    }
    document["metadata"]["resourceVersion"] = std::to_string(live->version);
    return Written{Text(*call.kind, document.dump()), false};
  }
  if (call.options.dry_run) {
    const ObjectPtr shown = MakeObject(std::move(draft), live->version);
    return Written{Text(*call.kind, shown->text), false};
  }
  const auto updated = collection.Update(std::move(draft), live->version);
  if (!updated) return Refuse(FromError(updated.error()));
  if (*updated != live) {
    const json before = json::parse(live->text);
    NoteChange(state_, *call.kind, &document, &before);
  }
  return Written{Text(*call.kind, (*updated)->text), false};
}

Answer<Written> Writer::Change(const WriteCall& call,
                               const std::function<Answer<void>(json&)>& change) {
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (live == nullptr) return Refuse(NotFoundError(call));
  const json old = json::parse(live->text);
  json document = old;
  if (const auto changed = change(document); !changed) return Refuse(changed.error());
  if (call.kind->schema != nullptr && call.subresource != "binding") {
    RecordUpdate(FieldWriteOf(call, state_.clock.Wall(), false), old, &document);
  }
  return Store(call, live, std::move(document));
}

void NoteChange(State& state, const KindInfo& kind, const json* now, const json* before) {
  if (kind.group == "rbac.authorization.k8s.io") state.authorizer.Forget();
  if (kind.kind == "ClusterRole") AggregateRoles(state);
  if (kind.group == "admissionregistration.k8s.io") state.policies.Forget();
  if (kind.kind == "CustomResourceDefinition") NoteDefinition(state, now, before);
  if (kind.custom && now == nullptr) NoteCustomGone(state, kind);
}

std::vector<std::string> FieldValues(const KindInfo& kind, const json& document) {
  std::vector<std::string> values;
  for (const std::string& field : kind.selectable) {
    std::string path = field;
    std::replace(path.begin(), path.end(), '.', '/');
    const json* value = At(document, path);
    if (field == "source") value = At(document, "source/component");
    if (value == nullptr || value->is_null()) {
      const bool boolean = field == "spec.unschedulable" || field == "spec.hostNetwork";
      values.push_back(boolean ? "false" : field.starts_with("status.replicas") ? "0" : "");
    } else {
      values.push_back(value->is_string() ? value->get<std::string>() : value->dump());
    }
  }
  return values;
}

}  // namespace berth::apiserver
