// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cel/environment.h"
#include "cel/value.h"
#include "sandbox/apiserver/auth/authorizer.h"

namespace berth::apiserver {

// The variable `authorizer` of CEL expressions, by which a policy asks what the user of a request
// may do: authorizer.group('apps').resource('deployments').namespace('a').check('get').allowed(),
// authorizer.path('/healthz').check('get').allowed(), authorizer.requestResource.check('approve').
// Source: apiserver's pkg/cel/library/authz.go.

// UseAuthorizerFunctions lets an environment know the functions. DeclareAuthorizer does so and adds
// the variables.
void UseAuthorizerFunctions(cel::Environment& environment);
void DeclareAuthorizer(cel::Environment& environment);

// AuthorizerValue is `authorizer` for a user; RequestResourceValue is `authorizer.requestResource`,
// `request` saying all but the verb. Both ask `authorizer` when they are evaluated, which must
// outlive them.
cel::Value AuthorizerValue(Authorizer& authorizer, const UserInfo& user);
cel::Value RequestResourceValue(Authorizer& authorizer, const UserInfo& user, Attributes request);

// The names under which they are bound.
inline constexpr const char* kAuthorizerVariable = "authorizer";
inline constexpr const char* kRequestResourceVariable = "authorizer.requestResource";

}  // namespace berth::apiserver
