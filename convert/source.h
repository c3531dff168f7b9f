// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/rbac.h"
#include "base/error.h"
#include "convert/finding.h"
#include "convert/workload.h"

namespace berth::convert {

// ConfigText is a Policy or a KubeSchedulerConfiguration.
struct ConfigText {
  std::string kind;
  std::string api_version;
  std::string document;  // JSON
  std::string title;     // where it is: "ConfigMap ns/name, data[policy.cfg]"; empty: a document
  ConfigKey key;         // of the ConfigMap; empty names: none
};

// Binding says that an account may do what a ClusterRole says.
struct Binding {
  std::string cluster_role;
  std::vector<api::Subject> subjects;
};

// Source is what the documents of a file are.
struct Source {
  std::vector<ConfigText> configs;
  std::vector<Workload> workloads;
  std::vector<Binding> bindings;
  std::vector<std::string> unlimited;  // the ClusterRoles that allow everything
};

// ReadSource reads a text of one or several documents, JSON or YAML; a List stands for its items.
// What is no part of a scheduler's configuration is reported as dropped. Errors (kConfig) name the
// document, and show the line where the text is malformed.
Result<Source> ReadSource(std::string_view text, const Reporter& reporter);

}  // namespace berth::convert
