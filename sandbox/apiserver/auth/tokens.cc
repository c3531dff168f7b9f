// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/tokens.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/names.h"
#include "base/strings.h"
#include "sandbox/apiserver/auth/policy_rule.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/store/store.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kPrivate = "kubernetes.io";
constexpr std::string_view kAccountPrefix = "system:serviceaccount:";
constexpr const char* kInvalidated = "service account token has been invalidated";
// The allowed clock skew.
constexpr std::chrono::seconds kLeeway{60};

using Rejected = tl::unexpected<std::string>;

json RefOf(const ObjectRef& object) {
  json ref = {{"name", object.name}};
  if (!object.uid.empty()) ref["uid"] = object.uid;
  return ref;
}

constexpr size_t kMaxKeptClaims = 1024;

// Returns the claims of a token signed by this server. The error depends on the form of the text.
tl::expected<json, std::string> SignedClaims(const http::SigningKey& key, std::string_view token) {
  const auto parts = Split(token, '.');
  const auto payload = parts.size() == 3 ? DecodeBase64Url(parts[1]) : std::nullopt;
  json claims = payload ? ReadDocument(*payload) : json();
  if (!claims.is_object() || claims.value("iss", json()) != kIssuer) return Rejected("");
  const auto signature = DecodeBase64Url(parts[2]);
  if (!signature) return Rejected("");
  const std::string_view head = token.substr(0, parts[0].size() + 1 + parts[1].size());
  if (!key.Verify(head, *signature))
    return Rejected("go-jose/go-jose: error in cryptographic primitive");
  return claims;
}

std::vector<std::string> Common(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> common;
  std::copy_if(a.begin(), a.end(), std::back_inserter(common), [&](const std::string& each) {
    return std::find(b.begin(), b.end(), each) != b.end();
  });
  return common;
}

// Bonds checks that the objects to which a token is bound still exist.
class BoundObjects {
 public:
  BoundObjects(Store& store, const json& bound, Time now)
      : store_(store), bound_(bound), now_(now) {}

  tl::expected<void, std::string> CheckAll() const {
    const std::string name_space = bound_.value("namespace", "");
    const json account = bound_.value("serviceaccount", json::object());
    const std::string name = account.value("name", "");
    const ObjectPtr found = Find("serviceaccounts", name_space, name);
    if (found == nullptr) return Rejected("serviceaccounts " + Quoted(name) + " not found");
    if (found->metadata.uid != account.value("uid", "")) {
      return Rejected("service account UID (" + found->metadata.uid + ") does not match claim (" +
                      account.value("uid", "") + ")");
    }
    if (IsGone(*found))
      return Rejected("service account " + name_space + "/" + name + " has been deleted");
    return CheckPod(name_space);
  }

 private:
  ObjectPtr Find(std::string_view resource, std::string_view name_space,
                 std::string_view name) const {
    const Collection* collection = store_.Find(resource);
    return collection == nullptr ? nullptr : collection->Find(name_space, name);
  }

  bool IsGone(const Object& object) const {
    const auto deleted = Time::Parse(object.metadata.deletion_timestamp);
    return object.metadata.IsBeingDeleted() && deleted && *deleted < now_ - kLeeway;
  }

  tl::expected<void, std::string> CheckPod(const std::string& name_space) const {
    const auto claim = bound_.find("pod");
    if (claim == bound_.end()) return {};
    const ObjectPtr found = Find("pods", name_space, claim->value("name", ""));
    if (found == nullptr || IsGone(*found)) return Rejected(kInvalidated);
    const std::string uid = claim->value("uid", "");
    if (found->metadata.uid == uid) return {};
    return Rejected("pod UID (" + found->metadata.uid +
                    ") does not match service account pod ref claim (" + uid + ")");
  }

  Store& store_;
  const json& bound_;
  const Time now_;
};

