// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/discovery.h"

#include <nlohmann/json.hpp>

#include "api/kubernetes_version.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string GroupVersionText(const std::string& group, const std::string& version) {
  return group.empty() ? version : group + "/" + version;
}

json GroupVersion(const std::string& group, const std::string& version) {
  return {{"groupVersion", GroupVersionText(group, version)}, {"version", version}};
}

json GroupDocument(const KindRegistry::Group& group) {
  json versions = json::array();
  for (const KindRegistry::Version& version : group.versions)
    versions.push_back(GroupVersion(group.name, version.name));
  const json preferred = versions[0];
  return {{"name", group.name}, {"versions", std::move(versions)}, {"preferredVersion", preferred}};
}

json ResourceEntry(const KindInfo& kind) {
  json entry = {{"name", kind.plural},
                {"singularName", kind.singular},
                {"namespaced", kind.namespaced},
                {"kind", kind.kind},
                {"verbs", kind.verbs}};
  if (!kind.short_names.empty()) entry["shortNames"] = kind.short_names;
  if (!kind.categories.empty()) entry["categories"] = kind.categories;
  return entry;
}

json SubresourceEntry(const KindInfo& kind, const Subresource& sub) {
  json entry = {{"name", kind.plural + "/" + sub.name},
                {"singularName", ""},
                {"namespaced", kind.namespaced},
                {"kind", sub.kind.kind},
                {"verbs", sub.verbs}};
  if (sub.kind.group != kind.group) {
    entry["group"] = sub.kind.group;
    entry["version"] = sub.kind.version;
  }
  return entry;
}

json AggregatedResource(const KindInfo& kind) {
  const auto gvk = [&kind](const GroupVersionKind& of) -> json {
    const bool same = of.group == kind.group && of.version == kind.version;
    return {
        {"group", same ? "" : of.group}, {"version", same ? "" : of.version}, {"kind", of.kind}};
  };
  json entry = {{"resource", kind.plural},
                {"responseKind", gvk(kind.Gvk())},
                {"scope", kind.namespaced ? "Namespaced" : "Cluster"},
                {"singularResource", kind.singular},
                {"verbs", kind.verbs}};
  if (!kind.short_names.empty()) entry["shortNames"] = kind.short_names;
  if (!kind.categories.empty()) entry["categories"] = kind.categories;
  for (const Subresource& sub : kind.subresources) {
    entry["subresources"].push_back(
        {{"subresource", sub.name}, {"responseKind", gvk(sub.kind)}, {"verbs", sub.verbs}});
  }
  return entry;
}

}  // namespace

json ApiVersions(const std::string& address) {
  return {{"kind", "APIVersions"},
          {"versions", {"v1"}},
          {"serverAddressByClientCIDRs",
           json::array({{{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", address}}})}};
}

json ApiGroupList(const KindRegistry& kinds) {
  json groups = json::array();
  for (const KindRegistry::Group& group : kinds.groups()) {
    if (!group.name.empty()) groups.push_back(GroupDocument(group));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

std::optional<json> ApiGroup(const KindRegistry& kinds, std::string_view name) {
  const KindRegistry::Group* group = kinds.FindGroup(name);
  if (group == nullptr || name.empty()) return std::nullopt;
  json document = GroupDocument(*group);
  document["kind"] = "APIGroup";
  document["apiVersion"] = "v1";
  return document;
}

std::optional<json> ApiResourceList(const KindRegistry& kinds, std::string_view group,
                                    std::string_view version) {
  const KindRegistry::Group* found = kinds.FindGroup(group);
  if (found == nullptr) return std::nullopt;
  for (const KindRegistry::Version& entry : found->versions) {
    if (entry.name != version) continue;
    json resources = json::array();
    for (const KindPtr& kind : entry.kinds) {
      resources.push_back(ResourceEntry(*kind));
      for (const Subresource& sub : kind->subresources)
        resources.push_back(SubresourceEntry(*kind, sub));
    }
    json document = {{"kind", "APIResourceList"},
                     {"groupVersion", GroupVersionText(found->name, entry.name)},
                     {"resources", std::move(resources)}};
    if (!group.empty()) document["apiVersion"] = "v1";
    return document;
  }
  return std::nullopt;
}

json AggregatedDiscovery(const KindRegistry& kinds, bool core) {
  json items = json::array();
  for (const KindRegistry::Group& group : kinds.groups()) {
    if (group.name.empty() != core) continue;
    json versions = json::array();
    for (const KindRegistry::Version& version : group.versions) {
      json resources = json::array();
      for (const KindPtr& kind : version.kinds) resources.push_back(AggregatedResource(*kind));
      versions.push_back({{"version", version.name},
                          {"resources", std::move(resources)},
                          {"freshness", "Current"}});
    }
    json metadata = json::object();
    if (!group.name.empty()) metadata["name"] = group.name;
    items.push_back({{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
  }
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/v2"},
          {"metadata", json::object()},
          {"items", std::move(items)}};
}

json VersionDocument() {
  const auto [major, minor] = api::kReferenceKubernetes;
  const std::string major_text = std::to_string(major);
  const std::string minor_text = std::to_string(minor);
  return {{"major", major_text},
          {"minor", minor_text},
          {"emulationMajor", major_text},
          {"emulationMinor", minor_text},
          {"minCompatibilityMajor", major_text},
          {"minCompatibilityMinor", std::to_string(minor - 1)},
          {"gitVersion", api::kReferenceRelease},
          {"gitCommit", ""},
          {"gitTreeState", "clean"},
          {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", ""},
          {"compiler", ""},
          {"platform", "linux/amd64"}};
}

}  // namespace berth::apiserver
