// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/object.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

constexpr size_t kUsualSize = 4 << 10;
constexpr std::string_view kVersionKey = "\"resourceVersion\":\"";

std::string MetadataText(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json& Array(const Json& object, const char* key) {
  static const Json empty = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : empty;
}

Metadata ReadMetadata(const Json& source) {
  Metadata metadata{.namespace_ = MetadataText(source, "namespace"),
                    .name = MetadataText(source, "name"),
                    .uid = MetadataText(source, "uid"),
                    .deletion_timestamp = MetadataText(source, "deletionTimestamp")};
  if (const auto labels = source.find("labels"); labels != source.end() && labels->is_object()) {
    for (const auto& [key, value] : labels->items()) {
      if (value.is_string()) metadata.labels.emplace(key, value.get<std::string>());
    }
  }
  for (const Json& finalizer : Array(source, "finalizers")) {
    if (finalizer.is_string()) metadata.finalizers.push_back(finalizer.get<std::string>());
  }
  for (const Json& owner : Array(source, "ownerReferences")) {
    if (owner.is_object()) metadata.owner_uids.push_back(MetadataText(owner, "uid"));
  }
  return metadata;
}

// Appends the members of an object without its braces, except the one called `without`.
void AppendMembers(const Json& object, std::string_view without, std::string& out) {
  bool first = true;
  for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) {
    if (key == without) continue;
    if (!std::exchange(first, false)) out += ',';
    AppendDocument(Json(key), out);
    out += ':';
    AppendDocument(value, out);
  }
}

// Returns the index of a member that lists omit.
std::optional<size_t> TypeMetaIndex(std::string_view key) {
  if (key == "apiVersion") return 0;
  if (key == "kind") return 1;
  return std::nullopt;
}

// Joins both texts around the version; the following comma belongs to the version.
std::string Splice(std::string_view before, std::string_view version, std::string_view after) {
  const bool alone = after.starts_with('}');
  std::string text;
  text.reserve(before.size() + kVersionKey.size() + version.size() + 2 + after.size());
  text.append(before).append(kVersionKey).append(version).append(alone ? "\"" : "\",");
  text.append(after);
  return text;
}

std::string_view Before(const Object& object) {
  return std::string_view(object.text).substr(0, object.version_at - kVersionKey.size());
}

std::string_view After(const Object& object) {
  const size_t quote = object.text.find('"', object.version_at);
  const bool alone = object.text[quote + 1] == '}';
  return std::string_view(object.text).substr(quote + (alone ? 1 : 2));
}

}  // namespace

std::string KeyOf(std::string_view name_space, std::string_view name) {
  std::string key;
  key.reserve(name_space.size() + 1 + name.size());
  if (!name_space.empty()) key.append(name_space).append("/");
  return key.append(name);
}

std::string KeyOf(const Metadata& metadata) { return KeyOf(metadata.namespace_, metadata.name); }

Draft MakeDraft(const Json& document, std::vector<std::string> fields) {
  const auto metadata = document.find("metadata");
  BERTH_CHECK(metadata != document.end() && metadata->is_object(), "an object without metadata");
  Draft draft{.metadata = ReadMetadata(*metadata)};
  draft.metadata.fields = std::move(fields);
  std::string& text = draft.text;
  text.reserve(kUsualSize);
  text = "{";
  Span* open = nullptr;  // ends where the next member begins; metadata follows both
  for (const auto& [key, value] : document.get_ref<const Json::object_t&>()) {
    if (text.size() > 1) text += ',';
    if (open != nullptr) std::exchange(open, nullptr)->end = static_cast<uint32_t>(text.size());
    if (const auto index = TypeMetaIndex(key)) {
      open = &draft.type_meta[*index];
      open->begin = static_cast<uint32_t>(text.size());
    }
    AppendDocument(Json(key), text);
    text += ':';
    if (key != "metadata") {
      AppendDocument(value, text);
      continue;
    }
    text += '{';
    draft.version_at = text.size();
    AppendMembers(value, "resourceVersion", text);
    text += '}';
  }
  text += '}';
  return draft;
}

ObjectPtr MakeObject(Draft draft, uint64_t version) {
  auto object = std::make_shared<Object>();
  const std::string_view text = draft.text;
  object->text = Splice(text.substr(0, draft.version_at), std::to_string(version),
                        text.substr(draft.version_at));
  object->version_at = draft.version_at + kVersionKey.size();
  object->version = version;
  object->type_meta = draft.type_meta;
  object->metadata = std::move(draft.metadata);
  return object;
}

ObjectPtr WithVersion(const Object& object, uint64_t version) {
  auto copy = std::make_shared<Object>();
  copy->metadata = object.metadata;
  copy->version = version;
  copy->version_at = object.version_at;
  copy->type_meta = object.type_meta;
  copy->text = Splice(Before(object), std::to_string(version), After(object));
  return copy;
}

bool IsSame(const Object& object, const Draft& draft) {
  const std::string_view text = draft.text;
  return Before(object) == text.substr(0, draft.version_at) &&
         After(object) == text.substr(draft.version_at);
}

void AppendItem(const Object& object, std::string& out) {
  size_t at = 0;
  for (const Span& member : object.type_meta) {
    if (member.end == 0) continue;  // absent
    out.append(object.text, at, member.begin - at);
    at = member.end;
  }
  out.append(object.text, at);
}

std::shared_ptr<const std::string> TextOf(const ObjectPtr& object) {
  return {object, &object->text};
}

}  // namespace berth::apiserver
