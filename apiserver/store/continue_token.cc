// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/store/list.h"
#include "base/strings.h"
#include "http/base64.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTokenVersion = "meta.k8s.io/v1";
constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

Failure Invalid(const std::string& why) {
  return Fail(Reason::kBadRequest, "invalid continue token: continue key is not valid: " + why);
}

// A start that would leave the list's range when it is read as a path.
bool IsUnclean(const std::string& start) {
  const std::string_view path = start;
  const std::vector<std::string_view> parts =
      Split(path.starts_with('/') ? path.substr(1) : path, '/');
  for (const std::string_view part : parts) {
    if (part.empty() || part == "." || part == "..") return true;
  }
  return false;
}

}  // namespace

std::string ContinueToken::Encode() const {
  // The members stand in upstream's order.
  return http::Base64UrlEncode("{\"v\":" + Json(kTokenVersion).dump() + ",\"rv\":" +
                               std::to_string(version) + ",\"start\":" + Json(start).dump() + "}");
}

Result<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto bytes = http::Base64UrlDecode(text);
  if (!bytes) {
    const size_t at = std::min(text.find_first_not_of(kBase64Url), text.size());
    return Invalid("illegal base64 data at input byte " + std::to_string(at));
  }
  const Json json = Json::parse(*bytes, nullptr, false);
  if (!json.is_object()) return Invalid("it is no JSON object");
  if (json.value("v", Json()) != kTokenVersion) {
    return Fail(Reason::kBadRequest,
                "invalid continue token: continue key is not valid: server does not recognize this "
                "encoded version " +
                    (json.contains("v") && json["v"].is_string() ? json["v"].get<std::string>()
                                                                 : std::string()));
  }
  ContinueToken token;
  if (const auto version = json.find("rv"); version != json.end() && version->is_number_integer()) {
    token.version = version->get<int64_t>();
  }
  if (token.version == 0) {
    return Invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (const auto start = json.find("start"); start != json.end() && start->is_string()) {
    token.start = start->get<std::string>();
  }
  if (token.start.empty()) return Invalid("encoded start key empty (version meta.k8s.io/v1)");
  if (IsUnclean(token.start)) return Invalid(token.start);
  return token;
}

}  // namespace berth::apiserver
