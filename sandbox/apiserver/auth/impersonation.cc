// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/impersonation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/names.h"
#include "base/strings.h"
#include "sandbox/apiserver/auth/tokens.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kNodePrefix = "system:node:";
constexpr std::string_view kNodesGroup = "system:nodes";
constexpr std::string_view kAuthentication = "authentication.k8s.io";
// From so many on it is asked first whether all of them are allowed.
constexpr size_t kMany = 4;

std::optional<std::string> NodeOf(std::string_view user) {
  if (!user.starts_with(kNodePrefix)) return std::nullopt;
  const std::string_view name = user.substr(kNodePrefix.size());
  if (!CheckDnsSubdomain(name).empty()) return std::nullopt;
  return std::string(name);
}

bool IsNameOnly(const UserInfo& user) {
  return user.uid.empty() && user.groups.empty() && user.extra.empty();
}

bool FitsNode(const UserInfo& wanted, const UserInfo&) {
  return IsNameOnly(wanted) && NodeOf(wanted.name).has_value();
}

bool FitsOwnNode(const UserInfo& wanted, const UserInfo& requestor) {
  if (!FitsNode(wanted, requestor) || !AccountOf(requestor.name)) return false;
  const auto node = requestor.extra.find(std::string(kNodeNameKey));
  return node != requestor.extra.end() && node->second.size() == 1 &&
         node->second[0] == *NodeOf(wanted.name);
}

bool FitsAccount(const UserInfo& wanted, const UserInfo&) {
  return IsNameOnly(wanted) && AccountOf(wanted.name).has_value();
}

bool FitsOther(const UserInfo& wanted, const UserInfo&) {
  return !NodeOf(wanted.name) && !AccountOf(wanted.name);
}

struct Way {
  std::string_view name;  // "": plain impersonation
  bool (*fits)(const UserInfo& wanted, const UserInfo& requestor);
};

constexpr Way kWays[] = {{"associated-node", FitsOwnNode},
                         {"arbitrary-node", FitsNode},
                         {"serviceaccount", FitsAccount},
                         {"user-info", FitsOther},
                         {"", [](const UserInfo&, const UserInfo&) { return true; }}};

// What is wrong with extra values, which plain impersonation takes as they are.
std::optional<std::string> ExtraProblem(const UserInfo& wanted) {
  for (const auto& [key, values] : wanted.extra) {
    if (key.empty()) return "impersonating the empty string key in extra is not allowed";
    const size_t slash = key.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == key.size()) {
      return "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: " +
             nlohmann::json(key).dump() +
             ": must be a domain-prefixed path (such as \"acme.io/foo\")";
    }
    if (key != ToLower(key)) {
      return "impersonating a non-lowercase key in extra is not allowed: " +
             nlohmann::json(key).dump();
    }
    if (values.empty()) return "impersonating empty values in extra is not allowed";
    if (std::find(values.begin(), values.end(), "") != values.end())
      return "impersonating the empty string value in extra is not allowed";
  }
  return std::nullopt;
}

// One attempt in one way.
class Attempt {
 public:
  Attempt(Authorizer& authorizer, const Way& way, const UserInfo& requestor)
      : authorizer_(authorizer), way_(way), requestor_(requestor) {}

  Answer<UserInfo> Make(const UserInfo& wanted, const Attributes& request) const {
    if (IsConstrained()) {
      Attributes on = request;
      on.verb = "impersonate-on:" + std::string(way_.name) + ":" + request.verb;
      if (const auto ok = Ask(on); !ok) return Refuse(ok.error());
    }
    UserInfo user = wanted;
    if (const auto ok = AskName(wanted, user); !ok) return Refuse(ok.error());
    if (!wanted.uid.empty()) {
      if (const auto ok = Ask(About(kAuthentication, "uids", wanted.uid)); !ok)
        return Refuse(ok.error());
    }
    if (const auto ok = AskGroups(wanted); !ok) return Refuse(ok.error());
    if (const auto ok = AskExtra(wanted); !ok) return Refuse(ok.error());
    const std::string_view group =
        user.name == kAnonymousUser ? kUnauthenticatedGroup : kAuthenticatedGroup;
    if (!user.IsIn(group) && !user.IsIn(kUnauthenticatedGroup)) user.groups.emplace_back(group);
    return user;
  }

