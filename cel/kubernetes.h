// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cel/environment.h"

// The variables of Kubernetes' expressions.
namespace berth::cel {

// Returns the environment of a CustomResourceDefinition rule (x-kubernetes-validations): `self` and
// `oldSelf` with the type of the rule's schema. With `is_old_optional` (optionalOldSelf: true) the
// rule also runs on creation, and `oldSelf` is an optional.
Environment RuleEnvironment(const TypePtr& self, bool is_old_optional = false);

// Returns the environment of a ValidatingAdmissionPolicy: `object` and `oldObject` (dyn),
// `namespaceObject`, `request` and `authorizer` (authorizer.h). The caller adds `params`, for a
// policy with a paramKind. Variables::Add declares the policy's spec.variables as `variables.NAME`.
Environment PolicyEnvironment();
// Returns the environment of its message expressions, which have no `authorizer`.
Environment PolicyMessageEnvironment();

// Returns the type of `request`: an AdmissionRequest without its objects.
TypePtr RequestType();
// Returns the type of `namespaceObject`.
TypePtr NamespaceType();

}  // namespace berth::cel
