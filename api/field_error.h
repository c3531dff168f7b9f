// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::api {

// FieldError is a validation error of one field with the wording of Kubernetes' field.Error, so
// that users can search for it.
struct FieldError {
  enum class Type {
    kRequired,
    kInvalid,
    kDuplicate,
    kNotSupported,
    kForbidden,
    kNotFound,
    kTypeInvalid,  // worded as kInvalid, but with its own cause reason
    kTooLong,
    kTooMany,
  };

  Type type;
  std::string path;    // "profiles[0].plugins.score"
  std::string value;   // value found, as JSON; empty for kRequired, kForbidden and kTooLong
  std::string detail;  // what is allowed

  // "path: Invalid value: 101: not in valid range [0-100]"
  std::string ToString() const;
  // Returns ToString without the path, as in a cause of a Status.
  std::string Body() const;
  // Returns the reason of a Status cause: "FieldValueRequired".
  std::string_view CauseReason() const;

  static FieldError Required(std::string path, std::string detail = {});
  static FieldError Invalid(std::string path, std::string_view value, std::string detail);
  static FieldError Invalid(std::string path, std::integral auto value, std::string detail) {
    return InvalidJson(std::move(path), std::to_string(value), std::move(detail));
  }
  // Invalid for a value that is neither a string nor a number; `value` is its JSON text.
  static FieldError InvalidJson(std::string path, std::string value, std::string detail);
  static FieldError Duplicate(std::string path, std::string_view value);
  static FieldError NotSupported(std::string path, std::string_view value,
                                 std::span<const std::string_view> allowed);
  static FieldError Forbidden(std::string path, std::string detail);

  bool operator==(const FieldError&) const = default;
};

// FieldWarning is a remark about a valid value that probably has an unintended effect.
struct FieldWarning {
  std::string path;  // of the field; empty: the remark is about no single field
  std::string text;

  // "spec.x: text", or "text" without a path.
  std::string ToString() const;

  bool operator==(const FieldWarning&) const = default;
};

// Prints errors like Kubernetes: a single error as is, several as "[e1, e2]", duplicates once.
std::string Aggregate(std::span<const FieldError> errors);

// Extend a field path: Index(Child("spec", "terms"), 0) is "spec.terms[0]".
std::string Child(std::string_view path, std::string_view name);
std::string Index(std::string_view path, size_t i);

}  // namespace berth::api
