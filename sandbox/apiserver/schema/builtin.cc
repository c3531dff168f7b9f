// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/builtin.h"

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/schema/builtin_tables.h"

namespace berth::apiserver {

using nlohmann::json;

const BuiltinSchemas& BuiltinSchemas::Get() {
  // The table is immutable and expensive to build.
  static const BuiltinSchemas kTable;
  return kTable;
}

BuiltinSchemas::BuiltinSchemas() {
  for (const std::string_view text : BuiltinTables()) {
    const json table = ReadDocument(text);
    for (const auto& [name, source] : table.items()) {
      types_[name].name = name;
      sources_[name] = std::make_shared<const json>(source);
    }
  }
  SchemaParser parser(&arena_, [this](std::string_view name) { return Find(name); });
  for (auto& [name, schema] : types_) {
    const json& source = *sources_[name];
    const Result<void> filled = parser.Fill(source, &schema);
    BERTH_CHECK(filled, name + ": " + (filled ? "" : filled.error().message()));
    const auto kinds = source.find("x-kubernetes-group-version-kind");
    if (kinds == source.end()) continue;
    for (const json& kind : *kinds)
      kinds_[{kind.at("group"), kind.at("version"), kind.at("kind")}] = &schema;
  }
}

const Schema* BuiltinSchemas::Find(std::string_view name) const {
  const auto at = types_.find(name);
  return at == types_.end() ? nullptr : &at->second;
}

const Schema* BuiltinSchemas::FindKind(const GroupVersionKind& kind) const {
  const auto at = kinds_.find(kind);
  return at == kinds_.end() ? nullptr : at->second;
}

const json* BuiltinSchemas::Source(std::string_view name) const {
  const auto at = sources_.find(name);
  return at == sources_.end() ? nullptr : at->second.get();
}

const Schema& TextSchema() {
  static const Schema kText = [] {
    Schema schema;
    schema.type = ValueType::kString;
    return schema;
  }();
  return kText;
}

}  // namespace berth::apiserver
