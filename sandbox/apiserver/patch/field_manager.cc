// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/field_manager.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/ownership.h"
#include "sandbox/apiserver/patch/typed.h"
#include "sandbox/apiserver/schema/defaults.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Returns the valid entries: the client's entries if they can be decoded, otherwise the stored
// ones.
ManagedFields EntriesFor(const FieldWrite& write, const json& live, json sent) {
  if (write.subresource.empty()) {
    if (IsReset(sent)) return {};
    auto managed = ManagedFields::Decode(std::move(sent));
    if (managed && !managed->Empty()) return std::move(*managed);
  }
  return ManagedFields::Decode(StoredManagedFields(live)).value_or(ManagedFields());
}

}  // namespace

void RecordUpdate(const FieldWrite& write, const json& live, json* updated) {
  json& metadata = (*updated)["metadata"];
  json sent = TakeManagedFields(&metadata);
  const json nothing = write.creating ? EmptyObject(*write.schema) : json();
  const json& before = write.creating ? nothing : live;

  // Most updates change little, and some change nothing.
  FieldChanges changes = Compare(*write.schema, before, *updated);
  DropUnowned(write, &changes);
  if (changes.Empty() && !write.creating && !sent.is_null() && sent == StoredManagedFields(live)) {
    metadata["managedFields"] = std::move(sent);
    return;
  }
  ManagedFields managed = EntriesFor(write, before, std::move(sent));
  if (managed.Empty() && !write.creating) return;
  Own(write, std::move(changes), &managed);
  if (json encoded = std::move(managed).Encode(); !encoded.is_null())
    metadata["managedFields"] = std::move(encoded);
}

}  // namespace berth::apiserver
