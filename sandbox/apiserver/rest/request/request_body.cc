// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/request_body.h"

#include <cmath>

#include "base/json/document.h"
#include "base/strings.h"
#include "sandbox/apiserver/rest/protobuf/protobuf.h"
#include "sandbox/apiserver/rest/request/media_type.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kReadTypes = "application/json, application/vnd.kubernetes.protobuf";

Answer<json> ReadJson(std::string_view body) {
  // Deeper nesting would overflow the stack of recursive functions.
  auto plain = berth::json::ReadPlainDocument(ReplaceInvalidUtf8(body));
  if (!plain) return Reject(BadRequest("the body is not JSON, or has a duplicate field"));
  if (plain->is_null()) return json::object();
  if (!plain->is_object()) return Reject(BadRequest("the body is not a JSON object"));
  for (const char* field : {"apiVersion", "kind"}) {
    const auto found = plain->find(field);
    if (found == plain->end() || found->is_string() || found->is_null()) continue;
    return Reject(BadRequest("the body's " + std::string(field) + " is not a string"));
  }
  return std::move(*plain);
}

// Go writes a number without a fraction as an integer, whatever its input form.
void WriteWholeNumbers(json& value) {
  static constexpr double kLimit = 9007199254740992.0;  // all smaller integers are doubles
  if (value.is_structured()) {
    for (json& entry : value) WriteWholeNumbers(entry);
  } else if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number == std::trunc(number) && std::abs(number) <= kLimit)
      value = static_cast<int64_t>(number);
  }
}

}  // namespace

Answer<json> ReadBody(std::string_view content_type, std::string_view body) {
  const std::string type = BaseType(content_type);
  if (type.empty() || type == "application/json") return ReadJson(body);
  if (type == "application/vnd.kubernetes.protobuf") return DecodeProtobuf(body);
  return Reject(UnsupportedMediaType(kReadTypes));
}

Answer<json> ReadObjectBody(std::string_view content_type, std::string_view body,
                            const KindInfo& kind) {
  auto read = ReadBody(content_type, body);
  if (read && kind.custom) WriteWholeNumbers(*read);
  return read;
}

}  // namespace berth::apiserver
