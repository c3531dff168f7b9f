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

// The issuer of the server's own tokens, and their default audience.
inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc";

// Keys of a user's extra values that come from the token.
inline constexpr std::string_view kNodeNameKey = "authentication.kubernetes.io/node-name";

// ObjectRef identifies one object by name and uid.
struct ObjectRef {
  std::string name, uid;
};

// TokenSubject names the ServiceAccount of a token. The token is valid while the account and the
// bound pod exist; the node is only recorded.
struct TokenSubject {
  std::string namespace_;
  ObjectRef account;
  std::optional<ObjectRef> pod, node;
};

struct TokenOptions {
  std::vector<std::string> audiences;
  Time now, expires;
  std::string id;  // unique
};

// TokenAuthority issues and checks bearer tokens: signed ones (ES256) of ServiceAccounts, and the
// ones of a fixed list. Source: KEP-1205, KEP-4193, pkg/serviceaccount.
//
// Thread: the store's.
class TokenAuthority {
 public:
  explicit TokenAuthority(std::shared_ptr<const http::SigningKey> key) : key_(std::move(key)) {}

  // Registers a fixed token for a user.
  void AddStatic(std::string token, UserInfo user) { static_[std::move(token)] = std::move(user); }

  std::string Issue(const TokenSubject& subject, const TokenOptions& terms) const;

  // Returns the user of a valid token: signed by this server, issued for one of the audiences, not
  // expired for more than a minute, and bound to objects that exist with the same uid. Otherwise
  // returns the error with upstream's text, or "" for a token of another issuer.
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
  // Claims of the tokens with a verified signature.
  mutable std::map<std::string, std::shared_ptr<const nlohmann::json>, std::less<>> claims_;
};

// Returns the user of a ServiceAccount.
UserInfo AccountUser(std::string_view name_space, std::string_view name, std::string_view uid);

// Returns the ServiceAccount with this user name; nullopt for other users.
struct AccountName {
  std::string namespace_, name;
};
std::optional<AccountName> AccountOf(std::string_view user);

}  // namespace berth::apiserver
