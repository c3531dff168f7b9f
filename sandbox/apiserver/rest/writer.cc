// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/writer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/event_conversion.h"
#include "sandbox/apiserver/kinds/builtin/reset_fields.h"
#include "sandbox/apiserver/kinds/custom/custom_kinds.h"
#include "sandbox/apiserver/kinds/strategy.h"
#include "sandbox/apiserver/kinds/validation.h"
#include "sandbox/apiserver/rest/request/body.h"
#include "sandbox/apiserver/rest/system_fields.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kStale =
    "the object has been modified; please apply your changes to the latest version and try again";

StatusError Taken(const WriteCall& call, const Object& live) {
  StatusError error = AlreadyExists(call.kind->Resource(), live.metadata.name);
  if (live.metadata.IsBeingDeleted()) error.message = "object is being deleted: " + error.message;
  return error;
}

bool HasFinalizers(const json& document) {
  const json* list = At(document, "metadata/finalizers");
  const json* of_namespace = At(document, "kind")->get_ref<const std::string&>() == "Namespace"
                                 ? At(document, "spec/finalizers")
                                 : nullptr;
  return (list != nullptr && !list->empty()) || (of_namespace != nullptr && !of_namespace->empty());
}

}  // namespace

json ReadObject(const Object& object) { return ReadDocument(object.text); }

FieldWrite FieldWriteOf(const WriteCall& call, Time now, bool creating) {
  return {.schema = call.kind->schema,
          .kind = call.kind->Gvk(),
          .manager = call.options.manager,
          .subresource = call.subresource,
          .now = now,
          .creating = creating,
          .reset = ResetFields(*call.kind, call.subresource)};
}

std::string UidMismatch(const std::string& wanted, const std::string& found) {
  return "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + found;
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
  json object = ReadDocument(text);
  EventFromStored(object);
  return DocumentText(object);
}

Answer<void> Writer::CheckIdentity(const WriteCall& call, json& document) const {
  json& metadata = document["metadata"];
  if (call.kind->namespaced) {
    const std::string name_space = metadata.value("namespace", "");
    if (!name_space.empty() && name_space != call.namespace_) {
      return Reject(BadRequest(
          "the namespace of the provided object does not match the namespace sent on the request"));
    }
    metadata["namespace"] = call.namespace_;
  } else {
    metadata.erase("namespace");
  }
  const std::string name = metadata.value("name", "");
  if (call.name.empty() || name == call.name) return {};
  if (name.empty()) {
    return Reject(BadRequest("the name of the object (" + call.name +
                             " based on URL) was undeterminable: name must be provided"));
  }
  return Reject(BadRequest("the name of the object (" + name +
                           ") does not match the name on the URL (" + call.name + ")"));
}

void Writer::StampNew(const WriteCall& call, json& document) {
  json& metadata = document["metadata"];
  WipeSystemFields(metadata);
  metadata["uid"] = state_.random.Uid();
  metadata["creationTimestamp"] = state_.clock.Wall().ToString();
  const std::string prefix = metadata.value("generateName", "");
  if (!metadata.value("name", "").empty() || prefix.empty()) return;
  // A name that is taken is drawn again.
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
  if (!admitted) return Reject(admitted.error());
  if (const auto same = CheckIdentity(call, document); !same) return Reject(same.error());
  WipeSystemFields(document["metadata"]);
  return CreateDecoded(call, std::move(document));
}

Answer<Written> Writer::CreateDecoded(const WriteCall& call, json document) {
  document["metadata"].erase("managedFields");
  if (call.kind->schema != nullptr) {
    RecordUpdate(FieldWriteOf(call, state_.clock.Wall(), true), json::object(), &document);
  }
  return CreatePrepared(call, std::move(document));
}

Answer<Written> Writer::CreatePrepared(const WriteCall& call, json document) {
  const AdmissionRequest request = RequestOf(call, "CREATE", nullptr);
  if (const auto admitted = MutateOnAdmission(state_, request, document); !admitted) {
    return Reject(admitted.error());
  }
  StampNew(call, document);
  PrepareCreate(*call.kind, document, state_.clock.Wall());
  const Errors errors = ValidateDocument(*call.kind, "", document, nullptr);
  const std::string name = document["metadata"].value("name", "");
  if (!errors.empty()) return Reject(InvalidDocument(*call.kind, name, document, errors));
  if (const auto admitted = ValidateOnAdmission(state_, request, &document); !admitted) {
    return Reject(admitted.error());
  }
  // A malformed version counts as absent.
  if (VersionOf(document).value_or(0) != 0) {
    return Reject(Unclassified("resourceVersion should not be set on objects to be created"));
  }
  document["metadata"].erase("resourceVersion");
  if (IsEventsV1(*call.kind)) EventToStored(document);
  Draft draft = MakeDraft(document, FieldValues(*call.kind, document));
  Collection& collection = state_.CollectionOf(*call.kind);
  if (const ObjectPtr taken = collection.Find(call.namespace_, name))
    return Reject(Taken(call, *taken));
  if (call.options.dry_run) return Written{Text(*call.kind, draft.text), true};
  const auto created = collection.Create(std::move(draft));
  if (!created) return Reject(FromError(created.error()));
  RecordChange(state_, *call.kind, &document, nullptr);
  return Written{Text(*call.kind, (*created)->text), true};
}

