// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/store/list.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTokenVersion = "meta.k8s.io/v1";

Failure Invalid(const std::string& why) {
  return Fail(Reason::kBadRequest, "invalid continue token: continue key is not valid: " + why);
}

}  // namespace

std::string ContinueToken::Encode() const {
  // The members are in upstream's order.
  return EncodeBase64Url("{\"v\":" + Quoted(kTokenVersion) + ",\"rv\":" + std::to_string(version) +
                         ",\"start\":" + Quoted(start) + "}");
}

Result<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto bytes = DecodeBase64Url(text);
  const Json json = bytes ? ReadDocument(*bytes) : Json();
  if (!json.is_object() || json.value("v", Json()) != kTokenVersion)
    return Invalid("it was not issued by this server");
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
  return token;
}

}  // namespace berth::apiserver
