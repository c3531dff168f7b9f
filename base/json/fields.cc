// SPDX-License-Identifier: Apache-2.0
#include "base/json/fields.h"

#include <algorithm>

#include "base/check.h"
#include "base/json/type.h"

namespace berth::json {

FieldSpec& FieldSpec::Doc(std::string_view text) {
  options.doc = text;
  return *this;
}

FieldSpec& FieldSpec::Default(std::string_view json) {
  options.default_json = json;
  return *this;
}

FieldSpec& FieldSpec::OneOf(std::string_view words) {
  options.one_of = words;
  return *this;
}

FieldSpec& FieldSpec::Pattern(std::string_view regex) {
  options.pattern = regex;
  return *this;
}

FieldSpec& FieldSpec::ListMap(std::string_view keys) {
  options.map_keys = keys;
  options.list_type = ListType::kMap;
  return *this;
}

FieldSpec& FieldSpec::ListSet() {
  options.list_type = ListType::kSet;
  return *this;
}

FieldSpec& FieldSpec::Min(int64_t value) {
  options.minimum = value;
  return *this;
}

FieldSpec& FieldSpec::Max(int64_t value) {
  options.maximum = value;
  return *this;
}

FieldSpec& FieldSpec::MinLength(int64_t n) {
  options.min_length = n;
  return *this;
}

FieldSpec& FieldSpec::MaxLength(int64_t n) {
  options.max_length = n;
  return *this;
}

FieldSpec& FieldSpec::ItemMaxLength(int64_t n) {
  options.item_max_length = n;
  return *this;
}

FieldSpec& FieldSpec::MaxItems(int64_t n) {
  options.max_items = n;
  return *this;
}

FieldSpec& FieldSpec::Required() {
  options.required = true;
  return *this;
}

FieldSpec& FieldSpec::Atomic() {
  options.atomic = true;
  return *this;
}

FieldSpec& FieldSpec::PreserveUnknown() {
  options.preserve_unknown = true;
  return *this;
}

FieldSpec& FieldSpec::OnlyInFiles() {
  options.only_in_files = true;
  return *this;
}

FieldSpec& FieldSpec::Rule(std::string_view rule, std::string_view message) {
  const auto free = std::find_if(options.rules.begin(), options.rules.end(),
                                 [](const ValidationRule& slot) { return slot.rule.empty(); });
  BERTH_CHECK(free != options.rules.end(), "a field has too many rules");
  *free = {rule, message};
  return *this;
}

ObjectSpec& ObjectSpec::Atomic() {
  atomic = true;
  return *this;
}

ObjectSpec& ObjectSpec::Rule(std::string_view rule, std::string_view message) {
  rules.push_back({rule, message});
  return *this;
}

void ObjectSpec::Add(const FieldSpec& field) { fields.push_back(field); }

void ObjectSpec::Add(const ConstantSpec& constant) { constants.push_back(constant); }

void ObjectSpec::Add(const BaseSpec& base) {
  const Type& type = base.type();
  for (const Type::Field& field : type.fields) {
    fields.push_back({.name = field.name,
                      .offset = base.offset + field.offset,
                      .type = field.type,
                      .owner = base.owner,
                      .options = field.options});
  }
  constants.insert(constants.end(), type.constants.begin(), type.constants.end());
  rules.insert(rules.end(), type.rules.begin(), type.rules.end());
  atomic |= type.atomic;
}

namespace internal {

FieldSpec MakeField(std::string_view name, size_t offset, TypeRef type, const void* owner) {
  return {.name = name, .offset = offset, .type = type, .owner = owner};
}

}  // namespace internal
}  // namespace berth::json
