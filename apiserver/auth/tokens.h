// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apiserver/auth/user.h"
#include "apiserver/kinds/status_error.h"
#include "base/time.h"
#include "http/signing.h"

namespace berth::apiserver {

class Store;

inline constexpr std::string_view kIssuer = "https://kubernetes.default.svc.cluster.local";

// TokenSubject is for whom a ServiceAccount's token is made.
struct TokenSubject {
  std::string namespace_, name, uid;
  std::string pod_name, pod_uid;  // the pod it is bound to; empty: none
};

// TokenAuthority makes and checks bearer tokens: those of ServiceAccounts, signed (ES256), and
// those of a fixed list. Source: KEP-1205, pkg/serviceaccount.
class TokenAuthority {
 public:
  explicit TokenAuthority(std::shared_ptr<const http::SigningKey> key) : key_(std::move(key)) {}

  // AddStatic lets a token stand for a user.
  void AddStatic(std::string token, UserInfo user) { static_[std::move(token)] = std::move(user); }

  std::string Issue(const TokenSubject& subject, const std::vector<std::string>& audiences,
                    Time now, Time expires) const;

  // Check gives the user of a token that is good now: signed by us, not expired, for one of the
  // audiences, of an account (and a pod) that is there with the same uid. Nothing otherwise.
  struct Checked {
    UserInfo user;
    std::vector<std::string> audiences;
  };
  std::optional<Checked> Check(std::string_view token, const std::vector<std::string>& audiences,
                               Store& store, Time now) const;

 private:
  std::shared_ptr<const http::SigningKey> key_;
  std::map<std::string, UserInfo, std::less<>> static_;
};

// AccountUser is how a ServiceAccount appears.
UserInfo AccountUser(std::string_view name_space, std::string_view name, std::string_view uid);

}  // namespace berth::apiserver
