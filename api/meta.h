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

// ResourceInfo is the REST mapping of an API kind. Every top-level kind has one, `T::kResource`.
struct ResourceInfo {
  std::string_view group;  // "" is the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  bool namespaced = true;

  // "v1" or "apps/v1".
  std::string ApiVersion() const;

  // Returns the URL path of an object, or of a collection if `name` is empty. An empty namespace
  // means all namespaces. Segments are percent-encoded. Path("ns", "a", "binding") is
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
  static const json::Type& JsonType();
};

// ObjectMeta omits managedFields: unused here, and half the size of many objects.
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
  static const json::Type& JsonType();
};

// Returns "namespace/name", or "name" for a cluster-scoped object.
std::string KeyOf(const ObjectMeta& metadata);

// Returns the owner reference of the controller, or nullptr.
const OwnerReference* ControllerOf(const ObjectMeta& metadata);

// ObjectHeader is the common part of every object; used for bookmarks and for objects whose other
// fields are not needed.
struct ObjectHeader {
  std::string api_version;
  std::string kind;
  ObjectMeta metadata;

  bool operator==(const ObjectHeader&) const = default;
  static const json::Type& JsonType();
};

struct ListMeta {
  std::string resource_version;
  std::string continue_;  // continue token of the next page; empty on the last
  std::optional<int64_t> remaining_item_count;

  bool operator==(const ListMeta&) const = default;
  static const json::Type& JsonType();
};

// List is one page of a collection.
template <class T>
struct List {
  ListMeta metadata;
  std::vector<std::shared_ptr<const T>> items;

  static auto Fields() {
    return json::Object(json::Field("metadata", &List::metadata),
                        json::Field("items", &List::items));
  }
};

struct StatusCause {
  std::string reason;
  std::string message;
  std::string field;

  bool operator==(const StatusCause&) const = default;
  static const json::Type& JsonType();
};

struct StatusDetails {
  std::string name;
  std::string group;
  std::string kind;
  std::string uid;
  std::vector<StatusCause> causes;
  int32_t retry_after_seconds = 0;

  bool operator==(const StatusDetails&) const = default;
  static const json::Type& JsonType();
};

// Status is the API server's response instead of an object, usually an error.
struct Status {
  std::string status;  // "Success" or "Failure"
  int32_t code = 0;
  std::string reason;
  std::string message;
  std::optional<StatusDetails> details;

  bool operator==(const Status&) const = default;
  static const json::Type& JsonType();
};

// WatchEvent is one line of a watch stream. The object is decoded only if the event type needs it.
struct WatchEvent {
  std::string type;  // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR (the object is then a Status)
  json::Raw object;

  bool operator==(const WatchEvent&) const = default;
  static const json::Type& JsonType();
};

struct Condition {
  std::string type;
  std::string status;  // "True", "False", "Unknown"
  int64_t observed_generation = 0;
  Time last_transition_time;
  std::string reason;
  std::string message;

  bool operator==(const Condition&) const = default;
  static const json::Type& JsonType();
};

struct LabelSelectorRequirement {
  std::string key;
  std::string op;  // In, NotIn, Exists, DoesNotExist
  std::vector<std::string> values;

  bool operator==(const LabelSelectorRequirement&) const = default;
  static const json::Type& JsonType();
};

// LabelSelector in API form; api/labels.h compiles it. An absent selector matches nothing, an empty
// one everything.
struct LabelSelector {
  StringMap match_labels;
  std::vector<LabelSelectorRequirement> match_expressions;

  bool operator==(const LabelSelector&) const = default;
  static const json::Type& JsonType();
};

struct Preconditions {
  std::optional<std::string> uid;
  std::optional<std::string> resource_version;

  bool operator==(const Preconditions&) const = default;
  static const json::Type& JsonType();
};

struct DeleteOptions {
  std::optional<int64_t> grace_period_seconds;
  std::optional<Preconditions> preconditions;
  std::string propagation_policy;  // Orphan, Background, Foreground; empty: the kind's default
  std::vector<std::string> dry_run;

  bool operator==(const DeleteOptions&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct LocalObjectReference {
  std::string name;

  bool operator==(const LocalObjectReference&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
