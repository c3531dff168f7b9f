// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/impersonation.h"

#include <string>
#include <utility>

#include "sandbox/apiserver/auth/tokens.h"

namespace berth::apiserver {
namespace {

constexpr const char* kAuthentication = "authentication.k8s.io";

Attributes AboutUser(std::string group, std::string resource, std::string name) {
  return {.verb = "impersonate",
          .is_resource = true,
          .namespace_ = {},
          .group = std::move(group),
          .resource = std::move(resource),
          .subresource = {},
          .name = std::move(name),
          .path = {}};
}

// Asker checks the required permissions one by one.
class Asker {
 public:
  Asker(Authorizer& authorizer, const UserInfo& requestor)
      : authorizer_(authorizer), requestor_(requestor) {}

  Answer<void> Ask(const Attributes& attributes) const {
    const Decision decision = authorizer_.Authorize(requestor_, attributes);
    if (decision.allowed) return {};
    return Reject(ForbiddenError(requestor_, attributes, decision.reason));
  }

  Answer<void> AskAll(const UserInfo& wanted) const {
    Attributes name = AboutUser("", "users", wanted.name);
    if (const auto account = AccountOf(wanted.name)) {
      name = AboutUser("", "serviceaccounts", account->name);
      name.namespace_ = account->namespace_;
    }
    if (auto ok = Ask(name); !ok) return ok;
    if (!wanted.uid.empty()) {
      if (auto ok = Ask(AboutUser(kAuthentication, "uids", wanted.uid)); !ok) return ok;
    }
    for (const std::string& group : wanted.groups)
      if (auto ok = Ask(AboutUser("", "groups", group)); !ok) return ok;
    for (const auto& [key, values] : wanted.extra) {
      for (const std::string& value : values) {
        Attributes extra = AboutUser(kAuthentication, "userextras", value);
        extra.subresource = key;
        if (auto ok = Ask(extra); !ok) return ok;
      }
    }
    return {};
  }

 private:
  Authorizer& authorizer_;
  const UserInfo& requestor_;
};

}  // namespace

Answer<UserInfo> Impersonate(Authorizer& authorizer, const UserInfo& requestor,
                             const UserInfo& wanted) {
  if (const auto ok = Asker(authorizer, requestor).AskAll(wanted); !ok) return Reject(ok.error());
  UserInfo user = wanted;
  const auto account = AccountOf(wanted.name);
  if (account && user.groups.empty())
    user.groups = AccountUser(account->namespace_, account->name, "").groups;
  const std::string_view group =
      user.name == kAnonymousUser ? kUnauthenticatedGroup : kAuthenticatedGroup;
  if (!user.IsIn(group) && !user.IsIn(kUnauthenticatedGroup)) user.groups.emplace_back(group);
  return user;
}

}  // namespace berth::apiserver
