// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cel/environment.h"

// The variables that Kubernetes gives to expressions.
namespace berth::cel {

// RuleEnvironment is that of a rule of a CustomResourceDefinition (x-kubernetes-validations):
// `self` and `oldSelf` of the type of the schema the rule stands at. With `is_old_optional`
// (optionalOldSelf: true) the rule also runs on creation and `oldSelf` is an optional.
Environment RuleEnvironment(const TypePtr& self, bool is_old_optional = false);

// PolicyEnvironment is that of a ValidatingAdmissionPolicy: `object`, `oldObject` and
// `namespaceObject`, of which the first two are dyn, and `request`. `params`, for a policy that has
// a paramKind, and `authorizer`, which is the server's own, are for the caller to add. Variables
// are declared by Variables::Add.
Environment PolicyEnvironment();

// The type of `request`: an AdmissionRequest without its objects; and of `namespaceObject`.
TypePtr RequestType();
TypePtr NamespaceType();

}  // namespace berth::cel
