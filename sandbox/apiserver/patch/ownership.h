// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/patch/field_manager.h"
#include "sandbox/apiserver/patch/managed_fields.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {

// Steps that updates and applies share.

// The list that is stored with an object, or null.
const nlohmann::json& StoredManagedFields(const nlohmann::json& object);

// TakeManagedFields moves the list out of `metadata`; null when there is none.
nlohmann::json TakeManagedFields(nlohmann::json* metadata);

// DropUnowned takes out of the changes what nobody owns through such a request: write.reset, and
// the list of managed fields itself.
void DropUnowned(const FieldWrite& write, FieldChanges* changes);

// StripUnownable takes out of a set what is never owned: the object's identity and what the server
// writes.
void StripUnownable(FieldSet* fields);

// Own gives the changes of an update to the writer: taken from all others, with a time if anything
// was added or modified.
void Own(const FieldWrite& write, FieldChanges changes, ManagedFields* managed);

}  // namespace berth::apiserver
