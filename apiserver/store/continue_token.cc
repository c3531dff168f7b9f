// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <optional>

#include <nlohmann/json.hpp>

#include "apiserver/store/list.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTokenVersion = "meta.k8s.io/v1";
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Base64url without padding (RFC 4648, section 5).
std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(byte);
    for (count += 8; count >= 6; count -= 6) text += kAlphabet[bits >> (count - 6) & 63];
  }
  if (count > 0) text += kAlphabet[bits << (6 - count) & 63];
  return text;
}

// The first byte that is no base64url is the error.
tl::expected<std::string, size_t> DecodeBase64(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t digit = kAlphabet.find(text[i]);
    if (digit == std::string_view::npos) return tl::unexpected(i);
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  if (text.size() % 4 == 1) return tl::unexpected(text.size());
  return bytes;
}

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
  return EncodeBase64("{\"v\":" + Json(kTokenVersion).dump() + ",\"rv\":" +
                      std::to_string(version) + ",\"start\":" + Json(start).dump() + "}");
}

Result<ContinueToken> ContinueToken::Decode(std::string_view text) {
  const auto bytes = DecodeBase64(text);
  if (!bytes) {
    return Invalid("illegal base64 data at input byte " + std::to_string(bytes.error()));
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
