// SPDX-License-Identifier: Apache-2.0
#include "apiserver/auth/tokens.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/store/store.h"
#include "base/strings.h"
#include "http/base64.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kPrivate = "kubernetes.io";

bool Exists(Store& store, std::string_view resource, const std::string& name_space,
            const json& claim) {
  const Collection* collection = store.Find(resource);
  const ObjectPtr object =
      collection == nullptr ? nullptr : collection->Find(name_space, claim.value("name", ""));
  return object != nullptr && object->metadata.uid == claim.value("uid", "");
}

}  // namespace

UserInfo AccountUser(std::string_view name_space, std::string_view name, std::string_view uid) {
  const std::string place(name_space);
  return {.name = "system:serviceaccount:" + place + ":" + std::string(name),
          .uid = std::string(uid),
          .groups = {"system:serviceaccounts", "system:serviceaccounts:" + place},
          .extra = {}};
}

std::string TokenAuthority::Issue(const TokenSubject& subject,
                                  const std::vector<std::string>& audiences, Time now,
                                  Time expires) const {
  const json header = {{"alg", "ES256"}, {"kid", key_->KeyId()}};
  json bound = {{"namespace", subject.namespace_},
                {"serviceaccount", {{"name", subject.name}, {"uid", subject.uid}}}};
  if (!subject.pod_name.empty())
    bound["pod"] = {{"name", subject.pod_name}, {"uid", subject.pod_uid}};
  const json claims = {{"aud", audiences},
                       {"exp", expires.UnixSeconds()},
                       {"iat", now.UnixSeconds()},
                       {"iss", kIssuer},
                       {"nbf", now.UnixSeconds()},
                       {"sub", "system:serviceaccount:" + subject.namespace_ + ":" + subject.name},
                       {kPrivate, bound}};
  const std::string head =
      http::Base64UrlEncode(header.dump()) + "." + http::Base64UrlEncode(claims.dump());
  return head + "." + http::Base64UrlEncode(key_->Sign(head));
}

std::optional<TokenAuthority::Checked> TokenAuthority::Check(
    std::string_view token, const std::vector<std::string>& audiences, Store& store,
    Time now) const {
  if (const auto found = static_.find(token); found != static_.end())
    return Checked{found->second, audiences};
  const auto parts = Split(token, '.');
  if (parts.size() != 3) return std::nullopt;
  const auto signature = http::Base64UrlDecode(parts[2]);
  const auto payload = http::Base64UrlDecode(parts[1]);
  if (!signature || !payload) return std::nullopt;
  const std::string_view head = token.substr(0, parts[0].size() + 1 + parts[1].size());
  if (!key_->Verify(head, *signature)) return std::nullopt;
  const json claims = json::parse(*payload, nullptr, false);
  if (!claims.is_object() || !claims.contains(kPrivate)) return std::nullopt;
  if (claims.value("exp", int64_t{0}) <= now.UnixSeconds()) return std::nullopt;
  Checked checked;
  for (const json& audience : claims.value("aud", json::array())) {
    if (std::find(audiences.begin(), audiences.end(), audience) != audiences.end()) {
      checked.audiences.push_back(audience);
    }
  }
  if (checked.audiences.empty()) return std::nullopt;
  const json& bound = claims[kPrivate];
  const std::string name_space = bound.value("namespace", "");
  const json account = bound.value("serviceaccount", json::object());
  if (!Exists(store, "serviceaccounts", name_space, account)) return std::nullopt;
  checked.user = AccountUser(name_space, account.value("name", ""), account.value("uid", ""));
  if (bound.contains("pod")) {
    if (!Exists(store, "pods", name_space, bound["pod"])) return std::nullopt;
    checked.user.extra["authentication.kubernetes.io/pod-name"] = {bound["pod"].value("name", "")};
    checked.user.extra["authentication.kubernetes.io/pod-uid"] = {bound["pod"].value("uid", "")};
  }
  return checked;
}

}  // namespace berth::apiserver
