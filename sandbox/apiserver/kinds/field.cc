// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/field.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/quantity.h"

namespace berth::apiserver {
namespace {

using api::FieldError;
using nlohmann::json;

const json kNone;

std::string Dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

Field::Field(const json& document, Problems& problems) : value_(&document), problems_(&problems) {}

std::string Field::path() const {
  std::string path = base_ == nullptr ? std::string() : *base_;
  for (size_t i = 0; i < step_count_; ++i) {
    const Step& step = steps_[i];
    if (step.kind == Step::Kind::kMember)
      path = api::Child(path, step.name);
    else if (step.kind == Step::Kind::kItem)
      path = api::Index(path, step.index);
    else
      path.append("[").append(step.name).append("]");
  }
  return path;
}

Field Field::Below(Step step, const json* value) const {
  Field below = step_count_ < kMaxSteps ? *this : At(path());
  below.steps_[below.step_count_++] = step;
  below.value_ = value;
  return below;
}

const json& Field::value() const { return value_ == nullptr ? kNone : *value_; }

Field Field::Member(std::string_view name, Step::Kind kind) const {
  if (value().is_object()) {
    if (const auto at = value().find(name); at != value().end())
      return Below({.kind = kind, .name = at.key()}, &*at);
  }
  return Below({.kind = kind, .name = name}, nullptr);
}

Field Field::operator[](std::string_view name) const { return Member(name, Step::Kind::kMember); }

Field Field::Key(std::string_view key) const { return Member(key, Step::Kind::kKey); }

Field Field::Item(size_t index) const {
  const bool there = value().is_array() && index < value().size();
  return Below({.kind = Step::Kind::kItem, .index = index}, there ? &value()[index] : nullptr);
}

Field Field::At(std::string path) const {
  Field moved = *this;
  moved.base_ = std::make_shared<const std::string>(std::move(path));
  moved.step_count_ = 0;
  return moved;
}

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
  problems_->push_back(std::move(error));
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

void Field::NotFound() const {
  Add({FieldError::Type::kNotFound, path(), Dumped(json(Text())), {}});
}

void Field::NotSupported(std::span<const std::string_view> allowed) const {
  Add(FieldError::NotSupported(path(), Text(), allowed));
}

void Field::NotSupported(std::string value_json, std::span<const std::string_view> allowed) const {
  FieldError error = FieldError::NotSupported(path(), {}, allowed);
  error.value = std::move(value_json);
  Add(std::move(error));
}

void Field::NotSupported(std::initializer_list<std::string_view> allowed) const {
  NotSupported(std::span(allowed.begin(), allowed.size()));
}

void Field::TooLong(size_t max_bytes) const {
  Add({FieldError::Type::kTooLong,
       path(),
       {},
       "may not be more than " + std::to_string(max_bytes) + " bytes"});
}

void Field::TooMany(size_t count, size_t max_items) const {
  Add({FieldError::Type::kTooMany, path(), std::to_string(count),
       "must have at most " + std::to_string(max_items) + (max_items == 1 ? " item" : " items")});
}

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

bool Field::NotLonger(size_t max_bytes) const {
  if (Text().size() <= max_bytes) return true;
  TooLong(max_bytes);
  return false;
}

bool Field::Named(NameProblems (*check)(std::string_view)) const {
  if (!value().is_string()) return true;
  const NameProblems wrong = check(Text());
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

NameProblems CheckDataKey(std::string_view key) {
  constexpr size_t kMaxLength = 253;
  NameProblems problems;
  if (key.size() > kMaxLength) problems.push_back("must be no more than 253 bytes");
  const bool fits = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
  });
  if (!fits) {
    problems.push_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (key == ".") problems.push_back("must not be '.'");
  if (key == "..")
    problems.push_back("must not be '..'");
  else if (key.starts_with(".."))
    problems.push_back("must not start with '..'");
  return problems;
}

NameProblems CheckPathSegment(std::string_view name) {
  if (name == "." || name == "..") return {"may not be '" + std::string(name) + "'"};
  NameProblems problems;
  for (const char bad : {'/', '%'}) {
    if (name.find(bad) != std::string_view::npos)
      problems.push_back(std::string("may not contain '") + bad + "'");
  }
  return problems;
}

std::string InOrder(const json& value, std::span<const std::string_view> names) {
  if (value.is_array()) {
    std::string text;
    for (const json& item : value) text += (text.empty() ? "" : ",") + InOrder(item, names);
    return "[" + text + "]";
  }
  if (!value.is_object()) return Dumped(value);
  std::string text;
  const auto add = [&](const std::string& name, const json& member) {
    text += (text.empty() ? "" : ",") + Dumped(json(name)) + ":" + InOrder(member, names);
  };
  for (const std::string_view name : names) {
    if (const auto at = value.find(name); at != value.end()) add(at.key(), *at);
  }
  for (const auto& [name, member] : value.items()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) add(name, member);
  }
  return "{" + text + "}";
}

}  // namespace berth::apiserver
