// SPDX-License-Identifier: Apache-2.0
#include "api/field_error.h"

#include <unordered_set>

#include "base/json/json.h"
#include "base/strings.h"

namespace berth::api {
namespace {

std::string_view Word(FieldError::Type type) {
  switch (type) {
    case FieldError::Type::kRequired:
      return "Required value";
    case FieldError::Type::kInvalid:
      return "Invalid value";
    case FieldError::Type::kDuplicate:
      return "Duplicate value";
    case FieldError::Type::kNotSupported:
      return "Unsupported value";
    case FieldError::Type::kForbidden:
      return "Forbidden";
    case FieldError::Type::kNotFound:
      return "Not found";
    case FieldError::Type::kTypeInvalid:
      return "Invalid value";
    case FieldError::Type::kTooLong:
      return "Too long";
    case FieldError::Type::kTooMany:
      return "Too many";
  }
  return "Invalid value";
}

}  // namespace

std::string FieldError::ToString() const { return path + ": " + Body(); }

std::string_view FieldError::CauseReason() const {
  switch (type) {
    case Type::kRequired:
      return "FieldValueRequired";
    case Type::kInvalid:
      return "FieldValueInvalid";
    case Type::kDuplicate:
      return "FieldValueDuplicate";
    case Type::kNotSupported:
      return "FieldValueNotSupported";
    case Type::kForbidden:
      return "FieldValueForbidden";
    case Type::kNotFound:
      return "FieldValueNotFound";
    case Type::kTypeInvalid:
      return "FieldValueTypeInvalid";
    case Type::kTooLong:
      return "FieldValueTooLong";
    case Type::kTooMany:
      return "FieldValueTooMany";
  }
  return "FieldValueInvalid";
}

std::string FieldError::Body() const {
  std::string text(Word(type));
  if (!value.empty()) text += ": " + value;
  if (!detail.empty()) text += ": " + detail;
  return text;
}

FieldError FieldError::Required(std::string path, std::string detail) {
  return {Type::kRequired, std::move(path), {}, std::move(detail)};
}

FieldError FieldError::Invalid(std::string path, std::string_view value, std::string detail) {
  return {Type::kInvalid, std::move(path), json::Quoted(value), std::move(detail)};
}

FieldError FieldError::InvalidJson(std::string path, std::string value, std::string detail) {
  return {Type::kInvalid, std::move(path), std::move(value), std::move(detail)};
}

FieldError FieldError::Duplicate(std::string path, std::string_view value) {
  return {Type::kDuplicate, std::move(path), json::Quoted(value), {}};
}

FieldError FieldError::NotSupported(std::string path, std::string_view value,
                                    std::span<const std::string_view> allowed) {
  std::vector<std::string> words;
  for (const std::string_view word : allowed) words.push_back(json::Quoted(word));
  return {Type::kNotSupported, std::move(path), json::Quoted(value),
          words.empty() ? std::string() : "supported values: " + Join(words, ", ")};
}

FieldError FieldError::Forbidden(std::string path, std::string detail) {
  return {Type::kForbidden, std::move(path), {}, std::move(detail)};
}

std::string FieldWarning::ToString() const { return path.empty() ? text : path + ": " + text; }

std::string Aggregate(std::span<const FieldError> errors) {
  std::vector<std::string> texts;
  std::unordered_set<std::string> seen;
  for (const FieldError& error : errors) {
    std::string text = error.ToString();
    if (seen.insert(text).second) texts.push_back(std::move(text));
  }
  if (texts.size() == 1) return texts.front();
  return texts.empty() ? std::string() : "[" + Join(texts, ", ") + "]";
}

std::string Child(std::string_view path, std::string_view name) {
  std::string text;
  text.reserve(path.size() + 1 + name.size());
  text += path;
  if (!text.empty()) text += '.';
  return text.append(name);
}

std::string Index(std::string_view path, size_t i) {
  return std::string(path) + "[" + std::to_string(i) + "]";
}

}  // namespace berth::api
