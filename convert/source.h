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

// ConfigText is the text of a Policy or a KubeSchedulerConfiguration.
struct ConfigText {
  std::string kind;
  std::string api_version;
  std::string document;  // JSON
  std::string title;     // its location: "ConfigMap ns/name, data[policy.cfg]"; empty: a document
  ConfigKey key;         // in the ConfigMap; empty names: none
  size_t number = 0;     // of the file's document, from 1
};

// Binding grants a ClusterRole to a service account.
struct Binding {
  std::string cluster_role;
  std::vector<api::Subject> subjects;
};

// Source holds the classified documents of a file.
struct Source {
  std::vector<ConfigText> configs;
  std::vector<Workload> workloads;
  std::vector<Binding> bindings;
  std::vector<std::string> unlimited;  // ClusterRoles that allow everything
};

// Parses one or several documents, JSON or YAML, and expands Lists. Reports documents that are
// unrelated to a scheduler's configuration as dropped. Errors (kConfig) name the document and show
// the line of a syntax error.
Result<Source> ReadSource(std::string_view text, const Reporter& reporter);

}  // namespace berth::convert
