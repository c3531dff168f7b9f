// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/field.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/quantity.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using api::FieldError;
using nlohmann::json;

const json kNone;

std::string Dumped(const json& value) { return DocumentText(value); }

}  // namespace

Field::Field(const json& document, Errors& errors) : value_(&document), errors_(&errors) {}

Field Field::Below(std::string path, const json* value) const {
  Field below = *this;
  below.path_ = std::move(path);
  below.value_ = value;
  return below;
}

const json& Field::value() const { return value_ == nullptr ? kNone : *value_; }

const json* Field::Find(std::string_view name) const {
  if (!value().is_object()) return nullptr;
  const auto at = value().find(name);
  return at == value().end() ? nullptr : &*at;
}

Field Field::operator[](std::string_view name) const {
  return Below(api::Child(path_, name), Find(name));
}

Field Field::Key(std::string_view key) const {
  return Below(path_ + "[" + std::string(key) + "]", Find(key));
}

Field Field::Item(size_t index) const {
  const bool there = value().is_array() && index < value().size();
  return Below(api::Index(path_, index), there ? &value()[index] : nullptr);
}

Field Field::At(std::string path) const { return Below(std::move(path), value_); }

std::vector<Field> Field::Items() const {
  std::vector<Field> items;
  if (!value().is_array()) return items;
  for (size_t i = 0; i < value().size(); ++i) items.push_back(Item(i));
  return items;
}

std::vector<Field::Entry> Field::Entries() const {
  std::vector<Entry> entries;
  if (!value().is_object()) return entries;
  for (const auto& [key, unused] : value().items()) entries.push_back({key, Key(key)});
  return entries;
}

bool Field::IsSet() const { return !value().is_null(); }

bool Field::IsEmpty() const {
  if (value().is_string()) return value().get_ref<const std::string&>().empty();
  return value().is_null() || (value().is_structured() && value().empty());
}

std::string Field::Text() const {
  return value().is_string() ? value().get<std::string>() : std::string();
}

int64_t Field::Number(int64_t otherwise) const {
  return value().is_number_integer() ? value().get<int64_t>() : otherwise;
}

bool Field::IsTrue() const { return value().is_boolean() && value().get<bool>(); }

bool Field::Add(FieldError error) const {
  errors_->push_back(std::move(error));
  return false;
}

void Field::Required(std::string detail) const {
  Add(FieldError::Required(path(), std::move(detail)));
}

void Field::Invalid(std::string detail) const { Invalid(Dumped(value()), std::move(detail)); }

void Field::Invalid(std::string value_json, std::string detail) const {
  Add(FieldError::InvalidJson(path(), std::move(value_json), std::move(detail)));
}

void Field::Forbidden(std::string detail) const {
  Add(FieldError::Forbidden(path(), std::move(detail)));
}

void Field::Duplicate() const { Add({FieldError::Type::kDuplicate, path(), Dumped(value()), {}}); }

bool Field::Require(std::string detail) const {
  return !IsEmpty() || Add(FieldError::Required(path(), std::move(detail)));
}

bool Field::OneOf(std::span<const std::string_view> allowed) const {
  if (!value().is_string()) return true;
  const std::string text = Text();
  if (std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return true;
  return Add(FieldError::NotSupported(path(), text, allowed));
}

bool Field::OneOf(std::initializer_list<std::string_view> allowed) const {
  return OneOf(std::span(allowed.begin(), allowed.size()));
}

bool Field::AtLeast(int64_t minimum, std::string_view detail) const {
  if (!value().is_number_integer() || Number() >= minimum) return true;
  return Add(FieldError::Invalid(path(), Number(), std::string(detail)));
}

bool Field::InRange(int64_t minimum, int64_t maximum) const {
  if (!value().is_number_integer() || (Number() >= minimum && Number() <= maximum)) return true;
  return Add(FieldError::Invalid(path(), Number(),
                                 "must be between " + std::to_string(minimum) + " and " +
                                     std::to_string(maximum) + ", inclusive"));
}

bool Field::Named(NameErrors (*check)(std::string_view)) const {
  if (!value().is_string()) return true;
  const NameErrors wrong = check(Text());
  for (const std::string& why : wrong) Invalid(why);
  return wrong.empty();
}

bool Field::Unchanged(const Field& old) const {
  if (value() == old.value()) return true;
  Invalid("field is immutable");
  return false;
}

void CheckLabels(const Field& labels) {
  for (const Field::Entry& entry : labels.Entries()) {
    for (const std::string& why : CheckQualifiedName(entry.key))
      labels.Invalid(Dumped(json(entry.key)), why);
    entry.value.At(labels.path()).Named(CheckLabelValue);
  }
}

void CheckLabelSelector(const Field& selector) {
  CheckLabels(selector["matchLabels"]);
  for (const Field& term : selector["matchExpressions"].Items()) {
    const std::string op = term["operator"].Text();
    const Field values = term["values"];
    if (op == "In" || op == "NotIn") {
      values.Require("must be specified when `operator` is 'In' or 'NotIn'");
    } else if (op == "Exists" || op == "DoesNotExist") {
      if (!values.IsEmpty())
        values.Forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else {
      term["operator"].Invalid(Dumped(json(op)), "not a valid selector operator");
    }
    for (const std::string& why : CheckQualifiedName(term["key"].Text()))
      term["key"].Invalid(Dumped(json(term["key"].Text())), why);
    for (const Field& value : values.Items()) value.Named(CheckLabelValue);
  }
}

void CheckQuantity(const Field& amount) {
  const auto quantity = Quantity::Parse(amount.Text());
  if (quantity && *quantity < Quantity()) amount.Invalid(std::string(kNotNegative));
}

NameErrors CheckPathSegment(std::string_view name) {
  if (name == "." || name == "..") return {"may not be '" + std::string(name) + "'"};
  NameErrors errors;
  for (const char bad : {'/', '%'}) {
    if (name.find(bad) != std::string_view::npos)
      errors.push_back(std::string("may not contain '") + bad + "'");
  }
  return errors;
}

}  // namespace berth::apiserver
