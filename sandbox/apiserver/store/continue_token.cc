// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/strings.h"
#include "sandbox/apiserver/go/go_json.h"
#include "sandbox/apiserver/store/list.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTokenVersion = "meta.k8s.io/v1";
constexpr int kMaxDepth = 100;
constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

Failure Invalid(const std::string& why) {
  return Fail(Reason::kBadRequest, "invalid continue token: continue key is not valid: " + why);
}

// What Go says of a token whose members have other types; empty if they do not.
std::string TypeMismatch(const Json& token) {
  const auto mismatch = [](const Json& value, const std::string& type) {
    return std::string("json: cannot unmarshal ") +
           (value.is_boolean() ? "bool" : value.type_name()) + " into Go " + type;
  };
  if (!token.is_object()) return mismatch(token, "value of type storage.continueToken");
  for (const auto& [name, type] :
       {std::pair("v", "string"), {"rv", "int64"}, {"start", "string"}}) {
    const auto found = token.find(name);
    if (found == token.end() || found->is_null()) continue;
    const bool fits =
        type == std::string_view("string") ? found->is_string() : found->is_number_integer();
    if (!fits)
      return mismatch(*found,
                      std::string("struct field continueToken.") + name + " of type " + type);
  }
  return {};
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
  return EncodeBase64Url("{\"v\":" + Json(kTokenVersion).dump() + ",\"rv\":" +
                         std::to_string(version) + ",\"start\":" + Json(start).dump() + "}");
}

Result<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto bytes = DecodeBase64Url(text);
  if (!bytes) {
    // Without a wrong letter it is the last one, which begins a byte and does not end it.
    const size_t at = std::min(text.find_first_not_of(kBase64Url), text.size() - 1);
    return Invalid("illegal base64 data at input byte " + std::to_string(at));
  }
  if (const auto valid = CheckGoSyntax(*bytes, kMaxDepth); !valid)
    return Invalid(valid.error().message());
  Json json = Json::parse(ReplaceInvalidUtf8(*bytes), nullptr, false);
  if (json.is_null()) json = Json::object();
  if (const std::string mismatch = TypeMismatch(json); !mismatch.empty()) return Invalid(mismatch);
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
