// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/json/field_path.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "crds/plugin_lists.h"
#include "crds/validation.h"

namespace berth::crds {
namespace {

using api::FieldError;
using Errors = std::vector<FieldError>;

void RejectUnknown(const std::string& path, const std::string& name,
                   const PluginCatalogueView& catalogue, Errors& errors) {
  errors.push_back(FieldError::Invalid(
      path, name, std::string(kUnknownPlugin) + NearestHint(catalogue.Nearest(name))));
}

void CheckEnabled(const api::PluginPoint& point, const api::Plugin& entry,
                  const PluginCatalogueView& catalogue, Errors& errors) {
  const std::string path = EntryPath(point, "enabled", entry.name);
  const PluginView* plugin = catalogue.Find(entry.name);
  if (plugin == nullptr) {
    RejectUnknown(path, entry.name, catalogue, errors);
  } else if (point.name != kMultiPoint && !plugin->Implements(point.name)) {
    errors.push_back(FieldError::Invalid(path, entry.name,
                                         "does not implement " + std::string(point.name) +
                                             "; it implements " + Join(plugin->points, ", ")));
  } else if (!plugin->served) {
    errors.push_back(FieldError::Invalid(path, entry.name, catalogue.WhyNotServed(*plugin)));
  }
}

void CheckArgs(const api::PluginConfig& config, const PluginCatalogueView& catalogue,
               Errors& errors) {
  const std::string path = json::ListEntryPath("spec.pluginConfig", "name", config.name);
  const PluginView* plugin = catalogue.Find(config.name);
  if (plugin == nullptr) {
    RejectUnknown(path, config.name, catalogue, errors);
  } else if (plugin->check_args) {
    for (FieldError& error : plugin->check_args(config.args)) {
      error.path = api::Child(path, error.path);
      errors.push_back(std::move(error));
    }
  }
}

// Returns the served plugins that run at a point that requires exactly one plugin, or at least one.
std::vector<std::string> EffectiveAt(const api::PluginPoint& point, const api::Plugins& plugins,
                                     const PluginCatalogueView& catalogue) {
  std::vector<std::string> names;
  for (const PluginView& plugin : catalogue.plugins) {
    if (!plugin.served || !plugin.Implements(point.name)) continue;
    if (RunsAt(point, plugins, plugin)) names.push_back(plugin.name);
  }
  return names;
}

// Returns the fix for more than one queue sort plugin: usually the default profile's is left over.
std::string HowToKeepOne(const std::vector<std::string>& sorts, const api::Plugins& plugins) {
  std::vector<std::string> left_over;
  for (const std::string& name : sorts) {
    const bool is_asked_for =
        Lists(plugins.multi_point.enabled, name) || Lists(plugins.queue_sort.enabled, name);
    if (!is_asked_for) left_over.push_back("{name: " + name + "}");
  }
  if (left_over.empty()) return "disable the others in queueSort.disabled";
  return "write queueSort: {disabled: [" + Join(left_over, ", ") + "]}";
}

FieldError NoPluginLeft(const char* path) {
  return FieldError::Required(
      path, "no plugin is left at this point, but a scheduler needs one: disable fewer");
}

void CheckQueueSort(const api::Plugins& plugins, const PluginCatalogueView& catalogue,
                    Errors& errors) {
  constexpr const char* kPath = "spec.plugins.queueSort";
  const std::vector<std::string> names = EffectiveAt(PointNamed("queueSort"), plugins, catalogue);
  if (names.empty()) {
    errors.push_back(NoPluginLeft(kPath));
  } else if (names.size() > 1 && plugins.queue_sort.enabled.size() <= 1) {
    errors.push_back(FieldError::Invalid(
        kPath, Join(names, ", "),
        std::string(api::Plugins::kOneQueueSort) + "; " + HowToKeepOne(names, plugins)));
  }
}

void CheckBind(const api::Plugins& plugins, const PluginCatalogueView& catalogue, Errors& errors) {
  if (!EffectiveAt(PointNamed("bind"), plugins, catalogue).empty()) return;
  errors.push_back(NoPluginLeft("spec.plugins.bind"));
}

}  // namespace

Errors ValidatePlugins(const SchedulerProfileSpec& spec, const PluginCatalogueView& catalogue) {
  Errors errors;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    const api::PluginSet& set = spec.plugins.*point.set;
    for (const api::Plugin& entry : set.enabled) CheckEnabled(point, entry, catalogue, errors);
    for (const api::DisabledPlugin& entry : set.disabled) {
      if (entry.name == kAllPlugins || catalogue.Find(entry.name) != nullptr) continue;
      RejectUnknown(EntryPath(point, "disabled", entry.name), entry.name, catalogue, errors);
    }
  }
  CheckQueueSort(spec.plugins, catalogue, errors);
  CheckBind(spec.plugins, catalogue, errors);
  for (const api::PluginConfig& config : spec.plugin_config) CheckArgs(config, catalogue, errors);
  return errors;
}

}  // namespace berth::crds
