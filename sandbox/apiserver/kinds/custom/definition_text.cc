// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/definition_text.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Go escapes what HTML gives a meaning.
std::string GoText(const ordered_json& value) {
  std::string text;
  for (const char c : value.dump(-1, ' ', false, json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  }
  return text;
}

ordered_json ValueOr(const json& object, const char* field, ordered_json otherwise) {
  const auto found = object.find(field);
  if (found == object.end() || found->is_null()) return otherwise;
  return ordered_json::parse(found->dump());
}

}  // namespace

std::string RuleText(const json& rule) {
  return GoText({{"Rule", ValueOr(rule, "rule", "")},
                 {"Message", ValueOr(rule, "message", "")},
                 {"MessageExpression", ValueOr(rule, "messageExpression", "")},
                 {"Reason", ValueOr(rule, "reason", nullptr)},
                 {"FieldPath", ValueOr(rule, "fieldPath", "")},
                 {"OptionalOldSelf", ValueOr(rule, "optionalOldSelf", nullptr)}});
}

bool IsShared(const json& versions, const char* field) {
  const auto value = [&](const json& version) { return version.value(field, json()); };
  return std::all_of(versions.begin(), versions.end(), [&](const json& version) {
    return value(version) == value(versions.front());
  });
}

std::string VersionsText(const json& versions) {
  ordered_json shown = ordered_json::array();
  const auto own = [&](const json& version, const char* field) {
    return IsShared(versions, field) ? ordered_json() : ValueOr(version, field, nullptr);
  };
  for (const json& version : versions) {
    shown.push_back({{"Name", ValueOr(version, "name", "")},
                     {"Served", ValueOr(version, "served", false)},
                     {"Storage", ValueOr(version, "storage", false)},
                     {"Deprecated", ValueOr(version, "deprecated", false)},
                     {"DeprecationWarning", ValueOr(version, "deprecationWarning", nullptr)},
                     {"Schema", own(version, "schema")},
                     {"Subresources", own(version, "subresources")},
                     {"AdditionalPrinterColumns", own(version, "additionalPrinterColumns")},
                     {"SelectableFields", own(version, "selectableFields")}});
  }
  return GoText(shown);
}

}  // namespace berth::apiserver
