// SPDX-License-Identifier: Apache-2.0
#include "convert/versions.h"

#include <algorithm>
#include <array>
#include <span>

#include "api/field_error.h"
#include "api/old_scheduler_config.h"
#include "base/json/field_path.h"
#include "base/strings.h"
#include "convert/draft.h"
#include "convert/unknown_fields.h"

namespace berth::convert {
namespace {

using enum ConfigVersion;

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";
constexpr std::string_view kFirstGroup = "componentconfig/v1alpha1";  // up to 1.11
constexpr std::array<std::string_view, 6> kVersions = {"v1alpha1", "v1alpha2", "v1beta1",
                                                       "v1beta2",  "v1beta3",  "v1"};

std::string NameOf(ConfigVersion version) {
  return std::string(kVersions[static_cast<size_t>(version)]);
}

constexpr std::string_view kPlugins = "plugins";
constexpr std::string_view kPluginsOfProfile = "profiles[].plugins";

// Span is the range of versions that have a name. `parent` is the path of the struct of a field, or
// the plugin of an argument.
struct Span {
  std::string_view parent;
  std::string_view name;
  ConfigVersion first;
  ConfigVersion last;
};

constexpr Span kFields[] = {
    {"", "schedulerName", kV1Alpha1, kV1Alpha1},
    {"", "algorithmSource", kV1Alpha1, kV1Alpha1},
    {"", "hardPodAffinitySymmetricWeight", kV1Alpha1, kV1Alpha1},
    {"", "plugins", kV1Alpha1, kV1Alpha1},
    {"", "pluginConfig", kV1Alpha1, kV1Alpha1},
    {"", "disablePreemption", kV1Alpha1, kV1Alpha2},
    {"", "bindTimeoutSeconds", kV1Alpha1, kV1Alpha2},
    {"", "healthzBindAddress", kV1Alpha1, kV1Beta2},
    {"", "metricsBindAddress", kV1Alpha1, kV1Beta2},
    {"", "profiles", kV1Alpha2, kV1},
    {"", "extenders", kV1Alpha2, kV1},
    {"", "parallelism", kV1Beta1, kV1},
    {"", "delayCacheUntilActive", kV1, kV1},
    {"leaderElection", "lockObjectName", kV1Alpha1, kV1Alpha1},
    {"leaderElection", "lockObjectNamespace", kV1Alpha1, kV1Alpha1},
    {"profiles[]", "percentageOfNodesToScore", kV1, kV1},
    {"extenders[]", "enableHttps", kV1Alpha2, kV1Alpha2},
    {"extenders[]", "apiVersion", kV1Alpha2, kV1Alpha2},
    {"plugins", "preScore", kV1Alpha2, kV1},
    {"plugins", "multiPoint", kV1Beta2, kV1},
    {"plugins", "preEnqueue", kV1Beta2, kV1},
    {"plugins", "placementGenerate", kV1, kV1},
    {"plugins", "placementScore", kV1, kV1},
    {"plugins", "podGroupPostFilter", kV1, kV1},
    // In v1alpha1, which has no profiles, both are always points.
    {kPluginsOfProfile, "unreserve", kV1Alpha2, kV1Alpha2},
    {kPluginsOfProfile, "postFilter", kV1Beta1, kV1},
};

constexpr Span kPluginSpans[] = {
    {"", "DefaultPodTopologySpread", kV1Alpha1, kV1Alpha2},
    {"", "NodeResourceLimits", kV1Alpha1, kV1Alpha2},
    {"", "NodeLabel", kV1Alpha1, kV1Beta1},
    {"", "ServiceAffinity", kV1Alpha1, kV1Beta1},
    {"", "NodePreferAvoidPods", kV1Alpha1, kV1Beta1},
    {"", "NodeResourcesLeastAllocated", kV1Alpha1, kV1Beta1},
    {"", "NodeResourcesMostAllocated", kV1Alpha1, kV1Beta1},
    {"", "RequestedToCapacityRatio", kV1Alpha1, kV1Beta1},
    {"", "SelectorSpread", kV1Beta1, kV1Beta3},
    {"", "DefaultPreemption", kV1Beta1, kV1},
    {"", "SchedulingGates", kV1Beta2, kV1},
    {"", "DynamicResources", kV1Beta2, kV1},
    {"", "NodeDeclaredFeatures", kV1, kV1},
    {"", "DeferredPodScheduling", kV1, kV1},
    {"", "GangScheduling", kV1, kV1},
    {"", "TopologyPlacementGenerator", kV1, kV1},
    {"", "PodGroupPodsCount", kV1, kV1},
};

constexpr Span kArguments[] = {
    {"InterPodAffinity", "ignorePreferredTermsOfExistingPods", kV1Beta2, kV1},
    {"NodeAffinity", "addedAffinity", kV1Beta1, kV1},
    {"NodeResourcesBalancedAllocation", "resources", kV1Beta1, kV1},
    {"NodeResourcesFit", "ignoredResourceGroups", kV1Beta1, kV1},
    {"NodeResourcesFit", "scoringStrategy", kV1Beta1, kV1},
    {"PodTopologySpread", "defaultingType", kV1Beta1, kV1},
    {"VolumeBinding", "bindTimeoutSeconds", kV1Beta1, kV1},
    {"VolumeBinding", "shape", kV1Beta1, kV1},
};

const Span* FindSpan(std::span<const Span> spans, std::string_view parent, std::string_view name) {
  const auto found = std::ranges::find_if(
      spans, [&](const Span& span) { return span.parent == parent && span.name == name; });
  return found == spans.end() ? nullptr : &*found;
}

// Returns the span of a field. The plugins of a profile have those of `plugins`, too.
const Span* FindField(std::string_view parent, std::string_view name) {
  const Span* span = FindSpan(kFields, parent, name);
  if (span == nullptr && parent == kPluginsOfProfile) span = FindSpan(kFields, kPlugins, name);
  return span;
}

std::string WhyNot(const Span* span, std::string_view what, ConfigVersion version) {
  if (span == nullptr || (version >= span->first && version <= span->last)) return "";
  std::string versions = NameOf(span->first);
  if (span->last == kV1 && span->first != kV1) {
    versions += " and later";
  } else if (span->last != span->first) {
    versions += " to " + NameOf(span->last);
  }
  return "not " + std::string(what) + " of " + NameOf(version) + ", only of " + versions;
}

bool IsPlugins(std::string_view parent) {
  return parent == kPlugins || parent == kPluginsOfProfile;
}

bool IsPoint(std::string_view name) {
  return name == "unreserve" ||
         std::ranges::find(api::kPluginPoints, name, &api::PluginPoint::name) !=
             api::kPluginPoints.end();
}

// Walk visits a document and removes fields.
class Walk {
 public:
  Walk(ConfigVersion version, const Reporter& reporter, std::vector<std::string>& misplaced)
      : version_(version), reporter_(reporter), misplaced_(misplaced) {}

