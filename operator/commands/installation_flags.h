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

// What --scheduler-architecture takes for an image of several.
inline constexpr std::string_view kAnyArchitecture = "any";

// InstallationFlags say what an installation gives schedulers and what it allows profiles
// (crds/allowances.h). `berth operator` has them, and `berth validate` and `berth render`, so that
// they answer offline what the operator would.
struct InstallationFlags {
  std::string ns;               // empty: kDefaultNamespace
  std::string scheduler_image;  // empty: that of this version
  std::string scheduler_architecture{kOwnArchitecture};
  std::string kube_scheduler_image;  // empty: by the API server's version
  bool allow_default_scheduler = false;
  crds::Allowances allowances{.namespaces = {}};  // no namespaces: that of the installation alone
  std::vector<std::string> max_requests;          // "cpu=4"; empty: the default
  std::vector<std::string> api_server_ports;      // "8443"; empty: those that the API servers say
};

// FlagsOf describes them. Requires: `flags` outlives what reads them.
std::vector<Flag> FlagsOf(InstallationFlags& flags);

// PlanOptionsOf reads them. Errors (kConfig) name the flag.
Result<controllers::PlanOptions> PlanOptionsOf(const InstallationFlags& flags);

// NamespaceOf is where the installation is.
std::string NamespaceOf(const InstallationFlags& flags);

}  // namespace berth::operator_
