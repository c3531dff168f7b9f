// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/custom_kinds.h"
#include "apiserver/kinds/strategy.h"
#include "apiserver/rest/writer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kOrphan = "orphan";
constexpr const char* kForeground = "foregroundDeletion";

// These give the object that was deleted; others a Status.
bool ReturnsDeleted(const KindInfo& kind) {
  static constexpr std::string_view kKinds[] = {
      "Pod",           "Service",          "ServiceAccount",       "PodTemplate",
      "ResourceQuota", "PersistentVolume", "PersistentVolumeClaim"};
  return !kind.custom &&
         std::find(std::begin(kKinds), std::end(kKinds), kind.kind) != std::end(kKinds);
}

Answer<void> CheckPreconditions(const WriteCall& call, const DeleteOptions& options,
                                const Object& live) {
  const auto refuse = [&](std::string why) {
    return Refuse(Conflict({call.kind->group, call.kind->kind}, call.name, why));
  };
  if (!options.uid.empty() && options.uid != live.metadata.uid) {
    return refuse("the UID in the precondition (" + options.uid +
                  ") does not match the UID in record (" + live.metadata.uid +
                  "). The object might have been deleted and then recreated");
  }
  const std::string version = std::to_string(live.version);
  if (!options.resource_version.empty() && options.resource_version != version) {
    return refuse("the ResourceVersion in the precondition (" + options.resource_version +
                  ") does not match the ResourceVersion in record (" + version +
                  "). The object might have been modified");
  }
  return {};
}

// Finalizers tell the garbage collector what to do with dependents.
void SetPropagation(const std::string& propagation, json& document) {
  if (propagation.empty()) return;
  json& metadata = document["metadata"];
  json kept = json::array();
  if (metadata.contains("finalizers")) {
    for (const json& name : metadata["finalizers"]) {
      if (name != kOrphan && name != kForeground) kept.push_back(name);
    }
  }
  if (propagation == "Orphan") kept.push_back(kOrphan);
  if (propagation == "Foreground") kept.push_back(kForeground);
  if (kept.empty())
    metadata.erase("finalizers");
  else
    metadata["finalizers"] = std::move(kept);
}

// How long the node has to stop a pod, in seconds; nobody has to for one that does not run.
int64_t GraceOf(const KindInfo& kind, const DeleteOptions& options, const json& document) {
  if (!kind.graceful) return 0;
  const std::string phase = TextAt(document, "status/phase");
  const bool runs =
      !TextAt(document, "spec/nodeName").empty() && phase != "Succeeded" && phase != "Failed";
  const int64_t asked =
      options.grace_seconds.value_or(IntAt(document, "spec/terminationGracePeriodSeconds", 30));
  if (asked < 0) return 1;
  return runs ? asked : 0;
}

bool HoldsBack(const KindInfo& kind, const json& document) {
  const json* finalizers = At(document, "metadata/finalizers");
  if (finalizers != nullptr && !finalizers->empty()) return true;
  if (kind.kind != "Namespace" || !kind.group.empty()) return false;
  const json* content = At(document, "spec/finalizers");
  return content != nullptr && !content->empty();
}

std::string SuccessText(const WriteCall& call, const Object& gone) {
  json details = {
      {"name", gone.metadata.name}, {"kind", call.kind->plural}, {"uid", gone.metadata.uid}};
  if (!call.kind->group.empty()) details["group"] = call.kind->group;
  return json({{"kind", "Status"},
               {"apiVersion", "v1"},
               {"metadata", json::object()},
               {"status", "Success"},
               {"details", std::move(details)}})
      .dump();
}

}  // namespace

Answer<Written> Writer::Delete(const WriteCall& call, const DeleteOptions& options) {
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (live == nullptr) return Refuse(NotFoundError(call));
  if (const auto fits = CheckPreconditions(call, options, *live); !fits)
    return Refuse(fits.error());
  const json old = json::parse(live->text);
  AdmissionRequest request = RequestOf(call, "DELETE", &old);
  request.dry_run = options.dry_run;
  if (const auto admitted = ValidateOnAdmission(state_, request, nullptr); !admitted) {
    return Refuse(admitted.error());
  }
  json document = old;
  SetPropagation(options.propagation, document);
  if (call.kind->kind == "CustomResourceDefinition" && !call.kind->custom &&
      !live->metadata.IsBeingDeleted()) {
    document["metadata"]["finalizers"].push_back(kCleanupFinalizer);
  }
  const int64_t grace = GraceOf(*call.kind, options, document);
  const bool waits = grace > 0 || HoldsBack(*call.kind, document);
  if (!waits) return Remove(call, live, options.dry_run);
  return Linger(call, live, std::move(document), grace, options.dry_run);
}

Answer<Written> Writer::Remove(const WriteCall& call, const ObjectPtr& live, bool dry_run) {
  ObjectPtr gone = live;
  if (!dry_run) {
    const auto removed =
        state_.CollectionOf(*call.kind).Delete(live->metadata.namespace_, live->metadata.name);
    if (!removed) return Refuse(FromError(removed.error()));
    gone = *removed;
    const json before = json::parse(live->text);
    NoteChange(state_, *call.kind, nullptr, &before);
  }
  if (!ReturnsDeleted(*call.kind)) return Written{SuccessText(call, *gone), false};
  json document = json::parse(gone->text);
  if (call.kind->graceful) {
    const json& metadata = document["metadata"];
    if (!metadata.contains("deletionTimestamp")) {
      document["metadata"]["deletionTimestamp"] = state_.clock.Wall().ToString();
    }
    document["metadata"]["deletionGracePeriodSeconds"] = 0;
  }
  return Written{document.dump(), false};
}

Answer<Written> Writer::Linger(const WriteCall& call, const ObjectPtr& live, json document,
                               int64_t grace, bool dry_run) {
  json& metadata = document["metadata"];
  const int64_t before = IntAt(document, "metadata/deletionGracePeriodSeconds");
  if (!live->metadata.IsBeingDeleted()) {
    metadata["deletionTimestamp"] = (state_.clock.Wall() + std::chrono::seconds(grace)).ToString();
    metadata["deletionGracePeriodSeconds"] = grace;
    if (metadata.contains("generation"))
      metadata["generation"] = IntAt(document, "metadata/generation") + 1;
  } else if (grace < before) {
    // A second request can shorten what the first allowed, never lengthen it.
    metadata["deletionTimestamp"] = (state_.clock.Wall() + std::chrono::seconds(grace)).ToString();
    metadata["deletionGracePeriodSeconds"] = grace;
  }
  if (call.kind->kind == "Namespace" && call.kind->group.empty())
    document["status"]["phase"] = "Terminating";
  WriteCall store_call = call;
  store_call.options.dry_run = dry_run;
  return Store(store_call, live, std::move(document));
}

}  // namespace berth::apiserver