  // Returns the text of a value without unknown fields. `pattern` is its path with "[]" for any
  // index.
  std::string Known(const std::string& text, const std::string& pattern,
                    const std::string& path) const;
  void Report(const std::string& path, std::string_view name, const std::string& reason) const;

 private:
  bool Keeps(std::string_view pattern, const std::string& path, std::string_view name) const;
  std::string List(const std::string& text, const std::string& pattern,
                   const std::string& path) const;
  std::string Object(Members members, const std::string& pattern, const std::string& path) const;

  ConfigVersion version_;
  const Reporter& reporter_;
  std::vector<std::string>& misplaced_;
};

void Walk::Report(const std::string& path, std::string_view name, const std::string& reason) const {
  const std::string_view home = HomeOf(version_, name);
  if (home.empty()) return reporter_.Dropped(path, reason);
  misplaced_.push_back(reporter_.PathOf(path) + ": " + reason + " here, but a field of " +
                       std::string(home) + ": move it there");
}

bool Walk::Keeps(std::string_view pattern, const std::string& path, std::string_view name) const {
  const bool is_point = IsPlugins(pattern);
  const std::string why =
      WhyNot(FindField(pattern, name), is_point ? "an extension point" : "a field", version_);
  if (!why.empty()) {
    reporter_.Dropped(path, why);
  } else if (is_point && !IsPoint(name)) {
    Report(path, name, "no such extension point");
  } else {
    return true;
  }
  return false;
}

std::string Walk::List(const std::string& text, const std::string& pattern,
                       const std::string& path) const {
  const auto list = json::Decode<RawList>(R"({"items":)" + text + "}");
  if (!list) return text;
  std::vector<std::string> items;
  for (const json::Raw& item : list->items) {
    items.push_back(Known(item.text, pattern + "[]", api::Index(path, items.size())));
  }
  return "[" + Join(items, ",") + "]";
}

std::string Walk::Object(Members members, const std::string& pattern,
                         const std::string& path) const {
  for (auto member = members.begin(); member != members.end();) {
    auto& [name, value] = *member;
    const std::string inner = json::MemberPath(path, name);
    if (!Keeps(pattern, inner, name)) {
      member = members.erase(member);
      continue;
    }
    value.text = Known(value.text, api::Child(pattern, name), inner);
    ++member;
  }
  return json::Encode(members);
}

std::string Walk::Known(const std::string& text, const std::string& pattern,
                        const std::string& path) const {
  const bool has_rows = std::ranges::any_of(
      kFields, [&](const Span& span) { return span.parent.starts_with(pattern); });
  if (!has_rows || text.empty()) return text;
  if (text.front() == '[') return List(text, pattern, path);
  if (text.front() != '{') return text;
  auto members = json::Decode<Members>(text);
  return members ? Object(*std::move(members), pattern, path) : text;
}

}  // namespace

Result<ConfigVersion> ConfigVersionOf(std::string_view api_version) {
  if (api_version == kFirstGroup) return kV1Alpha1;
  if (api_version.starts_with(kGroup)) {
    const auto found = std::ranges::find(kVersions, api_version.substr(kGroup.size()));
    if (found != kVersions.end()) return static_cast<ConfigVersion>(found - kVersions.begin());
  }
  return ConfigError("apiVersion: found " + Quote(api_version) +
                     ", allowed: " + std::string(kGroup) + " with one of " + Join(kVersions, ", "));
}

std::string WhyNoPlugin(ConfigVersion version, std::string_view plugin) {
  return WhyNot(FindSpan(kPluginSpans, "", plugin), "a plugin", version);
}

bool IsFormerPlugin(std::string_view plugin) {
  return FindSpan(kPluginSpans, "", plugin) != nullptr;
}

std::string WhyNoArgument(ConfigVersion version, std::string_view plugin,
                          std::string_view argument) {
  return WhyNot(FindSpan(kArguments, plugin, argument), "an argument", version);
}

std::string_view HomeOf(ConfigVersion version, std::string_view field) {
  const bool has_profiles = version != kV1Alpha1;
  if (field == kPlugins || field == "pluginConfig" || field == "schedulerName") {
    return has_profiles ? "profiles[]" : "the configuration";
  }
  const std::string_view plugins = has_profiles ? kPluginsOfProfile : kPlugins;
  if (IsPoint(field) && WhyNot(FindField(plugins, field), "", version).empty()) {
    return plugins;
  }
  static constexpr std::string_view kTop[] = {"profiles", "extenders", "leaderElection",
                                              "percentageOfNodesToScore", "algorithmSource"};
  const bool is_top = std::ranges::find(kTop, field) != std::end(kTop) &&
                      WhyNot(FindField("", field), "", version).empty();
  return is_top ? "the configuration" : "";
}

KnownFields KnownFieldsOf(std::string_view document, ConfigVersion version,
                          const Reporter& reporter) {
  KnownFields known;
  const Walk walk(version, reporter, known.misplaced);
  known.document = walk.Known(std::string(document), "", "");
  const json::Type& type = json::TypeOf<api::OldSchedulerConfiguration>();
  for (const std::string& path : UnknownFields(known.document, type)) {
    walk.Report(path, std::string_view(path).substr(path.rfind('.') + 1), "unknown field");
  }
  return known;
}

}  // namespace berth::convert
