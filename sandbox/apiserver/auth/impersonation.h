// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/auth/authorizer.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Returns the impersonated user for `wanted` (the values of the headers), or the rejection:
// `requestor` needs the verb "impersonate" on the name and on each group, uid and extra. The
// constrained forms of KEP-5284 ("impersonate:user-info") are not supported. Source: apiserver
// pkg/endpoints/filters/impersonation.
Answer<UserInfo> Impersonate(Authorizer& authorizer, const UserInfo& requestor,
                             const UserInfo& wanted);

}  // namespace berth::apiserver
