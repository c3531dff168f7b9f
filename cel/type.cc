// SPDX-License-Identifier: Apache-2.0
#include "cel/type.h"

#include <algorithm>
#include <array>

#include "base/check.h"

namespace berth::cel {
namespace {

struct BasicName {
  Kind kind;
  std::string_view name;   // at run time
  std::string_view shown;  // by the checker
};

constexpr std::array kBasicNames = {
    BasicName{Kind::kError, "error", "!error!"},
    BasicName{Kind::kNull, "null_type", "null"},
    BasicName{Kind::kBool, "bool", "bool"},
    BasicName{Kind::kInt, "int", "int"},
    BasicName{Kind::kUint, "uint", "uint"},
    BasicName{Kind::kDouble, "double", "double"},
    BasicName{Kind::kString, "string", "string"},
    BasicName{Kind::kBytes, "bytes", "bytes"},
    BasicName{Kind::kTimestamp, "google.protobuf.Timestamp", "timestamp"},
    BasicName{Kind::kDuration, "google.protobuf.Duration", "duration"},
    BasicName{Kind::kDyn, "dyn", "dyn"},
};

TypePtr Make(Kind kind, std::string_view name, std::vector<TypePtr> parameters = {}) {
  return std::make_shared<const Type>(kind, std::string(name), std::move(parameters));
}

std::string_view ShownName(const Type& type) {
  const auto* const basic =
      std::find_if(kBasicNames.begin(), kBasicNames.end(),
                   [&](const BasicName& known) { return known.kind == type.kind(); });
  return basic == kBasicNames.end() ? std::string_view(type.name()) : basic->shown;
}

}  // namespace

const TypePtr& Basic(Kind kind) {
  static const auto* const kTypes = [] {
    auto* types = new std::map<Kind, TypePtr>;
    for (const BasicName& basic : kBasicNames) (*types)[basic.kind] = Make(basic.kind, basic.name);
    const TypePtr dyn = types->at(Kind::kDyn);
    (*types)[Kind::kList] = ListOf(dyn);
    (*types)[Kind::kMap] = MapOf(dyn, dyn);
    (*types)[Kind::kType] = TypeOf(dyn);
    (*types)[Kind::kOptional] = OptionalOf(dyn);
    return types;
  }();
  const auto found = kTypes->find(kind);
  BERTH_CHECK(found != kTypes->end(), "this kind has no basic type");
  return found->second;
}

TypePtr ListOf(TypePtr element) { return Make(Kind::kList, "list", {std::move(element)}); }

TypePtr MapOf(TypePtr key, TypePtr value) {
  return Make(Kind::kMap, "map", {std::move(key), std::move(value)});
}

TypePtr TypeOf(TypePtr held) { return Make(Kind::kType, "type", {std::move(held)}); }

TypePtr OptionalOf(TypePtr held) {
  return Make(Kind::kOptional, "optional_type", {std::move(held)});
}

TypePtr ObjectOf(std::string name, Fields fields) {
  return std::make_shared<const Type>(Kind::kObject, std::move(name), std::vector<TypePtr>{},
                                      std::move(fields));
}

TypePtr OpaqueOf(std::string name) { return Make(Kind::kOpaque, name); }

TypePtr ParameterOf(std::string name) { return Make(Kind::kParameter, name); }

std::string ToString(const Type& type) {
  std::string out(ShownName(type));
  if (type.parameters().empty()) return out;
  std::string_view separator = "(";
  for (const TypePtr& parameter : type.parameters()) {
    out += separator;
    out += ToString(*parameter);
    separator = ", ";
  }
  return out + ")";
}

bool IsSame(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind() != b.kind() || a.name() != b.name()) return false;
  return std::equal(a.parameters().begin(), a.parameters().end(), b.parameters().begin(),
                    b.parameters().end(),
                    [](const TypePtr& x, const TypePtr& y) { return IsSame(*x, *y); });
}

TypePtr NamedType(std::string_view name) {
  for (const Kind kind : {Kind::kList, Kind::kMap, Kind::kType, Kind::kOptional}) {
    if (Basic(kind)->name() == name) return Basic(kind);
  }
  for (const BasicName& basic : kBasicNames) {
    const bool is_value = basic.kind != Kind::kError && basic.kind != Kind::kDyn;
    if (is_value && basic.name == name) return Basic(basic.kind);
  }
  return nullptr;
}

}  // namespace berth::cel
