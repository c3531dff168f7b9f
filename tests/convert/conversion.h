// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "convert/convert.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// Returns the plugin catalogue of this version.
const crds::PluginCatalogueView& Catalogue();

// Converts a text (JSON or YAML). A failure fails the test.
Conversion ConversionOf(std::string_view text, const Options& options = {.source = "file.yaml"});

// Returns the conversion errors, one per line; "" on success.
std::string ErrorOf(std::string_view text, const Options& options = {.source = "file.yaml"});

// Returns plugin lists in one line and omits empty ones: "filter: NodeName, NodePorts; score:
// ImageLocality=2, -NodeAffinity". A minus marks a disabled plugin.
std::string ListsOf(const crds::SchedulerProfileSpec& spec);

// Returns all arguments in one line: `NodeLabel {"presentLabels":["a"]}`.
std::string ArgsIn(const crds::SchedulerProfileSpec& spec);

// Returns the findings, one per line.
std::string ReportOf(const Conversion& conversion);

// Returns this version's validation errors of a profile, one per line.
std::string ErrorsIn(const crds::SchedulerProfile& profile);

// Reads a file of tests/convert/inputs.
std::string InputText(const std::string& file);

// Returns a configuration of a version with these members, in flow style.
std::string ConfigOf(const std::string& version, const std::string& members);

// Returns a Policy with these members. Without a list, the default list applies.
std::string PolicyWith(const std::string& members);

// Returns a Deployment kube-system/d with one container. The arguments are members of the container
// and of the pod.
std::string DeploymentOf(const std::string& container, const std::string& pod = "");

// Returns a ConfigMap kube-system/c with one key.
std::string ConfigMapOf(const std::string& key, const std::string& text);

// FieldCase is a configuration with these members, and a line of its report or error.
struct FieldCase {
  std::string members;
  std::string finding;
};

// LinkCase is a file and a line of its report or error.
struct LinkCase {
  std::string text;
  std::string finding;
};

// A Policy and a configuration that enable ImageLocality with weight 4.
inline constexpr const char* kImagePolicy =
    R"({"kind": "Policy", "predicates": [], "priorities": [{"name": "ImageLocalityPriority", "weight": 4}]})";
inline constexpr const char* kImageConfig =
    "{apiVersion: kubescheduler.config.k8s.io/v1beta3, kind: KubeSchedulerConfiguration, profiles: "
    "[{schedulerName: mine, plugins: {score: {enabled: [{name: ImageLocality, weight: 4}]}}}]}";

}  // namespace berth::convert