 private:
  bool IsConstrained() const { return !way_.name.empty(); }

  Answer<void> Ask(const Attributes& attributes) const {
    const Decision decision = authorizer_.Authorize(requestor_, attributes);
    if (decision.allowed) return {};
    return Refuse(ForbiddenError(requestor_, attributes, decision.reason));
  }

  // Users and groups are in the core group for plain impersonation; all else never is.
  std::string_view NamesGroup() const { return IsConstrained() ? kAuthentication : ""; }

  Attributes About(std::string_view group, std::string resource, std::string name) const {
    return {.verb = IsConstrained() ? "impersonate:" + std::string(way_.name) : "impersonate",
            .is_resource = true,
            .namespace_ = {},
            .group = std::string(group),
            .resource = std::move(resource),
            .subresource = {},
            .name = std::move(name),
            .path = {}};
  }

  // The groups of nodes and accounts are known.
  Answer<void> AskName(const UserInfo& wanted, UserInfo& user) const {
    Attributes about = About(NamesGroup(), "users", wanted.name);
    if (const auto node = NodeOf(wanted.name); node && IsConstrained()) {
      about.resource = "nodes";
      // Which node was settled before: the right is the same for all.
      about.name = way_.fits == FitsOwnNode ? "*" : *node;
      user.groups = {std::string(kNodesGroup)};
    }
    if (const auto account = AccountOf(wanted.name)) {
      about.resource = "serviceaccounts";
      about.namespace_ = account->namespace_;
      about.name = account->name;
      if (wanted.groups.empty())
        user.groups = AccountUser(account->namespace_, account->name, "").groups;
    }
    return Ask(about);
  }

  Answer<void> AskGroups(const UserInfo& wanted) const {
    Attributes about = About(NamesGroup(), "groups", "");
    const auto refuse = [&](const char* why) {
      return Refuse(ForbiddenError(requestor_, about, why));
    };
    if (IsConstrained()) {
      if (wanted.IsIn("")) return refuse("impersonating the empty string group is not allowed");
      if (wanted.IsIn(kMastersGroup)) {
        about.name = kMastersGroup;
        return refuse("impersonating the system:masters group is not allowed");
      }
      about.name = "*";
      if (wanted.groups.size() >= kMany && Ask(about)) return {};
    }
    for (const std::string& group : wanted.groups) {
      about.name = group;
      if (const auto ok = Ask(about); !ok) return ok;
    }
    return {};
  }

  Answer<void> AskExtra(const UserInfo& wanted) const {
    Attributes about = About(kAuthentication, "userextras", "");
    size_t count = 0;
    for (const auto& [key, values] : wanted.extra) count += values.size();
    if (IsConstrained()) {
      if (const auto problem = ExtraProblem(wanted))
        return Refuse(ForbiddenError(requestor_, about, *problem));
      about.subresource = about.name = "*";
      if (count >= kMany && Ask(about)) return {};
    }
    for (const auto& [key, values] : wanted.extra) {
      about.subresource = key;
      for (const std::string& value : values) {
        about.name = value;
        if (const auto ok = Ask(about); !ok) return ok;
      }
    }
    return {};
  }

  Authorizer& authorizer_;
  const Way& way_;
  const UserInfo& requestor_;
};

}  // namespace

Answer<UserInfo> Impersonator::Become(const UserInfo& requestor, const UserInfo& wanted,
                                      const Attributes& request) {
  std::vector<size_t> order(std::size(kWays));
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (const auto last = last_way_.find(requestor.name); last != last_way_.end()) {
    std::rotate(order.begin(), order.begin() + static_cast<ptrdiff_t>(last->second),
                order.begin() + static_cast<ptrdiff_t>(last->second) + 1);
  }
  std::optional<StatusError> first;
  for (const size_t index : order) {
    if (!kWays[index].fits(wanted, requestor)) continue;
    auto user = Attempt(authorizer_, kWays[index], requestor).Make(wanted, request);
    if (user) {
      last_way_[requestor.name] = index;
      return user;
    }
    if (!first) first = std::move(user).error();
  }
  return Refuse(std::move(*first));  // plain impersonation always fits
}

}  // namespace berth::apiserver