// Returns the account's user, with the extra values of the token.
UserInfo UserOf(const json& claims) {
  const json& bound = claims[kPrivate];
  const json account = bound.value("serviceaccount", json::object());
  UserInfo user = AccountUser(bound.value("namespace", ""), account.value("name", ""),
                              account.value("uid", ""));
  const auto tell = [&user](std::string_view key, const std::string& value) {
    if (!value.empty()) user.extra["authentication.kubernetes.io/" + std::string(key)] = {value};
  };
  if (const std::string id = claims.value("jti", ""); !id.empty())
    tell("credential-id", "JTI=" + id);
  for (const char* kind : {"pod", "node"}) {
    const json ref = bound.value(kind, json::object());
    tell(std::string(kind) + "-name", ref.value("name", ""));
    tell(std::string(kind) + "-uid", ref.value("uid", ""));
  }
  return user;
}

}  // namespace

UserInfo AccountUser(std::string_view name_space, std::string_view name, std::string_view uid) {
  const std::string place(name_space);
  return {.name = std::string(kAccountPrefix) + place + ":" + std::string(name),
          .uid = std::string(uid),
          .groups = {"system:serviceaccounts", "system:serviceaccounts:" + place},
          .extra = {}};
}

std::optional<AccountName> AccountOf(std::string_view user) {
  if (!user.starts_with(kAccountPrefix)) return std::nullopt;
  const auto parts = Split(user.substr(kAccountPrefix.size()), ':');
  if (parts.size() != 2 || !CheckDnsLabel(parts[0]).empty() || !CheckDnsSubdomain(parts[1]).empty())
    return std::nullopt;
  return AccountName{std::string(parts[0]), std::string(parts[1])};
}

std::string TokenAuthority::Issue(const TokenSubject& subject, const TokenOptions& terms) const {
  const json header = {{"alg", "ES256"}, {"kid", key_->KeyId()}};
  json bound = {{"namespace", subject.namespace_}, {"serviceaccount", RefOf(subject.account)}};
  if (subject.pod) bound["pod"] = RefOf(*subject.pod);
  if (subject.node) bound["node"] = RefOf(*subject.node);
  const json claims = {{"aud", terms.audiences},
                       {"exp", terms.expires.UnixSeconds()},
                       {"iat", terms.now.UnixSeconds()},
                       {"iss", kIssuer},
                       {"jti", terms.id},
                       {"nbf", terms.now.UnixSeconds()},
                       {"sub", AccountUser(subject.namespace_, subject.account.name, "").name},
                       {kPrivate, bound}};
  const std::string head =
      EncodeBase64Url(DocumentText(header)) + "." + EncodeBase64Url(DocumentText(claims));
  return head + "." + EncodeBase64Url(key_->Sign(head));
}

// Verifying a signature takes longer than most requests.
tl::expected<json, std::string> TokenAuthority::ClaimsOf(std::string_view token) const {
  if (const auto found = claims_.find(token); found != claims_.end()) return *found->second;
  auto claims = SignedClaims(*key_, token);
  if (!claims) return claims;
  if (claims_.size() == kMaxKeptClaims) claims_.clear();
  claims_.emplace(token, std::make_shared<const json>(*claims));
  return claims;
}

tl::expected<TokenAuthority::Checked, std::string> TokenAuthority::Check(
    std::string_view token, const std::vector<std::string>& audiences, Store& store,
    Time now) const {
  if (const auto found = static_.find(token); found != static_.end())
    return Checked{found->second, audiences};
  const auto claims = ClaimsOf(token);
  if (!claims) return Rejected(claims.error());
  const auto meant = claims->value("aud", std::vector<std::string>());
  std::vector<std::string> common = Common(meant, audiences);
  if (common.empty()) {
    return Rejected("token audiences " + QuotedList(meant) +
                    " is invalid for the target audiences " + QuotedList(audiences));
  }
  if (Time::FromUnixSeconds(claims->value("exp", int64_t{0})) < now - kLeeway)
    return Rejected("service account token has expired");
  if (const auto there = BoundObjects(store, (*claims)[kPrivate], now).CheckAll(); !there)
    return Rejected(there.error());
  return Checked{UserOf(*claims), std::move(common)};
}

}  // namespace berth::apiserver
