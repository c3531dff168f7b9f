// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/request_body.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/json/document.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "sandbox/apiserver/go/go_json.h"
#include "sandbox/apiserver/rest/protobuf/protobuf.h"
#include "sandbox/apiserver/rest/request/media_type.h"
#include "sandbox/apiserver/schema/strict_text.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kReadTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
constexpr size_t kSummaryBytes = 30;
constexpr int kMaxDepth = 1000;  // a real server allows ten times that, and nobody needs it
static_assert(berth::json::kPlainDepth <= kMaxDepth);

// What Go calls the type that it reads apiVersion and kind into.
constexpr const char* kTypeMeta = R"(struct { APIVersion string "json:\"apiVersion,omitempty\""; )"
                                  R"(Kind string "json:\"kind,omitempty\"" })";

StatusError NoTypeMeta(const std::string& why) {
  return BadRequest("couldn't get version/kind; json parse error: " + why);
}

const char* GoNameOf(const json& value) { return value.is_boolean() ? "bool" : value.type_name(); }

// Which kind it is, is read before anything else. Null is an object without fields.
Answer<json> ReadTypeMeta(json document) {
  if (document.is_null()) return json::object();
  if (!document.is_object())
    return Refuse(NoTypeMeta(std::string("json: cannot unmarshal ") + GoNameOf(document) +
                             " into Go value of type " + kTypeMeta));
  for (const char* field : {"apiVersion", "kind"}) {
    const auto found = document.find(field);
    if (found == document.end() || found->is_string() || found->is_null()) continue;
    return Refuse(NoTypeMeta(std::string("json: cannot unmarshal ") + GoNameOf(*found) +
                             " into Go struct field ." + field + " of type string"));
  }
  return document;
}

Answer<RequestBody> ReadJson(std::string_view body, const Schema* schema) {
  // Most bodies give no reason for any finding, which is seen sooner than what there is to find.
  if (auto plain = berth::json::ReadPlainDocument(body)) {
    const bool known = schema == nullptr || KnowsAllFields(*schema, *plain);
    auto typed = ReadTypeMeta(std::move(*plain));
    if (!typed) return Refuse(std::move(typed).error());
    return RequestBody{std::move(*typed),
                       known ? std::vector<std::string>() : StrictFindings(schema, body)};
  }
  if (const auto valid = CheckGoSyntax(body, kMaxDepth); !valid)
    return Refuse(NoTypeMeta(valid.error().message()));
  const std::string text = ReplaceInvalidUtf8(body);
  json document = berth::json::ReadDocument(text);
  // Half a surrogate pair, or a number beyond a double.
  if (document.is_discarded()) return Refuse(NoTypeMeta("invalid string or number in JSON input"));
  auto typed = ReadTypeMeta(std::move(document));
  if (!typed) return Refuse(std::move(typed).error());
  return RequestBody{std::move(*typed), StrictFindings(schema, text)};
}

// The words of go-yaml for the mistakes that people make; `message` is base/yaml's.
std::string GoYamlError(std::string_view message) {
  // Its parser counts lines from 0 and its scanner from 1; neither tells of a line 0 or of the
  // first.
  enum class Part { kScanner, kParser };
  static constexpr struct {
    std::string_view ours, theirs;
    Part part;
  } kWords[] = {
      {"illegal map value", "mapping values are not allowed in this context", Part::kScanner},
      {"illegal EOF in scalar", "found unexpected end of stream", Part::kScanner},
      {"end of sequence flow not found", "did not find expected ',' or ']'", Part::kParser},
      {"end of map flow not found", "did not find expected ',' or '}'", Part::kParser},
      {"end of map not found", "did not find expected key", Part::kParser},
  };
  static constexpr std::string_view kLine = "line ";
  const size_t comma = message.find(',');
  const size_t colon = message.find(": ");
  if (!message.starts_with(kLine) || comma > colon || colon == message.npos)
    return "yaml: " + std::string(message);
  int line = std::atoi(message.data() + kLine.size());
  std::string_view words = message.substr(colon + 2);
  for (const auto& known : kWords) {
    if (words != known.ours) continue;
    words = known.theirs;
    line = known.part == Part::kParser ? std::max(line - 1, 1) : line == 1 ? 0 : line;
    break;
  }
  return "yaml: " + (line > 0 ? "line " + std::to_string(line) + ": " : "") + std::string(words);
}

// Go writes a number without a fraction as an integer, however it came.
void WriteWholeNumbers(json& value) {
  static constexpr double kLimit = 9007199254740992.0;  // all integers below are doubles
  if (value.is_structured()) {
    for (json& entry : value) WriteWholeNumbers(entry);
  } else if (value.is_number_float()) {
    const double number = value.get<double>();
    if (number == std::trunc(number) && std::abs(number) <= kLimit)
      value = static_cast<int64_t>(number);
  }
}

// Keys that occur twice are found by the reader of YAML, the rest in the JSON that it makes.
Answer<RequestBody> ReadYaml(std::string_view body, const Schema* schema) {
  std::vector<yaml::DuplicateKey> duplicates;
  const auto text = yaml::ToJson(body, duplicates);
  if (!text) return Refuse(BadRequest(GoYamlError(text.error().message())));
  auto read = ReadJson(*text, schema);
  if (!read || duplicates.empty()) return read;
  std::string finding = "yaml: unmarshal errors:";
  for (const auto& [line, key] : duplicates)
    finding += "\n  line " + std::to_string(line) + ": key " + key + " already set in map";
  read->findings.insert(read->findings.begin(), std::move(finding));
  return read;
}

StatusError Unrecognized(StatusError error, std::string_view kind, std::string_view body) {
  if (error.code != 400) return error;
  error.message = "the object provided is unrecognized (must be of type " + std::string(kind) +
                  "): " + error.message + " (" + Summary(body) + ")";
  return error;
}

}  // namespace

Answer<RequestBody> ReadBody(std::string_view content_type, std::string_view body,
                             const Schema* schema) {
  const std::string type = BaseType(content_type);
  if (type.empty() || type == "application/json") return ReadJson(body, schema);
  if (type == "application/yaml") return ReadYaml(body, schema);
  if (type != "application/vnd.kubernetes.protobuf")
    return Refuse(UnsupportedMediaType(kReadTypes));
  auto document = DecodeProtobuf(body);
  if (!document) return Refuse(std::move(document).error());
  return RequestBody{std::move(*document), {}};
}

Answer<RequestBody> ReadObject(std::string_view content_type, std::string_view body,
                               const KindInfo& kind) {
  // A custom resource is decoded into maps; what its schema does not know is pruned later.
  auto read = ReadBody(content_type, body, kind.custom ? nullptr : kind.schema);
  if (!read) return Refuse(Unrecognized(std::move(read).error(), kind.kind, body));
  if (kind.custom) WriteWholeNumbers(read->document);
  return read;
}

Answer<json> ParseBody(std::string_view content_type, std::string_view body,
                       std::string_view kind) {
  auto read = ReadBody(content_type, body, nullptr);
  if (!read) return Refuse(Unrecognized(std::move(read).error(), kind, body));
  return std::move(read->document);
}

std::string Summary(std::string_view body) {
  static constexpr char kDigits[] = "0123456789abcdef";
  if (body.empty()) return "<empty>";
  const bool is_long = body.size() > kSummaryBytes;
  const std::string_view head = body.substr(0, kSummaryBytes);
  std::string text;
  if (body[0] == '{') {
    text = head;
  } else {
    for (const char c : head) {
      const auto byte = static_cast<unsigned char>(c);
      text += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text + (is_long ? " ..." : "");
}

}  // namespace berth::apiserver
