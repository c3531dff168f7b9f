// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sandbox/apiserver/auth/policy_rule.h"

namespace berth::apiserver {

// The initial cluster roles and bindings of a server, without those that need a controller manager
// or a kubelet, and without admin, edit and view. Source:
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy, 1.37.
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
