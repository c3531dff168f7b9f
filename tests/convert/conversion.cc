// SPDX-License-Identifier: Apache-2.0
#include "tests/convert/conversion.h"

#include <vector>

#include <gtest/gtest.h>

#include "api/scheduler_config.h"
#include "base/file.h"
#include "base/strings.h"
#include "controllers/plugin_catalogue.h"
#include "crds/validation.h"
#include "scheduler/plugins/registry.h"

namespace berth::convert {

const crds::PluginCatalogueView& Catalogue() {
  static const crds::PluginCatalogueView catalogue = controllers::ViewOf(scheduler::MakeRegistry());
  return catalogue;
}

Conversion ConversionOf(std::string_view text, const Options& options) {
  auto conversion = Convert(text, options, Catalogue());
  if (conversion && conversion->errors.empty()) return *std::move(conversion);
  ADD_FAILURE() << ErrorOf(text, options) << "\nof\n" << text;
  Conversion nothing;
  nothing.profiles.emplace_back();
  return nothing;
}

std::string ErrorOf(std::string_view text, const Options& options) {
  const auto conversion = Convert(text, options, Catalogue());
  return conversion ? Join(conversion->errors, "\n") : conversion.error().message();
}

std::string ListsOf(const crds::SchedulerProfileSpec& spec) {
  std::vector<std::string> lists;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    const api::PluginSet& set = spec.plugins.*point.set;
    std::vector<std::string> names;
    for (const api::Plugin& plugin : set.enabled) {
      names.push_back(plugin.name +
                      (plugin.weight == 0 ? "" : "=" + std::to_string(plugin.weight)));
    }
    for (const api::DisabledPlugin& plugin : set.disabled) names.push_back("-" + plugin.name);
    if (!names.empty()) lists.push_back(std::string(point.name) + ": " + Join(names, ", "));
  }
  return Join(lists, "; ");
}

std::string ArgsIn(const crds::SchedulerProfileSpec& spec) {
  std::vector<std::string> all;
  for (const api::PluginConfig& config : spec.plugin_config) {
    all.push_back(config.name + " " + config.args.text);
  }
  return Join(all, "; ");
}

std::string ReportOf(const Conversion& conversion) {
  std::string text;
  for (const Finding& finding : conversion.findings) text += finding.ToString() + "\n";
  return text;
}

std::string ErrorsIn(const crds::SchedulerProfile& profile) {
  crds::SchedulerProfile placed = crds::WithDefaults(profile);
  crds::PlaceByDefault(placed, crds::kDefaultNamespace);
  std::string text;
  for (const api::FieldError& error : crds::Validate(placed, Catalogue())) {
    text += error.ToString() + "\n";
  }
  return text;
}

std::string InputText(const std::string& file) {
  const auto text = ReadFile("tests/convert/inputs/" + file);
  if (!text) ADD_FAILURE() << text.error().message();
  return text.value_or("");
}

std::string ConfigOf(const std::string& version, const std::string& members) {
  return "{apiVersion: kubescheduler.config.k8s.io/" + version +
         ", kind: KubeSchedulerConfiguration, " + members + "}";
}

std::string PolicyWith(const std::string& members) {
  return "{kind: Policy, apiVersion: v1, " + members + "}";
}

std::string DeploymentOf(const std::string& container, const std::string& pod) {
  return "\n---\nkind: Deployment\nmetadata: {name: d, namespace: kube-system}\nspec: {replicas: "
         "1, "
         "template: {spec: {" +
         pod + "containers: [{name: s, " + container + "}]}}}\n";
}

std::string ConfigMapOf(const std::string& key, const std::string& text) {
  return "\n---\nkind: ConfigMap\nmetadata: {name: c, namespace: kube-system}\ndata:\n  " + key +
         ": |\n    " + text + "\n";
}

}  // namespace berth::convert
