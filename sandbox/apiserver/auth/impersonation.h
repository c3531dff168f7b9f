// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/auth/authorizer.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Become gives the user that `wanted`, taken from the headers as it is, stands for, or the refusal:
// `requestor` needs the verb "impersonate" on its name and on each group, uid and extra. The
// constrained forms of KEP-5284 ("impersonate:user-info") are not known here. Source: apiserver
// pkg/endpoints/filters/impersonation.
Answer<UserInfo> Become(Authorizer& authorizer, const UserInfo& requestor, const UserInfo& wanted);

}  // namespace berth::apiserver
