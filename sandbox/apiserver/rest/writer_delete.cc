// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/custom/custom_kinds.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/writer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kOrphan = "orphan";
constexpr const char* kForeground = "foregroundDeletion";

// Kinds that return the deleted object; the other kinds return a Status.
bool ReturnsDeleted(const KindInfo& kind) {
  static constexpr std::string_view kKinds[] = {
      "Pod",           "Service",          "ServiceAccount",       "PodTemplate",
      "ResourceQuota", "PersistentVolume", "PersistentVolumeClaim"};
  return !kind.custom &&
         std::find(std::begin(kKinds), std::end(kKinds), kind.kind) != std::end(kKinds);
}

// Finalizers select the garbage collector's treatment of dependents.
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

// Returns the grace period of a pod in seconds; 0 if it does not run.
int64_t GraceOf(const DeleteOptions& options, const json& pod) {
  const std::string phase = TextAt(pod, "status/phase");
  const bool runs =
      !TextAt(pod, "spec/nodeName").empty() && phase != "Succeeded" && phase != "Failed";
  const int64_t asked =
      options.grace_seconds.value_or(IntAt(pod, "spec/terminationGracePeriodSeconds", 30));
  if (asked < 0) return 1;
  return runs ? asked : 0;
}

// Course is the next step of a deletion after the request's options were written into the object.
enum class Course {
  kAtOnce,    // nothing has to stop the object first
  kGraceful,  // the object holds its grace period
  kUnderway,  // it already has a grace period, which is not longer
};

void CountGeneration(json& metadata) {
  if (metadata.contains("generation"))
    metadata["generation"] = metadata["generation"].get<int64_t>() + 1;
}

// Source: BeforeDelete of apiserver pkg/registry/rest/delete.go.
Course BeginDeletion(const KindInfo& kind, const DeleteOptions& options, Time now, json& document) {
  if (!kind.graceful) return Course::kAtOnce;
  json& metadata = document["metadata"];
  int64_t grace = GraceOf(options, document);
  Time end = now + std::chrono::seconds(grace);
  if (const auto planned = Time::Parse(TextAt(document, "metadata/deletionTimestamp"))) {
    const int64_t before = IntAt(document, "metadata/deletionGracePeriodSeconds");
    if (before == 0) return Course::kAtOnce;
    if (!options.grace_seconds) return Course::kUnderway;
    grace = *options.grace_seconds < 0 ? 1 : *options.grace_seconds;
    if (grace >= before) return Course::kUnderway;
    end = *planned - std::chrono::seconds(before - grace);
  } else {
    CountGeneration(metadata);
  }
  metadata["deletionTimestamp"] = end.ToString();
  metadata["deletionGracePeriodSeconds"] = grace;
  return Course::kGraceful;
}

// Finalizers delay the removal of an object.
void MarkDeleting(Time now, json& document) {
  json& metadata = document["metadata"];
  if (!metadata.contains("deletionGracePeriodSeconds")) CountGeneration(metadata);
  const auto planned = Time::Parse(TextAt(document, "metadata/deletionTimestamp"));
  if (!planned || *planned > now) metadata["deletionTimestamp"] = now.ToString();
  metadata["deletionGracePeriodSeconds"] = 0;
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
  return DocumentText(json({{"kind", "Status"},
                            {"apiVersion", "v1"},
                            {"metadata", json::object()},
                            {"status", "Success"},
                            {"details", std::move(details)}}));
}

}  // namespace

Answer<void> CheckPreconditions(const WriteCall& call, const DeleteOptions& options,
                                const Object& live) {
  const auto reject = [&](std::string why) {
    return Reject(Conflict({call.kind->group, call.kind->kind}, call.name, why));
  };
  if (!options.uid.empty() && options.uid != live.metadata.uid) {
    return reject("the UID in the precondition (" + options.uid +
                  ") does not match the UID in record (" + live.metadata.uid +
                  "). The object might have been deleted and then recreated");
  }
  const std::string version = std::to_string(live.version);
  if (!options.resource_version.empty() && options.resource_version != version) {
    return reject("the ResourceVersion in the precondition (" + options.resource_version +
                  ") does not match the ResourceVersion in record (" + version +
                  "). The object might have been modified");
  }
  return {};
}

Answer<Written> Writer::Delete(const WriteCall& call, const DeleteOptions& options) {
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (live == nullptr) return Reject(NotFoundError(call));
  if (const auto fits = CheckPreconditions(call, options, *live); !fits)
    return Reject(fits.error());
  const json old = ReadObject(*live);
  AdmissionRequest request = RequestOf(call, "DELETE", &old);
  request.dry_run = options.dry_run;
  if (const auto admitted = ValidateOnAdmission(state_, request, nullptr); !admitted) {
    return Reject(admitted.error());
  }
  return Discard(call, options);
}

Answer<Written> Writer::Discard(const WriteCall& call, const DeleteOptions& options) {
  const ObjectPtr live = state_.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (live == nullptr) return Reject(NotFoundError(call));
  json document = ReadObject(*live);
  const Time now = state_.clock.Wall();
  const Course course = BeginDeletion(*call.kind, options, now, document);
  if (course == Course::kUnderway) return Written{Text(*call.kind, live->text), false};
  SetPropagation(options.propagation, document);
  if (call.kind->kind == "CustomResourceDefinition" && !call.kind->custom &&
      !live->metadata.IsBeingDeleted()) {
    document["metadata"]["finalizers"].push_back(kCleanupFinalizer);
  }
  const bool held = HoldsBack(*call.kind, document);
  if (course == Course::kAtOnce && !held) return Remove(call, live, options.dry_run);
  if (course == Course::kAtOnce) MarkDeleting(now, document);
  if (call.kind->kind == "Namespace" && call.kind->group.empty())
    document["status"]["phase"] = "Terminating";
  const bool stays = held || IntAt(document, "metadata/deletionGracePeriodSeconds") > 0;
  WriteCall update = call;
  update.options.dry_run = options.dry_run;
  auto updated = Put(update, live, std::move(document));
  if (!updated || stays || options.dry_run) return updated;
  return Remove(call, state_.CollectionOf(*call.kind).Find(call.namespace_, call.name), false);
}

Answer<Written> Writer::Remove(const WriteCall& call, const ObjectPtr& live, bool dry_run) {
  ObjectPtr gone = live;
  if (!dry_run) {
    const auto removed =
        state_.CollectionOf(*call.kind).Delete(live->metadata.namespace_, live->metadata.name);
    if (!removed) return Reject(FromError(removed.error()));
    gone = *removed;
    RecordChange(state_, *call.kind, nullptr, live.get());
  }
  if (!ReturnsDeleted(*call.kind)) return Written{SuccessText(call, *gone), false};
  return Written{gone->text, false};
}

}  // namespace berth::apiserver
