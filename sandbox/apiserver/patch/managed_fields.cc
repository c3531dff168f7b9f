// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/managed_fields.h"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string EntryText(const json& entry, const char* field) {
  const auto at = entry.find(field);
  return at != entry.end() && at->is_string() ? at->get<std::string>() : std::string();
}

int64_t Seconds(const ManagedEntry& entry) {
  using std::chrono::duration_cast;
  using std::chrono::seconds;
  return entry.time ? duration_cast<seconds>(entry.time->point().time_since_epoch()).count() : 0;
}

// Upstream breaks ties by this text: the identifier as JSON.

Result<ManagedEntry> DecodeEntry(const json& entry, size_t i) {
  ManagedEntry decoded;
  const std::string operation = EntryText(entry, "operation");
  if (operation != "Apply" && operation != "Update")
    return Fail(Reason::kInvalid, "operation must be `Apply` or `Update`");
  decoded.api_version = EntryText(entry, "apiVersion");
  if (decoded.api_version.empty()) return Fail(Reason::kInvalid, "apiVersion must not be empty");
  const std::string type = EntryText(entry, "fieldsType");
  if (type.empty())
    return Fail(Reason::kInvalid,
                "missing fieldsType in managed fields entry " + std::to_string(i));
  if (type != "FieldsV1")
    return Fail(Reason::kInvalid, "invalid fieldsType " + Quoted(type) +
                                      " in managed fields entry " + std::to_string(i));
  decoded.id.manager = EntryText(entry, "manager");
  decoded.id.applied = operation == "Apply";
  if (!decoded.id.applied) decoded.id.api_version = decoded.api_version;
  decoded.id.subresource = EntryText(entry, "subresource");
  if (const auto time = Time::Parse(EntryText(entry, "time"))) decoded.time = *time;
  if (const auto fields = entry.find("fieldsV1"); fields != entry.end() && !fields->is_null()) {
    BERTH_TRY(decoded.fields, FieldSet::Parse(*fields));
  }
  return decoded;
}

json EncodeEntry(ManagedEntry&& entry) {
  if (!entry.source.is_null()) return std::move(entry.source);
  json encoded = {{"manager", entry.id.manager},
                  {"operation", entry.id.applied ? "Apply" : "Update"},
                  {"apiVersion", entry.api_version},
                  {"fieldsType", "FieldsV1"},
                  {"fieldsV1", entry.fields.ToJson()}};
  if (!entry.id.subresource.empty()) encoded["subresource"] = entry.id.subresource;
  if (entry.time) encoded["time"] = entry.time->ToString();
  return encoded;
}

}  // namespace

std::string ManagerId::ToString() const {
  std::string text = Quoted(manager);
  if (!subresource.empty()) text += " with subresource " + Quoted(subresource);
  if (!applied) text += " using " + api_version;
  return text;
}

Result<ManagedFields> ManagedFields::Decode(json entries) {
  ManagedFields managed;
  if (!entries.is_array()) return managed;
  managed.entries_.reserve(entries.size() + 1);
  for (size_t i = 0; i < entries.size(); ++i) {
    BERTH_TRY(ManagedEntry entry, DecodeEntry(entries[i], i));
    entry.source = std::move(entries[i]);
    if (ManagedEntry* known = managed.Find(entry.id)) {
      *known = std::move(entry);
    } else {
      managed.entries_.push_back(std::move(entry));
    }
  }
  return managed;
}

json ManagedFields::Encode() && {
  if (entries_.empty()) return nullptr;
  std::sort(entries_.begin(), entries_.end(), [](const ManagedEntry& a, const ManagedEntry& b) {
    const auto order = [](const ManagedEntry& entry, int64_t seconds) {
      return std::tuple<bool, int64_t, const std::string&, const std::string&, const std::string&>(
          !entry.id.applied, seconds, entry.id.manager, entry.api_version, entry.id.subresource);
    };
    return order(a, Seconds(a)) < order(b, Seconds(b));
  });
  json encoded = json::array();
  for (ManagedEntry& entry : entries_) encoded.push_back(EncodeEntry(std::move(entry)));
  return encoded;
}

ManagedEntry* ManagedFields::Find(const ManagerId& id) {
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const ManagedEntry& entry) { return entry.id == id; });
  return at == entries_.end() ? nullptr : &*at;
}

ManagedEntry& ManagedFields::Entry(const ManagerId& id, std::string_view api_version) {
  ManagedEntry* entry = Find(id);
  if (entry == nullptr) entry = &entries_.emplace_back(ManagedEntry{id, {}, {}, {}, {}});
  entry->source = nullptr;
  entry->api_version = std::string(api_version);
  return *entry;
}

void ManagedFields::FollowSchema(const Schema& schema) {
  for (ManagedEntry& entry : entries_)
    if (entry.fields.FollowSchema(schema)) entry.source = nullptr;
}

void ManagedFields::DropEmpty() {
  std::erase_if(entries_, [](const ManagedEntry& entry) { return entry.fields.Empty(); });
}

bool IsReset(const json& entries) {
  if (!entries.is_array()) return false;
  return entries.empty() || (entries.size() == 1 && entries[0].is_object() && entries[0].empty());
}

}  // namespace berth::apiserver
