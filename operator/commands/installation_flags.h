// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/flags.h"
#include "controllers/plan.h"
#include "operator/own_image.h"

namespace berth::operator_ {

// Value of --scheduler-architecture for a multi-architecture image.
inline constexpr std::string_view kAnyArchitecture = "any";

// InstallationFlags are the installation's settings for schedulers and its allowances for profiles
// (crds/allowances.h). `berth operator`, `berth validate` and `berth render` share them, so that
// the offline commands give the operator's results.
struct InstallationFlags {
  std::string ns;               // empty: kDefaultNamespace
  std::string scheduler_image;  // empty: this version's image
  std::string scheduler_architecture{kOwnArchitecture};
  std::string kube_scheduler_image;  // empty: chosen by the API server's version
  bool allow_default_scheduler = false;
  // Besides the namespace of the installation and the default PriorityClass, which are always
  // allowed.
  crds::Allowances allowances{.namespaces = {}, .priority_classes = {}};
  std::vector<std::string> max_requests;      // "cpu=4"; empty: the default
  std::vector<std::string> api_server_ports;  // "8443"; empty: as published by the API servers
};

// Returns the flags. Requires: `flags` outlives the returned flags.
std::vector<Flag> FlagsOf(InstallationFlags& flags);

// Converts the flags. Errors (kConfig) name the flag.
Result<controllers::PlanOptions> PlanOptionsOf(const InstallationFlags& flags);

// Returns the namespace of the installation.
std::string NamespaceOf(const InstallationFlags& flags);

}  // namespace berth::operator_
