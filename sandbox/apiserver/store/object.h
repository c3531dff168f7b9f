// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/meta.h"

namespace berth::apiserver {

// Metadata is the part of an object that the server reads without parsing its text.
struct Metadata {
  std::string namespace_;  // empty for a cluster-scoped object
  std::string name;
  std::string uid;
  api::StringMap labels;
  std::vector<std::string> fields;  // values of the collection's selectable fields, in its order
  std::string deletion_timestamp;   // as written; empty: not being deleted
  std::vector<std::string> finalizers;
  std::vector<std::string> owner_uids;  // of metadata.ownerReferences

  bool IsBeingDeleted() const { return !deletion_timestamp.empty(); }
};

// Returns "namespace/name", or "name" without a namespace. Collections are sorted by the bytes of
// the key, like etcd.
std::string KeyOf(std::string_view name_space, std::string_view name);
std::string KeyOf(const Metadata& metadata);

// Span is a range of a text.
struct Span {
  uint32_t begin = 0, end = 0;
};

// Draft is an object without a version: compact JSON without metadata.resourceVersion, which the
// store inserts.
struct Draft {
  Metadata metadata;
  std::string text;
  size_t version_at = 0;          // behind the opening brace of metadata
  std::array<Span, 2> type_meta;  // the members apiVersion and kind, with the comma behind them
};

// Object is one state of an object. It is immutable, so lists, histories and responses share it.
struct Object {
  Metadata metadata;
  uint64_t version = 0;
  std::string text;               // compact JSON, as clients see it
  size_t version_at = 0;          // of the digits of the version in `text`
  std::array<Span, 2> type_meta;  // as in a Draft
};
using ObjectPtr = std::shared_ptr<const Object>;

// Encodes a document and reads its metadata; `fields` are Metadata::fields. Requires: the document
// and its metadata are JSON objects that have been validated; a value of another type than the
// API's counts as absent.
Draft MakeDraft(const nlohmann::json& document, std::vector<std::string> fields);

ObjectPtr MakeObject(Draft draft, uint64_t version);

// Returns the same state under another version, for the DELETED event of a watch.
ObjectPtr WithVersion(const Object& object, uint64_t version);

// Reports whether writing the draft would only change the version.
bool IsSame(const Object& object, const Draft& draft);

// Appends the object in the form of list items: without apiVersion and kind.
void AppendItem(const Object& object, std::string& out);

// Returns the text; it shares ownership of the object.
std::shared_ptr<const std::string> TextOf(const ObjectPtr& object);

}  // namespace berth::apiserver
