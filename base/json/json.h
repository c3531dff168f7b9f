// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/type.h"

namespace berth::json {

// Mode says what to make of content a description does not know.
enum class Mode {
  kLenient,  // unknown fields are skipped: objects of an API server that may be newer than we are
  kStrict,   // unknown, duplicate and wrongly cased fields are errors: files that users write
};

// DecodeInto reads JSON text into *value, which `type` describes and which holds its defaults
// before. Null is the same as absent. Errors (Reason::kConfig) name the field path, what was found
// and what is allowed; in strict mode all unknown fields are named at once. After an error *value
// is half filled. Thread safe.
Result<void> DecodeInto(std::string_view text, const Type& type, void* value, Mode mode);

// EncodeTo appends the canonical text: compact, keys sorted bytewise; same value, same bytes. Empty
// fields are left out, unless the description says they are required or their default is not empty.
void EncodeTo(const Type& type, const void* value, std::string& out);

// AppendQuoted appends a JSON string literal. Invalid UTF-8 is passed on as it is: the API server
// refuses it with a better message.
void AppendQuoted(std::string_view text, std::string& out);
std::string Quoted(std::string_view text);

// Canonical sorts the keys of any JSON text and removes white space; Pretty also indents by two
// spaces.
Result<std::string> Canonical(std::string_view text);
Result<std::string> Pretty(std::string_view text);

// Identity is what any API document begins with; decode it first to learn what to decode the whole
// as.
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
