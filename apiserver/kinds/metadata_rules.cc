// SPDX-License-Identifier: Apache-2.0
#include "apiserver/kinds/metadata_rules.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/names.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr size_t kMaxAnnotationBytes = 256 << 10;

NameProblems CheckPathSegment(std::string_view name) {
  NameProblems problems;
  if (name == "." || name == "..") problems.push_back("may not be '" + std::string(name) + "'");
  for (const char bad : {'/', '%'}) {
    if (name.find(bad) != std::string_view::npos) {
      problems.push_back(std::string("may not contain '") + bad + "'");
    }
  }
  return problems;
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

void CheckLabels(const json& metadata, Problems& problems) {
  if (!metadata.contains("labels")) return;
  for (const auto& [key, value] : metadata["labels"].items()) {
    for (const std::string& why : CheckQualifiedName(key)) {
      problems.push_back(InvalidField("metadata.labels", json(key).dump(), why));
    }
    if (!value.is_string()) continue;
    for (const std::string& why : CheckLabelValue(value.get<std::string>())) {
      problems.push_back(InvalidField("metadata.labels", value.dump(), why));
    }
  }
}

void CheckAnnotations(const json& metadata, Problems& problems) {
  if (!metadata.contains("annotations")) return;
  size_t total = 0;
  for (const auto& [key, value] : metadata["annotations"].items()) {
    std::string lower = key;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const std::string& why : CheckQualifiedName(lower)) {
      problems.push_back(InvalidField("metadata.annotations", json(key).dump(), why));
    }
    total += key.size() + (value.is_string() ? value.get_ref<const std::string&>().size() : 0);
  }
  if (total > kMaxAnnotationBytes) {
    problems.push_back({"metadata.annotations", "FieldValueTooLong",
                        "Too long: may not be more than 262144 bytes"});
  }
}

void CheckOwners(const json& metadata, Problems& problems) {
  if (!metadata.contains("ownerReferences")) return;
  size_t i = 0;
  std::string controller;
  for (const json& owner : metadata["ownerReferences"]) {
    const std::string path = "metadata.ownerReferences[" + std::to_string(i++) + "]";
    const auto require = [&](const char* field, const char* why) {
      if (owner.value(field, "").empty()) {
        problems.push_back(InvalidField(path + "." + field, "\"\"", why));
      }
    };
    require("apiVersion", "version must not be empty");
    require("kind", "must not be empty");
    require("name", "must not be empty");
    require("uid", "must not be empty");
    if (!owner.value("controller", false)) continue;
    if (!controller.empty()) {
      problems.push_back(InvalidField(
          "metadata.ownerReferences", metadata["ownerReferences"].dump(),
          "Only one reference can have Controller set to true. Found \"true\" in references for " +
              controller + " and " + owner.value("name", "")));
    }
    controller = owner.value("name", "");
  }
}

void CheckFinalizers(const json& metadata, Problems& problems) {
  if (!metadata.contains("finalizers")) return;
  for (const json& finalizer : metadata["finalizers"]) {
    if (!finalizer.is_string()) continue;
    for (const std::string& why : CheckQualifiedName(finalizer.get<std::string>())) {
      problems.push_back(InvalidField("metadata.finalizers", finalizer.dump(), why));
    }
  }
}

void CheckShared(const json& metadata, Problems& problems) {
  CheckLabels(metadata, problems);
  CheckAnnotations(metadata, problems);
  CheckOwners(metadata, problems);
  CheckFinalizers(metadata, problems);
}

}  // namespace

void ValidateMetadata(const KindInfo& /*kind*/, Strategy::NameRule rule, const json& object,
                      Problems& problems) {
  const json& metadata = object["metadata"];
  const std::string name = metadata.value("name", "");
  std::string prefix = metadata.value("generateName", "");
  // What follows makes up for a dash at its end.
  if (prefix.ends_with('-')) prefix.back() = 'a';
  if (!prefix.empty()) {
    for (const std::string& why : CheckName(rule, prefix)) {
      problems.push_back(
          InvalidField("metadata.generateName", metadata["generateName"].dump(), why));
    }
  }
  if (name.empty()) {
    problems.push_back(RequiredField("metadata.name", "name or generateName is required"));
  } else {
    for (const std::string& why : CheckName(rule, name)) {
      problems.push_back(InvalidField("metadata.name", json(name).dump(), why));
    }
  }
  CheckShared(metadata, problems);
}

void ValidateMetadataUpdate(const KindInfo& /*kind*/, Strategy::NameRule /*rule*/,
                            const json& object, const json& old, Problems& problems) {
  CheckShared(object["metadata"], problems);
  for (const char* path :
       {"metadata/name", "metadata/namespace", "metadata/uid", "metadata/creationTimestamp",
        "metadata/deletionTimestamp", "metadata/deletionGracePeriodSeconds"}) {
    CheckUnchanged(object, old, path, problems);
  }
  // While it is being deleted, an object can only lose finalizers.
  if (TextAt(old, "metadata/deletionTimestamp").empty()) return;
  std::set<std::string> before;
  if (const json* list = At(old, "metadata/finalizers"))
    before = list->get<std::set<std::string>>();
  std::vector<std::string> added;
  if (const json* list = At(object, "metadata/finalizers")) {
    for (const json& finalizer : *list) {
      if (!before.contains(finalizer)) added.push_back(finalizer);
    }
  }
  if (added.empty()) return;
  std::string names;
  for (const std::string& name : added) names += (names.empty() ? "\"" : ", \"") + name + "\"";
  problems.push_back(ForbiddenField(
      "metadata.finalizers",
      "no new finalizers can be added if the object is being deleted, found new finalizers "
      "[]string{" +
          names + "}"));
}

}  // namespace berth::apiserver
