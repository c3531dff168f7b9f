// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cel/function.h"
#include "cel/value.h"

// The variable `authorizer` of admission policies, the permissions of the user of the request:
//   authorizer.group('').resource('pods').namespace('a').check('create').allowed()
// Source: apiserver pkg/cel/library/authz.go, which also has paths, other accounts, subresources,
// names, selectors, reasons and errors.
namespace berth::cel {

// AccessCheck is a permission that an expression asks for. `namespace_` is empty for all
// namespaces.
struct AccessCheck {
  std::string verb, group, resource, namespace_;
};

using AccessDecider = std::function<bool(const AccessCheck& check)>;

// Returns the value of `authorizer`, which calls `decide` at each check.
Value AuthorizerOf(AccessDecider decide);

const TypePtr& AuthorizerType();
const FunctionTable& AuthorizerFunctions();

}  // namespace berth::cel