Answer<Written> Writer::Update(const WriteCall& call, json document) {
  const auto admitted =
      AdmitDocument(*call.kind, call.options.validation, *call.warnings, document);
  if (!admitted) return Reject(admitted.error());
  if (const auto same = CheckIdentity(call, document); !same) return Reject(same.error());
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  const bool makes = call.kind->made_by_update && call.subresource.empty();
  if (live == nullptr && !makes) return Reject(NotFoundError(call));
  const std::string uid = TextAt(document, "metadata/uid");
  const std::string live_uid = live == nullptr ? "" : live->metadata.uid;
  if (!uid.empty() && uid != live_uid)
    return Reject(Conflict(call.kind->Resource(), call.name, UidMismatch(uid, live_uid)));
  if (live == nullptr) {
    document["metadata"].erase("resourceVersion");
    return CreateDecoded(call, std::move(document));
  }
  if (IsEventsV1(*call.kind)) EventToStored(document);
  return Adopt(call, live, ReadObject(*live), std::move(document), false);
}

Answer<void> Writer::CheckVersion(const WriteCall& call, const Object& live,
                                  const json& document) const {
  const auto version = VersionOf(document);
  if (!version) return Reject(version.error());
  if (*version == live.version || (*version == 0 && !call.kind->needs_version)) return {};
  if (*version != 0) return Reject(Conflict(call.kind->Resource(), call.name, kStale));
  const Errors errors = {
      FieldError::InvalidJson("metadata.resourceVersion", "0", "must be specified for an update")};
  return Reject(Invalid(call.kind->group, call.kind->plural, call.name, errors));
}

Answer<Written> Writer::Adopt(const WriteCall& call, const ObjectPtr& live, const json& old,
                              json document, bool applied, const AdmissionView* view) {
  if (const auto current = CheckVersion(call, *live, document); !current)
    return Reject(current.error());
  if (!applied && call.kind->schema != nullptr) {
    RecordUpdate(FieldWriteOf(call, state_.clock.Wall(), false), old, &document);
  }
  KeepSystemFields(old["metadata"], document["metadata"]);
  const AdmissionRequest request = RequestOf(call, "UPDATE", &old);
  if (const auto admitted = MutateOnAdmission(state_, request, document); !admitted) {
    return Reject(admitted.error());
  }
  PrepareUpdate(*call.kind, call.subresource, document, old);
  const Errors errors = ValidateDocument(*call.kind, call.subresource, document, &old);
  if (!errors.empty()) return Reject(InvalidDocument(*call.kind, call.name, document, errors));
  AdmissionRequest shown = request;
  if (view != nullptr) shown.old = &view->old;
  const json* now = view != nullptr ? &view->now : &document;
  if (const auto admitted = ValidateOnAdmission(state_, shown, now); !admitted) {
    return Reject(admitted.error());
  }
  return Store(call, live, std::move(document));
}

Answer<Written> Writer::Store(const WriteCall& call, const ObjectPtr& live, json document) {
  // Removing the last finalizer removes an object that is being deleted.
  const bool going = live->metadata.IsBeingDeleted() && !HasFinalizers(document) &&
                     IntAt(document, "metadata/deletionGracePeriodSeconds") == 0;
  if (!going) return Put(call, live, std::move(document));
  if (!call.options.dry_run) {
    const auto removed =
        state_.CollectionOf(*call.kind).Delete(live->metadata.namespace_, live->metadata.name);
    if (!removed) return Reject(FromError(removed.error()));
    RecordChange(state_, *call.kind, nullptr, live.get());
  }
  document["metadata"]["resourceVersion"] = std::to_string(live->version);
  return Written{Text(*call.kind, DocumentText(document)), false};
}

Answer<Written> Writer::Put(const WriteCall& call, const ObjectPtr& live, json document) {
  Draft draft = MakeDraft(document, FieldValues(*call.kind, document));
  if (call.options.dry_run) {
    const ObjectPtr shown = MakeObject(std::move(draft), live->version);
    return Written{Text(*call.kind, shown->text), false};
  }
  const auto updated = state_.CollectionOf(*call.kind).Update(std::move(draft), live->version);
  if (!updated) return Reject(FromError(updated.error()));
  if (*updated != live) RecordChange(state_, *call.kind, &document, live.get());
  return Written{Text(*call.kind, (*updated)->text), false};
}

Answer<Written> Writer::Change(const WriteCall& call,
                               const std::function<Answer<void>(json&)>& change,
                               Ownership ownership) {
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (live == nullptr) return Reject(NotFoundError(call));
  const json old = ReadObject(*live);
  json document = old;
  if (const auto changed = change(document); !changed) return Reject(changed.error());
  if (call.kind->schema != nullptr && ownership == Ownership::kRecorded) {
    RecordUpdate(FieldWriteOf(call, state_.clock.Wall(), false), old, &document);
  }
  return Store(call, live, std::move(document));
}

void RecordChange(State& state, const KindInfo& kind, const json* now, const Object* before) {
  if (kind.group == "rbac.authorization.k8s.io") state.authorizer.Forget();
  if (kind.group == "admissionregistration.k8s.io") state.policies.Forget();
  if (kind.kind == "CustomResourceDefinition") RecordDefinition(state, now, before);
  if (kind.custom && now == nullptr) RecordCustomGone(state, kind);
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
      values.emplace_back(boolean ? "false" : field.starts_with("status.replicas") ? "0" : "");
    } else {
      values.push_back(value->is_string() ? value->get<std::string>() : DocumentText(*value));
    }
  }
  return values;
}

}  // namespace berth::apiserver
