// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/scale_fields.h"

#include <algorithm>

#include "sandbox/apiserver/patch/managed_fields.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kScaleVersion = "autoscaling/v1";

FieldSet SetOf(const FieldPath& path) {
  FieldSet set;
  set.Insert(path);
  return set;
}

FieldPath PathInScale() { return {PathElement::Field("spec"), PathElement::Field("replicas")}; }

ManagedFields Decoded(const json& entries) {
  return ManagedFields::Decode(entries).value_or(ManagedFields());
}

}  // namespace

json ScaleManagedFields(const json& entries, const FieldPath& path) {
  ManagedFields owners = Decoded(entries);
  std::erase_if(owners.entries(),
                [&path](const ManagedEntry& entry) { return !entry.fields.Has(path); });
  for (ManagedEntry& entry : owners.entries()) {
    entry.fields = SetOf(PathInScale());
    entry.api_version = kScaleVersion;
    entry.source = nullptr;
  }
  return std::move(owners).Encode();
}

json ParentManagedFields(const json& entries, const json& scale, const FieldPath& path,
                         const std::string& version) {
  ManagedFields parent = Decoded(entries);
  ManagedFields owners = Decoded(scale);
  std::erase_if(owners.entries(),
                [](const ManagedEntry& entry) { return !entry.fields.Has(PathInScale()); });
  for (ManagedEntry& entry : parent.entries()) {
    if (entry.fields.Has(path) && owners.Find(entry.id) == nullptr) entry.Subtract(SetOf(path));
  }
  parent.DropEmpty();
  for (const ManagedEntry& owner : owners.entries()) {
    const ManagedEntry* known = parent.Find(owner.id);
    if (known != nullptr && known->fields.Has(path)) continue;
    ManagedEntry& entry = parent.Entry(owner.id, version);
    entry.fields = SetOf(path);
  }
  return std::move(parent).Encode();
}

}  // namespace berth::apiserver
