// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"
#include "base/rare.h"
#include "base/time.h"

namespace berth::api {

using StringMap = std::map<std::string, std::string>;

// ResourceInfo says where objects of a kind live in the API. Every top-level kind has one,
// `T::kResource`.
struct ResourceInfo {
  std::string_view group;  // "" is the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  bool namespaced = true;

  // "v1" or "apps/v1".
  std::string ApiVersion() const;

  // Path is the URL path of an object, or of a collection when `name` is empty; an empty namespace
  // is all of them. Segments are percent-encoded. Path("ns", "a", "binding") is
  // /api/v1/namespaces/ns/pods/a/binding.
  std::string Path(std::string_view namespace_name = {}, std::string_view name = {},
                   std::string_view subresource = {}) const;
};

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;

  bool operator==(const OwnerReference&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiVersion", &OwnerReference::api_version),
                        json::Field("kind", &OwnerReference::kind),
                        json::Field("name", &OwnerReference::name),
                        json::Field("uid", &OwnerReference::uid),
                        json::Field("controller", &OwnerReference::controller),
                        json::Field("blockOwnerDeletion", &OwnerReference::block_owner_deletion));
  }
};

// ObjectMeta leaves out managedFields: nobody here reads them, and they are half of many objects.
struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string namespace_;
  std::string uid;
  std::string resource_version;
  int64_t generation = 0;
  Time creation_timestamp;
  std::optional<Time> deletion_timestamp;
  std::optional<int64_t> deletion_grace_period_seconds;
  StringMap labels;
  StringMap annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;

  bool operator==(const ObjectMeta&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &ObjectMeta::name),
        json::Field("generateName", &ObjectMeta::generate_name),
        json::Field("namespace", &ObjectMeta::namespace_), json::Field("uid", &ObjectMeta::uid),
        json::Field("resourceVersion", &ObjectMeta::resource_version),
        json::Field("generation", &ObjectMeta::generation),
        json::Field("creationTimestamp", &ObjectMeta::creation_timestamp),
        json::Field("deletionTimestamp", &ObjectMeta::deletion_timestamp),
        json::Field("deletionGracePeriodSeconds", &ObjectMeta::deletion_grace_period_seconds),
        json::Field("labels", &ObjectMeta::labels),
        json::Field("annotations", &ObjectMeta::annotations),
        json::Field("ownerReferences", &ObjectMeta::owner_references),
        json::Field("finalizers", &ObjectMeta::finalizers));
  }
};

// KeyOf is "namespace/name", or "name" for a cluster-scoped object.
std::string KeyOf(const ObjectMeta& metadata);

// ControllerOf gives the owner that controls the object, or nullptr.
const OwnerReference* ControllerOf(const ObjectMeta& metadata);

// ObjectHeader is what every object begins with; for bookmarks, and for objects whose body does not
// matter.
struct ObjectHeader {
  std::string api_version;
  std::string kind;
  ObjectMeta metadata;

  bool operator==(const ObjectHeader&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiVersion", &ObjectHeader::api_version),
                        json::Field("kind", &ObjectHeader::kind),
                        json::Field("metadata", &ObjectHeader::metadata));
  }
};

struct ListMeta {
  std::string resource_version;
  std::string continue_;  // the token of the next page, or empty on the last
  std::optional<int64_t> remaining_item_count;

  bool operator==(const ListMeta&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("resourceVersion", &ListMeta::resource_version),
                        json::Field("continue", &ListMeta::continue_),
                        json::Field("remainingItemCount", &ListMeta::remaining_item_count));
  }
};

// List is one page of a collection.
template <class T>
struct List {
  ListMeta metadata;
  std::vector<std::shared_ptr<const T>> items;

  static constexpr auto Fields() {
    return json::Object(json::Field("metadata", &List::metadata),
                        json::Field("items", &List::items));
  }
};

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;

  bool operator==(const StatusCause&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("reason", &StatusCause::reason),
                        json::Field("message", &StatusCause::message),
                        json::Field("field", &StatusCause::field));
  }
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;
  std::string uid;
  std::vector<StatusCause> causes;
  int32_t retry_after_seconds = 0;

  bool operator==(const StatusDetails&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &StatusDetails::name), json::Field("group", &StatusDetails::group),
        json::Field("kind", &StatusDetails::kind), json::Field("uid", &StatusDetails::uid),
        json::Field("causes", &StatusDetails::causes),
        json::Field("retryAfterSeconds", &StatusDetails::retry_after_seconds));
  }
};

