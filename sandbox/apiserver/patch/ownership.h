// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/patch/field_manager.h"
#include "sandbox/apiserver/patch/managed_fields.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {

// Steps shared by updates and applies.

// Returns the managedFields of an object, or null.
const nlohmann::json& StoredManagedFields(const nlohmann::json& object);

// Moves the managedFields out of `metadata`; returns null if there are none.
nlohmann::json TakeManagedFields(nlohmann::json* metadata);

// Drops the changes that such a request never owns: write.reset, and managedFields itself.
void DropUnowned(const FieldWrite& write, FieldChanges* changes);

// Removes fields that are never owned: the object's identity and the fields that the server sets.
void StripUnownable(FieldSet* fields);

// Moves the changed fields of an update from all other managers to the writer. Sets the time if a
// field was added or modified.
void Own(const FieldWrite& write, FieldChanges changes, ManagedFields* managed);

}  // namespace berth::apiserver
