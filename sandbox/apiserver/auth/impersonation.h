// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "sandbox/apiserver/auth/authorizer.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Impersonator decides whether a user may act as another one. There are several ways to be allowed;
// the first that fits counts:
//
//   associated-node   a ServiceAccount whose token names its node, as that node
//   arbitrary-node    as any node
//   serviceaccount    as a ServiceAccount
//   user-info         as anybody else
//   (plain)           the verb "impersonate" on users, groups, ...; anybody, for any request
//
// In all but the last one the user needs two things: the verb "impersonate-on:<way>:<verb>" on what
// the request is about, and "impersonate:<way>" on the name and each group, uid and extra. Source:
// KEP-5284, apiserver pkg/endpoints/filters/impersonation.
//
// Thread: that of the authorizer.
class Impersonator {
 public:
  explicit Impersonator(Authorizer& authorizer) : authorizer_(authorizer) {}

  // Become gives the user that `wanted`, taken from the headers as it is, stands for. The refusal
  // is that of the way in which the user succeeded last, else of the first that fits.
  Answer<UserInfo> Become(const UserInfo& requestor, const UserInfo& wanted,
                          const Attributes& request);

 private:
  Authorizer& authorizer_;
  std::map<std::string, size_t> last_way_;  // of a user who was allowed
};

}  // namespace berth::apiserver
