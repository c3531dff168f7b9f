// SPDX-License-Identifier: Apache-2.0
#include "cel/function.h"

#include <map>

#include "base/check.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

TypePtr LibraryType(std::string_view name) {
  if (name == "quantity") return QuantityType();
  if (name == "semver") return SemverType();
  return nullptr;
}

// SignatureReader parses the signature of a FunctionRow. A syntax error is a bug and aborts.
class SignatureReader {
 public:
  SignatureReader(std::string_view text, std::span<const TypePtr> types)
      : rest_(text), types_(types) {}

  Overload Read() {
    Overload overload;
    if (TakeIf("(")) {
      overload.is_member = true;
      overload.parameters.push_back(ReadType());
      Take(").");
    }
    const size_t open = rest_.find('(');
    overload.function = rest_.substr(0, open);
    rest_.remove_prefix(open + 1);
    while (!TakeIf(")")) {
      overload.parameters.push_back(ReadType());
      TakeIf(", ");
    }
    Take(" -> ");
    overload.result = ReadType();
    BERTH_CHECK(rest_.empty(), "text after a signature");
    return overload;
  }

 private:
  bool TakeIf(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void Take(std::string_view text) { BERTH_CHECK(TakeIf(text), "malformed signature"); }

  TypePtr ReadType() {
    const size_t length = rest_.find_first_of("(), ");
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(name.size());
    if (name == "list" || name == "optional" || name == "type") {
      Take("(");
      TypePtr held = ReadType();
      Take(")");
      return name == "list" ? ListOf(held) : name == "type" ? TypeOf(held) : OptionalOf(held);
    }
    if (name == "map") {
      Take("(");
      TypePtr key = ReadType();
      Take(", ");
      TypePtr value = ReadType();
      Take(")");
      return MapOf(std::move(key), std::move(value));
    }
    if (name.size() == 1) return ParameterOf(std::string(name));
    return ReadPlainType(name);
  }

  TypePtr ReadPlainType(std::string_view name) const {
    if (TypePtr type = LibraryType(name)) return type;
    for (const TypePtr& type : types_)
      if (type->name() == name) return type;
    if (name == "dyn") return Basic(Kind::kDyn);
    if (name == "null") return Basic(Kind::kNull);
    if (name == "timestamp") return Basic(Kind::kTimestamp);
    if (name == "duration") return Basic(Kind::kDuration);
    TypePtr type = NamedType(name);
    BERTH_CHECK(type != nullptr, "unknown type in a signature");
    return type;
  }

  std::string_view rest_;
  std::span<const TypePtr> types_;
};

using Functions = std::map<std::string, std::vector<Overload>, std::less<>>;

void AddRows(const Library& library, std::span<const TypePtr> types, Functions& functions) {
  for (const FunctionRow& row : library.rows) {
    Overload overload = SignatureReader(row.signature, types).Read();
    overload.call = row.call;
    overload.cost = row.cost;
    overload.costs_always = row.costs_always;
    overload.introduced = library.introduced;
    functions[overload.function].push_back(std::move(overload));
  }
}

const Functions& AllFunctions() {
  static const auto* const kFunctions = [] {
    auto* functions = new Functions;
    for (const Library& library : Libraries()) AddRows(library, {}, *functions);
    return functions;
  }();
  return *kFunctions;
}

bool IsOfType(const Type& type, const Value& value) {
  switch (type.kind()) {
    case Kind::kDyn:
    case Kind::kParameter:
      return true;
    case Kind::kObject:
      return value.Is(Kind::kMap);
    case Kind::kOpaque:
      return value.Is(Kind::kOpaque) && IsSame(type, *value.AsOpaque().type());
    default:
      return value.Is(type.kind());
  }
}

}  // namespace

bool Overload::Accepts(std::span<const Value> arguments) const {
  if (arguments.size() != parameters.size()) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!IsOfType(*parameters[i], arguments[i])) return false;
  }
  return true;
}

FunctionTable::FunctionTable(std::span<const FunctionRow> rows, std::span<const TypePtr> types) {
  AddRows({.rows = rows}, types, functions_);
}

std::span<const Overload> FunctionTable::Find(std::string_view name) const {
  const auto found = functions_.find(name);
  if (found == functions_.end()) return {};
  return found->second;
}

std::span<const Overload> FindFunction(std::string_view name) {
  const auto found = AllFunctions().find(name);
  if (found == AllFunctions().end()) return {};
  return found->second;
}

std::vector<std::string_view> FunctionNames() {
  std::vector<std::string_view> names;
  for (const auto& entry : AllFunctions()) names.push_back(entry.first);
  return names;
}

}  // namespace berth::cel
