// SPDX-License-Identifier: Apache-2.0
// ConfigMap and Secret. Source: pkg/apis/core/validation of Kubernetes.
#include <string>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/go/go_json.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr size_t kMaxBytes = 1 << 20;
constexpr int kMaxJsonDepth = 10000;  // of Go's encoding/json
constexpr const char* kFrozen = "field is immutable when `immutable` is set";

void CheckKey(const Field::Entry& entry) {
  for (const std::string& why : CheckDataKey(entry.key))
    entry.value.Invalid(json(entry.key).dump(), why);
}

// The bytes that a base64 text with padding stands for.
size_t DecodedSize(const std::string& text) {
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  return text.size() / 4 * 3 - padding;
}

void ValidateConfigMap(const json& object, Problems& problems) {
  const Field map(object, problems);
  size_t total = 0;
  for (const Field::Entry& entry : map["data"].Entries()) {
    CheckKey(entry);
    if (map["binaryData"][entry.key].IsSet())
      entry.value.Invalid(json(entry.key).dump(), "duplicate of key present in binaryData");
    total += entry.value.Text().size();
  }
  for (const Field::Entry& entry : map["binaryData"].Entries()) {
    CheckKey(entry);
    total += DecodedSize(entry.value.Text());
  }
  // Go's path of the object as a whole.
  if (total > kMaxBytes) map.At("[]").TooLong(kMaxBytes);
}

// What some types of Secrets must have.
void CheckType(const Field& secret) {
  const Field data = secret["data"];
  const std::string type = secret["type"].Text();
  const auto require = [&data](const char* key) {
    return data.Key(key).IsSet() || data.Key(key).Require();
  };
  const auto require_json = [&](const char* key) {
    if (!require(key)) return;
    const auto text = DecodeBase64(data[key].Text());
    if (!text) return;
    if (const auto parsed = CheckGoSyntax(*text, kMaxJsonDepth); !parsed)
      data.Key(key).Invalid("\"<secret contents redacted>\"", parsed.error().message());
  };
  if (type == "kubernetes.io/service-account-token") {
    secret["metadata"]["annotations"].Key("kubernetes.io/service-account.name").Require();
  } else if (type == "kubernetes.io/dockercfg") {
    require_json(".dockercfg");
  } else if (type == "kubernetes.io/dockerconfigjson") {
    require_json(".dockerconfigjson");
  } else if (type == "kubernetes.io/basic-auth") {
    if (data["username"].IsSet() || data["password"].IsSet()) return;
    require("username");
    require("password");
  } else if (type == "kubernetes.io/ssh-auth") {
    data.Key("ssh-privatekey").Require();
  } else if (type == "kubernetes.io/tls") {
    require("tls.crt");
    require("tls.key");
  }
}

void ValidateSecret(const json& object, Problems& problems) {
  const Field secret(object, problems);
  size_t total = 0;
  for (const Field::Entry& entry : secret["data"].Entries()) {
    CheckKey(entry);
    total += DecodedSize(entry.value.Text());
  }
  if (total > kMaxBytes) secret["data"].TooLong(kMaxBytes);
  CheckType(secret);
}

// `immutable: true` freezes the content, and itself.
void CheckFrozen(const json& object, const json& old, Problems& problems) {
  const Field now(object, problems);
  const Field before(old, problems);
  if (!before["immutable"].IsTrue()) return;
  if (!now["immutable"].IsTrue()) now["immutable"].Forbidden(kFrozen);
  for (const char* bag : {"data", "binaryData"}) {
    if (now[bag].value() != before[bag].value()) now[bag].Forbidden(kFrozen);
  }
}

void PrepareSecretUpdate(json& secret, const json& old) {
  if (TextAt(secret, "type").empty() && old.contains("type")) secret["type"] = old["type"];
}

void ValidateSecretUpdate(const json& object, const json& old, Problems& problems) {
  Field(object, problems)["type"].Unchanged(Field(old, problems)["type"]);
  CheckFrozen(object, old, problems);
}

Strategy Make(void (*prepare_update)(json&, const json&), void (*validate)(const json&, Problems&),
              void (*validate_update)(const json&, const json&, Problems&)) {
  using Check = Strategy::Check;
  Strategy strategy;
  strategy.prepare_update = prepare_update;
  strategy.validate = validate;
  strategy.validate_update = validate_update;
  strategy.on_update = {Check::kMetadataChange, Check::kChange, Check::kMetadata, Check::kContent};
  return strategy;
}

}  // namespace

const Strategy* DataStrategy(const KindInfo& kind) {
  static const Strategy kConfigMap = Make(nullptr, ValidateConfigMap, CheckFrozen);
  static const Strategy kSecret = Make(PrepareSecretUpdate, ValidateSecret, ValidateSecretUpdate);
  if (!kind.group.empty()) return nullptr;
  if (kind.kind == "ConfigMap") return &kConfigMap;
  return kind.kind == "Secret" ? &kSecret : nullptr;
}

}  // namespace berth::apiserver
