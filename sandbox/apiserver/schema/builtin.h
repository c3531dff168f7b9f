// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/parse.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

inline constexpr std::string_view kObjectMetaType =
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

// BuiltinSchemas is the table of the built-in kinds, parsed once from the files in builtin/, which
// are embedded in the program. Immutable after Get(), so any thread may read.
class BuiltinSchemas {
 public:
  static const BuiltinSchemas& Get();

  // Returns a type by its published name ("io.k8s.api.core.v1.Pod"), or null.
  const Schema* Find(std::string_view name) const;

  // Returns the type of a kind, or null if it is not built in.
  const Schema* FindKind(const GroupVersionKind& kind) const;

  // Returns the type's text in the table, or null; ToOpenApi publishes it.
  const nlohmann::json* Source(std::string_view name) const;

 private:
  BuiltinSchemas();

  SchemaArena arena_;  // inline nodes
  std::map<std::string, Schema, std::less<>> types_;
  std::map<GroupVersionKind, const Schema*> kinds_;
  std::map<std::string, std::shared_ptr<const nlohmann::json>, std::less<>> sources_;
};

// Returns the schema of a plain string.
const Schema& TextSchema();

}  // namespace berth::apiserver
