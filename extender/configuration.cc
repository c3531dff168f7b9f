// SPDX-License-Identifier: Apache-2.0
#include "extender/configuration.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "crds/bounds.h"
#include "crds/names.h"
#include "crds/plugin_lists.h"
#include "crds/validation.h"
#include "engine/extender/extender_verb.h"

namespace berth::extender {
namespace {

using api::FieldError;
using Errors = std::vector<FieldError>;

// The extension points that an extender runs.
constexpr std::array<std::string_view, 4> kPoints = {"preFilter", "filter", "preScore", "score"};
constexpr std::array<std::string_view, 5> kReserved = {"/healthz", "/livez", "/readyz", "/metrics",
                                                       "/version"};

bool IsAskedPoint(std::string_view point) { return std::ranges::count(kPoints, point) > 0; }

Result<void> CheckIdentity(const json::Identity& found) {
  if (found.kind == kKind && found.api_version == crds::kApiVersion) return {};
  return ConfigError("found apiVersion " + Quote(found.api_version) + " and kind " +
                     Quote(found.kind) +
                     "; the file must begin with \"apiVersion: " + std::string(crds::kApiVersion) +
                     "\" and \"kind: " + std::string(kKind) + "\"");
}

Result<ExtenderConfiguration> Load(std::string_view text) {
  BERTH_TRY(const std::string document, yaml::ToJson(text));
  if (document == "null") return ConfigError("the file is empty");
  BERTH_TRY(const json::Identity identity, json::Decode<json::Identity>(document));
  BERTH_TRY_VOID(CheckIdentity(identity));
  auto config = json::Decode<ExtenderConfiguration>(document, json::Mode::kStrict);
  if (!config) return Fail(config.error().With("strict decoding error"));
  for (ServedExtender& entry : config->extenders) {
    if (entry.http_timeout == Duration()) entry.http_timeout = Duration(std::chrono::seconds(5));
  }
  return config;
}

// Returns the path of a URL, or the text itself if it is only a path.
std::string_view PathIn(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return url;
  const size_t path = url.find('/', scheme + 3);
  return path == url.npos ? std::string_view() : url.substr(path);
}

bool IsPlainPath(std::string_view path) {
  constexpr std::string_view kOthers = "/-._~";
  return std::ranges::all_of(
      path, [&](char c) { return IsLetter(c) || IsDigit(c) || kOthers.find(c) != kOthers.npos; });
}

// Validates the paths of an entry's verbs; `taken` has the paths of the entries before.
void CheckPaths(const ServedExtender& entry, const std::string& path,
                std::map<std::string, std::string>& taken, Errors& errors) {
  const std::string_view prefix = PathIn(entry.url_prefix);
  if ((!prefix.empty() && prefix.front() != '/') || !IsPlainPath(prefix)) {
    errors.push_back(FieldError::Invalid(api::Child(path, "urlPrefix"), entry.url_prefix,
                                         "must be a path such as /scheduler, or a URL with such a "
                                         "path, of letters, digits and / - . _ ~"));
    return;
  }
  bool serves = false;
  for (const engine::ExtenderVerbRow& verb : engine::kExtenderVerbs) {
    const std::string& value = entry.*verb.path;
    if (value.empty()) continue;
    serves = true;
    const std::string field = api::Child(path, verb.field);
    const std::string served = PathOf(entry, value);
    if (!IsPlainPath(value)) {
      errors.push_back(
          FieldError::Invalid(field, value, "must consist of letters, digits and / - . _ ~"));
    } else if (std::ranges::any_of(kReserved, [&](std::string_view reserved) {
                 return served == reserved || served.starts_with(std::string(reserved) + "/");
               })) {
      errors.push_back(FieldError::Invalid(
          field, value, served + " is reserved by the server; choose another urlPrefix"));
    } else if (const auto [at, is_new] = taken.emplace(served, field); !is_new) {
      errors.push_back(
          FieldError::Invalid(field, value, served + " is served by " + at->second + " already"));
    }
  }
  if (!serves) {
    errors.push_back(FieldError::Required(
        path, "give at least one of filterVerb, prioritizeVerb, preemptVerb and bindVerb"));
  }
}

// Rejects plugins at extension points that an extender does not run.
void CheckPoints(const api::Plugins& plugins, const std::string& path,
                 const crds::PluginCatalogueView& catalogue, Errors& errors) {
  for (const api::PluginPoint& point : api::kPluginPoints) {
    if (IsAskedPoint(point.name) || point.name == crds::kMultiPoint) continue;
    const api::PluginSet& set = plugins.*point.set;
    if (set.enabled.empty()) continue;
    errors.push_back(
        FieldError::Forbidden(api::Child(path, point.name),
                              "an extender runs only preFilter, filter, preScore and score"));
  }
  for (const api::Plugin& plugin : plugins.multi_point.enabled) {
    const crds::PluginView* view = catalogue.Find(plugin.name);
    if (view == nullptr || !view->served || std::ranges::any_of(view->points, IsAskedPoint)) {
      continue;
    }
    errors.push_back(FieldError::Invalid(
        api::Child(path, "multiPoint.enabled[name=" + plugin.name + "]"), plugin.name,
        "it implements " + Join(view->points, ", ") +
            "; an extender runs only preFilter, filter, preScore and score"));
  }
}

// Validates the plugins like those of a profile.
void CheckPlugins(const ServedExtender& entry, const std::string& path,
                  const crds::PluginCatalogueView& catalogue, Errors& errors) {
  CheckPoints(entry.plugins, api::Child(path, "plugins"), catalogue, errors);
  const api::KubeSchedulerProfile profile = ProfileOf(entry);
  crds::SchedulerProfileSpec spec;
  spec.plugins = profile.plugins;
  spec.plugin_config = profile.plugin_config;
  for (FieldError& error : crds::ValidatePlugins(spec, catalogue)) {
    error.path = path + error.path.substr(std::string_view("spec").size());
    errors.push_back(std::move(error));
  }
}

}  // namespace

const json::Type& ServedExtender::JsonType() {
  static const json::Type type = json::Describe<ServedExtender>(json::Object(
      json::Inherit<ServedExtender, api::Extender>(),
      json::Field("plugins", &ServedExtender::plugins)
          .Doc("Plugins of the entry, as in a profile, at the extension points preFilter, filter, "
               "preScore, score and multiPoint. The default profile's plugins are not enabled."),
      json::Field("pluginConfig", &ServedExtender::plugin_config)
          .Doc("Arguments of these plugins.")
          .ListMap("name")));
  return type;
}

const json::Type& ExtenderConfiguration::JsonType() {
  static const json::Type type = json::Describe<ExtenderConfiguration>(
      json::Object(json::Constant("apiVersion", crds::kApiVersion), json::Constant("kind", kKind),
                   json::Field("extenders", &ExtenderConfiguration::extenders)
                       .Doc("The extenders to serve. Each entry has the form of an entry of "
                            "`extenders` in the configuration of the calling scheduler.")));
  return type;
}

Result<ExtenderConfiguration> LoadConfiguration(std::string_view text, std::string_view source) {
  auto config = Load(text);
  if (!config) return Fail(config.error().With(source));
  return config;
}

Errors Validate(const ExtenderConfiguration& config, const crds::PluginCatalogueView& catalogue) {
  Errors errors = crds::CheckBounds(ExtenderConfiguration::JsonType(), &config, "");
  if (config.extenders.empty()) {
    errors.push_back(FieldError::Required("extenders", "give at least one extender"));
  }
  std::map<std::string, std::string> taken;
  for (size_t i = 0; i < config.extenders.size(); ++i) {
    const std::string path = api::Index("extenders", i);
    CheckPaths(config.extenders[i], path, taken, errors);
    CheckPlugins(config.extenders[i], path, catalogue, errors);
  }
  return errors;
}

std::string PathOf(const ServedExtender& entry, std::string_view verb) {
  std::string_view prefix = PathIn(entry.url_prefix);
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  return std::string(prefix) + "/" + std::string(verb);
}

api::KubeSchedulerProfile ProfileOf(const ServedExtender& entry) {
  const std::string all(crds::kAllPlugins);
  api::KubeSchedulerProfile profile;
  profile.plugins = entry.plugins;
  profile.plugin_config = entry.plugin_config;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    api::PluginSet& set = profile.plugins.*point.set;
    if (IsAskedPoint(point.name)) continue;
    if (point.name != crds::kMultiPoint) set.enabled.clear();
    if (!crds::IsDisabled(set, all)) set.disabled.push_back({.name = all});
  }
  profile.plugins.queue_sort.enabled = {{.name = "PrioritySort"}};
  profile.plugins.bind.enabled = {{.name = "DefaultBinder"}};
  return profile;
}

}  // namespace berth::extender
