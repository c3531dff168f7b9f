// SPDX-License-Identifier: Apache-2.0
#include "convert/unknown_fields.h"

#include <algorithm>

#include "api/field_error.h"
#include "base/json/field_path.h"
#include "base/json/json.h"
#include "convert/draft.h"

namespace berth::convert {
namespace {

using json::Type;

void Look(std::string_view text, const Type& type, const std::string& path,
          std::vector<std::string>& unknown);

void LookInObject(std::string_view text, const Type& type, const std::string& path,
                  std::vector<std::string>& unknown) {
  const auto members = json::Decode<Members>(text);
  if (!members) return;
  for (const auto& [name, value] : *members) {
    const std::string inner = json::MemberPath(path, name);
    if (const Type::Field* field = type.FindField(name)) {
      Look(value.text, field->type(), inner, unknown);
    } else if (std::ranges::find(type.constants, name, &json::ConstantSpec::name) ==
               type.constants.end()) {
      unknown.push_back(inner);
    }
  }
}

void Look(std::string_view text, const Type& type, const std::string& path,
          std::vector<std::string>& unknown) {
  if (text.empty() || text == "null") return;
  switch (type.kind) {
    case Type::Kind::kOptional:
      return Look(text, type.element(), path, unknown);
    case Type::Kind::kObject:
      return LookInObject(text, type, path, unknown);
    case Type::Kind::kMap: {
      const auto members = json::Decode<Members>(text);
      if (!members) return;
      for (const auto& [name, value] : *members) {
        Look(value.text, type.element(), json::MemberPath(path, name), unknown);
      }
      return;
    }
    case Type::Kind::kList: {
      const auto list = json::Decode<RawList>(R"({"items":)" + std::string(text) + "}");
      if (!list) return;
      for (size_t i = 0; i < list->items.size(); ++i) {
        Look(list->items[i].text, type.element(), api::Index(path, i), unknown);
      }
      return;
    }
    default:
      return;
  }
}

}  // namespace

std::vector<std::string> UnknownFields(std::string_view document, const Type& type) {
  std::vector<std::string> unknown;
  Look(document, type, "", unknown);
  return unknown;
}

}  // namespace berth::convert