// Status is the API server's answer in place of an object, most often an error.
struct Status {
  std::string status;  // "Success" or "Failure"
  int32_t code = 0;
  std::string reason;
  std::string message;
  std::optional<StatusDetails> details;

  bool operator==(const Status&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Status"),
                        json::Field("status", &Status::status), json::Field("code", &Status::code),
                        json::Field("reason", &Status::reason),
                        json::Field("message", &Status::message),
                        json::Field("details", &Status::details));
  }
};

// WatchEvent is one line of a watch stream; the object is decoded once its type is known to matter.
struct WatchEvent {
  std::string type;  // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR (the object is then a Status)
  json::Raw object;

  bool operator==(const WatchEvent&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("type", &WatchEvent::type),
                        json::Field("object", &WatchEvent::object));
  }
};

struct Condition {
  std::string type;
  std::string status;  // "True", "False", "Unknown"
  int64_t observed_generation = 0;
  Time last_transition_time;
  std::string reason;
  std::string message;

  bool operator==(const Condition&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("type", &Condition::type).MaxLength(316).Required(),
        json::Field("status", &Condition::status).OneOf("True|False|Unknown").Required(),
        json::Field("observedGeneration", &Condition::observed_generation).Min(0),
        json::Field("lastTransitionTime", &Condition::last_transition_time).Required(),
        json::Field("reason", &Condition::reason).MinLength(1).MaxLength(1024).Required(),
        json::Field("message", &Condition::message).MaxLength(32768).Required());
  }
};

struct LabelSelectorRequirement {
  std::string key;
  std::string op;  // In, NotIn, Exists, DoesNotExist
  std::vector<std::string> values;

  bool operator==(const LabelSelectorRequirement&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("key", &LabelSelectorRequirement::key).MaxLength(317).Required(),
        json::Field("operator", &LabelSelectorRequirement::op)
            .OneOf("In|NotIn|Exists|DoesNotExist")
            .Required(),
        json::Field("values", &LabelSelectorRequirement::values).MaxItems(64).ItemMaxLength(63));
  }
};

// LabelSelector as the API writes it; api/labels.h compiles it. Absent it selects nothing, empty it
// selects everything.
struct LabelSelector {
  StringMap match_labels;
  std::vector<LabelSelectorRequirement> match_expressions;

  bool operator==(const LabelSelector&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("matchLabels", &LabelSelector::match_labels).MaxItems(64).ItemMaxLength(63),
        json::Field("matchExpressions", &LabelSelector::match_expressions).MaxItems(64));
  }
};

struct Preconditions {
  std::optional<std::string> uid;
  std::optional<std::string> resource_version;

  bool operator==(const Preconditions&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("uid", &Preconditions::uid),
                        json::Field("resourceVersion", &Preconditions::resource_version));
  }
};

struct DeleteOptions {
  std::optional<int64_t> grace_period_seconds;
  std::optional<Preconditions> preconditions;
  std::string propagation_policy;  // Orphan, Background, Foreground; empty = the kind's default
  std::vector<std::string> dry_run;

  bool operator==(const DeleteOptions&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "DeleteOptions"),
                        json::Field("gracePeriodSeconds", &DeleteOptions::grace_period_seconds),
                        json::Field("preconditions", &DeleteOptions::preconditions),
                        json::Field("propagationPolicy", &DeleteOptions::propagation_policy),
                        json::Field("dryRun", &DeleteOptions::dry_run));
  }
};

struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string resource_version;
  std::string field_path;

  bool operator==(const ObjectReference&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiVersion", &ObjectReference::api_version),
                        json::Field("kind", &ObjectReference::kind),
                        json::Field("namespace", &ObjectReference::namespace_),
                        json::Field("name", &ObjectReference::name),
                        json::Field("uid", &ObjectReference::uid),
                        json::Field("resourceVersion", &ObjectReference::resource_version),
                        json::Field("fieldPath", &ObjectReference::field_path));
  }
};

struct LocalObjectReference {
  std::string name;

  bool operator==(const LocalObjectReference&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &LocalObjectReference::name).MaxLength(253));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::ObjectMeta);
BERTH_JSON_EXTERN(berth::api::Status);
BERTH_JSON_EXTERN(berth::api::WatchEvent);
BERTH_JSON_EXTERN(berth::api::ObjectHeader);
BERTH_JSON_EXTERN(berth::api::LabelSelector);
