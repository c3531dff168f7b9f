// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sandbox/apiserver/auth/policy_rule.h"

namespace berth::apiserver {

// The cluster roles and bindings a server is born with, as far as they matter without a controller
// manager and a kubelet; admin, edit and view are not among them. Source:
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.36.
struct BootstrapRole {
  std::string name;
  std::vector<PolicyRule> rules;
};
std::vector<BootstrapRole> BootstrapRoles();

struct BootstrapBinding {
  std::string name, role;
  std::vector<std::pair<std::string, std::string>> subjects;  // kind, name
};
const std::vector<BootstrapBinding>& BootstrapBindings();

}  // namespace berth::apiserver
