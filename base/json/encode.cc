// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/json/json.h"

namespace berth::json {
namespace {

template <class Number>
void AppendNumber(Number number, std::string& out) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  out.append(text, end);
}

void EncodeScalar(const Type& type, const void* value, std::string& out) {
  const std::string text = type.print(value);
  const bool bare =
      type.format == ScalarFormat::kIntOrString && !text.empty() &&
      text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == std::string::npos &&
      text != "-";
  if (bare) {
    out += text;
  } else {
    AppendQuoted(text, out);
  }
}

void EncodeList(const Type& type, const void* value, std::string& out) {
  out += '[';
  const size_t size = type.size(value);
  for (size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    EncodeTo(type.element(), type.at(value, i), out);
  }
  out += ']';
}

void EncodeMap(const Type& type, const void* value, std::string& out) {
  struct Context {
    const Type& element;
    std::string& out;
    bool first = true;
  } context{type.element(), out};
  out += '{';
  type.each(value, &context, [](void* raw, const std::string& key, const void* element) {
    auto& at = *static_cast<Context*>(raw);
    if (!std::exchange(at.first, false)) at.out += ',';
    AppendQuoted(key, at.out);
    at.out += ':';
    EncodeTo(at.element, element, at.out);
  });
  out += '}';
}

// Member is a member of an object to write: a constant (field is null) or a non-empty field.
struct Member {
  std::string_view name;
  std::string_view constant;
  const Type::Field* field = nullptr;
};

void EncodeObject(const Type& type, const void* value, std::string& out) {
  std::vector<Member> members;
  members.reserve(type.fields.size() + type.constants.size());
  for (const ConstantSpec& constant : type.constants) {
    members.push_back({constant.name, constant.value, nullptr});
  }
  for (const Type::Field& field : type.fields) {
    if (field.IsWritten(value)) members.push_back({field.name, {}, &field});
  }
  std::sort(members.begin(), members.end(),
            [](const Member& a, const Member& b) { return a.name < b.name; });
  out += '{';
  bool first = true;
  for (const Member& member : members) {
    if (!std::exchange(first, false)) out += ',';
    AppendQuoted(member.name, out);
    out += ':';
    if (member.field == nullptr) {
      AppendQuoted(member.constant, out);
    } else {
      EncodeTo(member.field->type(), member.field->In(value), out);
    }
  }
  out += '}';
}

// Rewriting a document recurses once per level, so the depth is checked first.
constexpr int kMaxNesting = 256;

int NestingOf(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

Result<nlohmann::json> ParseDocument(std::string_view text) {
  if (NestingOf(text) > kMaxNesting) return ConfigError("malformed JSON: nested too deeply");
  auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return ConfigError("malformed JSON");
  return document;
}

constexpr auto kKeepBadUtf8 = nlohmann::json::error_handler_t::replace;

}  // namespace

namespace {

bool IsPlain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

}  // namespace

void AppendQuoted(std::string_view text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (size_t i = 0; i < text.size(); ++i) {
    // Most strings need no escapes at all.
    const size_t plain = i;
    while (i < text.size() && IsPlain(text[i])) ++i;
    out.append(text, plain, i - plain);
    if (i == text.size()) break;
    switch (const char c = text[i]) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += "\\u00";
        out += kHex[c >> 4];
        out += kHex[c & 15];
    }
  }
  out += '"';
}

std::string Quoted(std::string_view text) {
  std::string quoted;
  AppendQuoted(text, quoted);
  return quoted;
}

void EncodeTo(const Type& type, const void* value, std::string& out) {
  switch (type.kind) {
    case Type::Kind::kBool:
      out += *static_cast<const bool*>(value) ? "true" : "false";
      return;
    case Type::Kind::kInt32:
      AppendNumber(*static_cast<const int32_t*>(value), out);
      return;
    case Type::Kind::kInt64:
      AppendNumber(*static_cast<const int64_t*>(value), out);
      return;
    case Type::Kind::kDouble: {
      const double number = *static_cast<const double*>(value);
      if (std::isfinite(number)) {
        AppendNumber(number, out);
      } else {
        out += "null";  // JSON has no NaN or infinity
      }
      return;
    }
    case Type::Kind::kString:
      AppendQuoted(*static_cast<const std::string*>(value), out);
      return;
    case Type::Kind::kScalar:
      EncodeScalar(type, value, out);
      return;
    case Type::Kind::kOptional: {
      const void* content = type.get(value);
      if (content == nullptr) {
        out += "null";
      } else {
        EncodeTo(type.element(), content, out);
      }
      return;
    }
    case Type::Kind::kList:
      EncodeList(type, value, out);
      return;
    case Type::Kind::kMap:
      EncodeMap(type, value, out);
      return;
    case Type::Kind::kObject:
      EncodeObject(type, value, out);
      return;
    case Type::Kind::kRaw: {
      const std::string& text = static_cast<const Raw*>(value)->text;
      const auto canonical = Canonical(text);
      out += text.empty() ? "null" : canonical ? *canonical : text;
      return;
    }
  }
}

Result<std::string> Canonical(std::string_view text) {
  BERTH_TRY(const nlohmann::json document, ParseDocument(text));
  return document.dump(-1, ' ', false, kKeepBadUtf8);
}

Result<std::string> Pretty(std::string_view text) {
  BERTH_TRY(const nlohmann::json document, ParseDocument(text));
  return document.dump(2, ' ', false, kKeepBadUtf8);
}

}  // namespace berth::json
