// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/metadata_rules.h"

#include <set>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kOrphanName = "orphan";
constexpr std::string_view kForegroundName = "foregroundDeletion";
Field MetadataOf(const json& object, Errors& errors) { return Field(object, errors)["metadata"]; }

NameErrors CheckName(Strategy::NameRule rule, std::string_view name) {
  switch (rule) {
    case Strategy::NameRule::kSubdomain:
      return CheckDnsSubdomain(name);
    case Strategy::NameRule::kLabel:
      return CheckDnsLabel(name);
    case Strategy::NameRule::kPathSegment:
      return CheckPathSegment(name);
  }
  return {};
}

void CheckNames(Strategy::NameRule rule, const Field& metadata) {
  const Field name = metadata["name"];
  if (!name.Require("name or generateName is required")) return;
  for (const std::string& why : CheckName(rule, name.Text())) name.Invalid(why);
}

void CheckAnnotations(const Field& annotations) {
  for (const Field::Entry& entry : annotations.Entries()) {
    for (const std::string& why : CheckQualifiedName(ToLower(entry.key)))
      annotations.Invalid(Quoted(entry.key), why);
  }
}

void CheckOwner(const Field& owner, const std::string& list) {
  for (const char* name : {"apiVersion", "kind", "name", "uid"})
    if (owner[name].IsEmpty())
      owner[name].At(list + "." + name).Invalid("\"\"", "must not be empty");
}

void CheckOwners(const Field& owners) {
  std::string controller;
  for (const Field& owner : owners.Items()) {
    CheckOwner(owner, owners.path());
    if (!owner["controller"].IsTrue()) continue;
    const std::string name = owner["kind"].Text() + "/" + owner["name"].Text();
    if (controller.empty()) {
      controller = name;
      continue;
    }
    owners.Invalid(
        "Only one reference can have Controller set to true. Found \"true\" in "
        "references for " +
        controller + " and " + name);
  }
}

void CheckFinalizers(const Field& finalizers) {
  bool orphans = false;
  bool waits = false;
  for (const Field& finalizer : finalizers.Items()) {
    finalizer.At(finalizers.path()).Named(CheckQualifiedName);
    orphans |= finalizer.Text() == kOrphanName;
    waits |= finalizer.Text() == kForegroundName;
  }
  if (orphans && waits)
    finalizers.Invalid("finalizer orphan and foregroundDeletion cannot be both set");
}

void CheckParts(const Field& metadata) {
  CheckLabels(metadata["labels"]);
  CheckAnnotations(metadata["annotations"]);
  CheckOwners(metadata["ownerReferences"]);
}

// An object that is being deleted can only lose finalizers.
void CheckNoNewFinalizers(const Field& finalizers, const Field& old) {
  std::set<std::string> added;
  for (const Field& finalizer : finalizers.Items()) added.insert(finalizer.Text());
  for (const Field& finalizer : old.Items()) added.erase(finalizer.Text());
  if (added.empty()) return;
  finalizers.Forbidden("no new finalizers can be added if the object is being deleted");
}

}  // namespace

void ValidateMetadata(Strategy::NameRule rule, const json& object, Errors& errors) {
  const Field metadata = MetadataOf(object, errors);
  CheckNames(rule, metadata);
  metadata["generation"].AtLeast(0, kNotNegative);
  CheckParts(metadata);
  CheckFinalizers(metadata["finalizers"]);
}

void ValidateMetadataUpdate(const json& object, const json& old, Errors& errors) {
  const Field metadata = MetadataOf(object, errors);
  const Field before = MetadataOf(old, errors);
  if (before["deletionTimestamp"].IsSet())
    CheckNoNewFinalizers(metadata["finalizers"], before["finalizers"]);
  for (const char* name : {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                           "deletionGracePeriodSeconds"}) {
    metadata[name].Unchanged(before[name]);
  }
  CheckParts(metadata);
}

}  // namespace berth::apiserver
