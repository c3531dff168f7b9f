// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/metadata_rules.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr size_t kMaxAnnotationBytes = 256 << 10;
constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";
constexpr std::string_view kStandardFinalizers[] = {"kubernetes", kOrphan, kForeground};
// The order of OwnerReference's fields in Go, in which messages show it.
constexpr std::string_view kOwnerFields[] = {"apiVersion", "kind",       "name",
                                             "uid",        "controller", "blockOwnerDeletion"};

Field MetadataOf(const json& object, Problems& problems) {
  return Field(object, problems)["metadata"];
}

// Groups whose kinds take any qualified finalizer; in the others it has a domain or is standard.
bool TakesAnyFinalizer(const KindInfo& kind) {
  return kind.custom || kind.group == "coordination.k8s.io" ||
         kind.group == "admissionregistration.k8s.io" || kind.group == "apiextensions.k8s.io";
}

NameProblems CheckName(Strategy::NameRule rule, std::string_view name) {
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

// What follows makes up for a dash at the end of a prefix; upstream's mask takes the letter before
// it, too.
std::string MaskedPrefix(Strategy::NameRule rule, std::string prefix) {
  if (rule == Strategy::NameRule::kPathSegment || prefix.size() < 2 || !prefix.ends_with('-'))
    return prefix;
  prefix.resize(prefix.size() - 2);
  return prefix + "a";
}

void CheckNames(Strategy::NameRule rule, const Field& metadata) {
  const Field prefix = metadata["generateName"];
  if (!prefix.IsEmpty()) {
    for (const std::string& why : CheckName(rule, MaskedPrefix(rule, prefix.Text())))
      prefix.Invalid(why);
  }
  const Field name = metadata["name"];
  if (!name.Require("name or generateName is required")) return;
  for (const std::string& why : CheckName(rule, name.Text())) name.Invalid(why);
}

void CheckAnnotations(const Field& annotations) {
  size_t total = 0;
  for (const Field::Entry& entry : annotations.Entries()) {
    for (const std::string& why : CheckQualifiedName(ToLower(entry.key)))
      annotations.Invalid(json(entry.key).dump(), why);
    total += entry.key.size() + entry.value.Text().size();
  }
  if (total > kMaxAnnotationBytes) annotations.TooLong(kMaxAnnotationBytes);
}

// A version is what follows the group of "group/version"; more slashes leave none.
bool HasVersion(const std::string& api_version) {
  const size_t slash = api_version.find('/');
  if (slash == std::string::npos) return !api_version.empty();
  return slash + 1 < api_version.size() && api_version.find('/', slash + 1) == std::string::npos;
}

void CheckOwner(const Field& owner, const std::string& list) {
  const Field version = owner["apiVersion"];
  const auto refuse = [&list](const Field& field, const char* why) {
    field.At(list + field.path().substr(field.path().rfind('.')))
        .Invalid(json(field.Text()).dump(), why);
  };
  if (!HasVersion(version.Text())) refuse(version, "version must not be empty");
  for (const char* name : {"kind", "name", "uid"}) {
    if (owner[name].IsEmpty()) refuse(owner[name], "must not be empty");
  }
  if (version.Text() == "v1" && owner["kind"].Text() == "Event") {
    owner.At(list).Invalid(InOrder(owner.value(), kOwnerFields),
                           "/v1, Kind=Event is disallowed from being an owner");
  }
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
    owners.Invalid(InOrder(owners.value(), kOwnerFields),
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
    orphans |= finalizer.Text() == kOrphan;
    waits |= finalizer.Text() == kForeground;
  }
  if (orphans && waits)
    finalizers.Invalid("finalizer orphan and foregroundDeletion cannot be both set");
}

void CheckStandardName(const Field& finalizer) {
  const std::string name = finalizer.Text();
  const bool standard = std::find(std::begin(kStandardFinalizers), std::end(kStandardFinalizers),
                                  name) != std::end(kStandardFinalizers);
  if (standard || name.find('/') != std::string::npos) return;
  finalizer.Invalid("name is neither a standard finalizer name nor is it fully qualified");
}

void CheckStandardNames(const KindInfo& kind, const Field& finalizers) {
  if (TakesAnyFinalizer(kind)) return;
  for (const Field& finalizer : finalizers.Items()) CheckStandardName(finalizer);
}

void CheckParts(const Field& metadata) {
  CheckLabels(metadata["labels"]);
  CheckAnnotations(metadata["annotations"]);
  CheckOwners(metadata["ownerReferences"]);
}

// While it is being deleted, an object can only lose finalizers.
void CheckNoNewFinalizers(const Field& finalizers, const Field& old) {
  std::set<std::string> added;
  for (const Field& finalizer : finalizers.Items()) added.insert(finalizer.Text());
  for (const Field& finalizer : old.Items()) added.erase(finalizer.Text());
  if (added.empty()) return;
  std::vector<std::string> names;
  for (const std::string& name : added) names.push_back(json(name).dump());
  finalizers.Forbidden(
      "no new finalizers can be added if the object is being deleted, found new finalizers "
      "[]string{" +
      Join(names, ", ") + "}");
}

}  // namespace

void CheckFinalizerName(const Field& finalizer) {
  finalizer.Named(CheckQualifiedName);
  CheckStandardName(finalizer);
}

void ValidateMetadata(const KindInfo& kind, Strategy::NameRule rule, const json& object,
                      Problems& problems) {
  const Field metadata = MetadataOf(object, problems);
  CheckNames(rule, metadata);
  metadata["generation"].AtLeast(0, kNotNegative);
  CheckParts(metadata);
  CheckFinalizers(metadata["finalizers"]);
  CheckStandardNames(kind, metadata["finalizers"]);
}

void ValidateMetadataUpdate(const KindInfo& kind, const json& object, const json& old,
                            Problems& problems) {
  ValidateAnyMetadataUpdate(object, old, problems);
  CheckStandardNames(kind, MetadataOf(object, problems)["finalizers"]);
}

void ValidateAnyMetadata(const json& object, Problems& problems) {
  const Field metadata = MetadataOf(object, problems);
  CheckNames(Strategy::NameRule::kPathSegment, metadata);
  metadata["generation"].AtLeast(0, kNotNegative);
  CheckParts(metadata);
  CheckFinalizers(metadata["finalizers"]);
}

void ValidateAnyMetadataUpdate(const json& object, const json& old, Problems& problems) {
  const Field metadata = MetadataOf(object, problems);
  const Field before = MetadataOf(old, problems);
  if (before["deletionTimestamp"].IsSet())
    CheckNoNewFinalizers(metadata["finalizers"], before["finalizers"]);
  for (const char* name : {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                           "deletionGracePeriodSeconds"}) {
    metadata[name].Unchanged(before[name]);
  }
  CheckParts(metadata);
}

}  // namespace berth::apiserver
