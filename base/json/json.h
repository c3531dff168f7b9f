// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/type.h"

namespace berth::json {

// Mode selects how unknown content is handled.
enum class Mode {
  kLenient,  // skip unknown fields: objects of an API server that may be newer
  kStrict,   // unknown, duplicate and wrongly cased fields are errors: user-written files
};

// Decodes JSON text into *value. `type` describes *value, which initially holds the defaults. Null
// equals absent. Errors (Reason::kConfig) name the field path, the value found and what is allowed.
// Strict mode reports all unknown fields at once. After an error *value is partly filled. Thread
// safe.
Result<void> DecodeInto(std::string_view text, const Type& type, void* value, Mode mode);

// Appends the canonical text: compact, keys sorted bytewise. Equal values give equal bytes. Empty
// fields are omitted, unless they are required or their default is not empty.
void EncodeTo(const Type& type, const void* value, std::string& out);

// Appends a JSON string literal. Invalid UTF-8 is copied unchanged; the API server rejects it with
// a better message.
void AppendQuoted(std::string_view text, std::string& out);
std::string Quoted(std::string_view text);

// Canonical sorts the keys of any JSON text and removes white space. Pretty also indents by two
// spaces.
Result<std::string> Canonical(std::string_view text);
Result<std::string> Pretty(std::string_view text);

// Identity holds the apiVersion and kind of any API document. Decode it first to select the type of
// the whole document.
struct Identity {
  std::string api_version;
  std::string kind;
  static auto Fields() {
    return Object(Field("apiVersion", &Identity::api_version), Field("kind", &Identity::kind));
  }
};

template <class T>
Result<T> Decode(std::string_view text, Mode mode = Mode::kLenient) {
  Result<T> value{};
  if (auto decoded = DecodeInto(text, TypeOf<T>(), &*value, mode); !decoded) {
    return Fail(std::move(decoded).error());
  }
  return value;
}

template <class T>
std::string Encode(const T& value) {
  std::string text;
  EncodeTo(TypeOf<T>(), &value, text);
  return text;
}

}  // namespace berth::json
