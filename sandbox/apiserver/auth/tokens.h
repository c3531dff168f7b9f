// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "base/time.h"
#include "http/crypto/signing.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

class Store;

// The issuer of our tokens, and the audience of those that are for us.
inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc";

// Keys of a user's extra values, told by the token.
inline constexpr std::string_view kNodeNameKey = "authentication.kubernetes.io/node-name";

// ObjectRef is one particular object.
struct ObjectRef {
  std::string name, uid;
};

// TokenSubject is for whom a ServiceAccount's token is made. It is good as long as the account and
// the pod that it is bound to are there; the node is only told.
struct TokenSubject {
  std::string namespace_;
  ObjectRef account;
  std::optional<ObjectRef> pod, node;
};

struct TokenTerms {
  std::vector<std::string> audiences;
  Time now, expires;
  std::string id;  // unique
};

// TokenAuthority makes and checks bearer tokens: those of ServiceAccounts, signed (ES256), and
// those of a fixed list. Source: KEP-1205, KEP-4193, pkg/serviceaccount.
//
// Thread: that of the store.
class TokenAuthority {
 public:
  explicit TokenAuthority(std::shared_ptr<const http::SigningKey> key) : key_(std::move(key)) {}

  // AddStatic lets a token stand for a user.
  void AddStatic(std::string token, UserInfo user) { static_[std::move(token)] = std::move(user); }

  std::string Issue(const TokenSubject& subject, const TokenTerms& terms) const;

  // Check gives the user of a token that is good now: signed by us, for one of the audiences, not
  // expired for more than a minute, of objects that are there with the same uid. Else why not, in
  // upstream's words, or "" for what is no token of ours.
  struct Checked {
    UserInfo user;
    std::vector<std::string> audiences;
  };
  tl::expected<Checked, std::string> Check(std::string_view token,
                                           const std::vector<std::string>& audiences, Store& store,
                                           Time now) const;

 private:
  tl::expected<nlohmann::json, std::string> ClaimsOf(std::string_view token) const;

  std::shared_ptr<const http::SigningKey> key_;
  std::map<std::string, UserInfo, std::less<>> static_;
  // Of tokens whose signature was found good.
  mutable std::map<std::string, std::shared_ptr<const nlohmann::json>, std::less<>> claims_;
};

// AccountUser is how a ServiceAccount appears.
UserInfo AccountUser(std::string_view name_space, std::string_view name, std::string_view uid);

// AccountOf is the ServiceAccount whose user name this is; nothing for other users.
struct AccountName {
  std::string namespace_, name;
};
std::optional<AccountName> AccountOf(std::string_view user);

}  // namespace berth::apiserver
