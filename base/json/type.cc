// SPDX-License-Identifier: Apache-2.0
#include "base/json/type.h"

#include "base/check.h"

namespace berth::json {

const Type::Field* Type::FindField(std::string_view name, size_t& hint) const {
  const size_t count = fields.size();
  for (size_t step = 0; step < count; ++step) {
    const size_t i = hint + step < count ? hint + step : hint + step - count;
    if (fields[i].name == name) {
      hint = i + 1 < count ? i + 1 : 0;
      return &fields[i];
    }
  }
  return nullptr;
}

std::vector<std::string> Type::FieldNames() const {
  std::vector<std::string> names;
  for (const ConstantSpec& constant : constants) names.emplace_back(constant.name);
  for (const Field& field : fields) names.emplace_back(field.name);
  return names;
}

namespace internal {

bool ObjectIsEmpty(const Type& type, const void* value) {
  if (!type.constants.empty()) return false;
  for (const Type::Field& field : type.fields) {
    if (field.always_written || !field.type().empty(field.In(value))) return false;
  }
  return true;
}

Type MakeObject(const ObjectSpec& spec, const void* owner, const void* sample,
                bool (*empty)(const void* value)) {
  Type type{.kind = Type::Kind::kObject, .empty = empty};
  type.fields.reserve(spec.fields.size());
  for (const FieldSpec& field : spec.fields) {
    BERTH_CHECK(field.owner == owner, "a description names a member of another struct");
    const Type& content = field.type();
    const void* member = static_cast<const std::byte*>(sample) + field.offset;
    // A struct is empty if all its fields are.
    const bool always = content.kind != Type::Kind::kObject && !content.empty(member);
    const bool required = field.options.required && content.kind != Type::Kind::kScalar &&
                          content.kind != Type::Kind::kOptional && content.kind != Type::Kind::kRaw;
    type.fields.push_back(
        {field.name, field.offset, field.type, field.options, always, always || required});
  }
  type.constants = spec.constants;
  type.rules = spec.rules;
  type.atomic = spec.atomic;
  return type;
}

}  // namespace internal
}  // namespace berth::json
