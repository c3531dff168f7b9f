// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/cel/environment.h"

// The variables that Kubernetes gives to expressions.
namespace berth::cel {

// RuleEnvironment is that of a rule of a CustomResourceDefinition (x-kubernetes-validations):
// `self` and `oldSelf` of the type of the schema the rule stands at. With `is_old_optional`
// (optionalOldSelf: true) the rule also runs on creation and `oldSelf` is an optional.
Environment RuleEnvironment(const TypePtr& self, bool is_old_optional = false);

// PolicyEnvironment is that of a ValidatingAdmissionPolicy: `object`, `oldObject`, `params` and
// `namespaceObject`, which are dyn, and `request`. `authorizer` is not offered. Variables are
// declared by Variables::Add.
Environment PolicyEnvironment();

// The type of `request`: an AdmissionRequest without its objects.
TypePtr RequestType();

}  // namespace berth::cel
