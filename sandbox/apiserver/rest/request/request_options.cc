// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/request_options.h"

#include <algorithm>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/request/option_values.h"
#include "sandbox/apiserver/rest/request/request_body.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/go_form.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string ManagerOf(const Query& query, std::string_view user_agent) {
  const std::string given = query.Get("fieldManager");
  return given.empty() ? std::string(user_agent.substr(0, user_agent.find('/'))) : given;
}

// Checks dryRun, which has one valid value.
bool ReadDryRun(const std::vector<std::string>& values, Errors& errors) {
  if (std::any_of(values.begin(), values.end(), [](const auto& value) { return value != "All"; }))
    errors.push_back(UnsupportedOption("dryRun", DocumentText(json(values)), "\"All\""));
  return !values.empty();
}

void CheckManager(const std::string& manager, Errors& errors) {
  static constexpr size_t kLimit = 128;
  if (manager.size() > kLimit) {
    errors.push_back({FieldError::Type::kTooLong,
                      "fieldManager",
                      {},
                      "may not be more than " + std::to_string(kLimit) + " bytes"});
  }
}

}  // namespace

Answer<WriteOptions> ReadWriteOptions(const Query& query, std::string_view type,
                                      std::string_view user_agent) {
  static const std::map<std::string, FieldValidation> kValidations = {
      {"", FieldValidation::kWarn},
      {"Ignore", FieldValidation::kIgnore},
      {"Strict", FieldValidation::kStrict},
      {"Warn", FieldValidation::kWarn}};
  Errors errors;
  WriteOptions options;
  options.force = query.GetBool("force");
  options.names_force = query.Has("force");
  options.manager = ManagerOf(query, user_agent);
  options.names_manager = !query.Get("fieldManager").empty();
  CheckManager(query.Get("fieldManager"), errors);
  options.dry_run = ReadDryRun(query.All("dryRun"), errors);
  const std::string asked = query.Get("fieldValidation");
  const auto validation = kValidations.find(asked);
  if (validation != kValidations.end()) {
    options.validation = validation->second;
  } else {
    errors.push_back(
        UnsupportedOption("fieldValidation", Quoted(asked), R"("", "Ignore", "Strict", "Warn")"));
  }
  if (!errors.empty()) return BadOptions(type, errors);
  return options;
}

Answer<DeleteOptions> DeleteOptionsOf(const json& document) {
  Errors errors;
  DeleteOptions options;
  options.propagation = TextAt(document, "propagationPolicy");
  const bool known = options.propagation.empty() || options.propagation == "Orphan" ||
                     options.propagation == "Background" || options.propagation == "Foreground";
  if (!known) {
    errors.push_back(UnsupportedOption("propagationPolicy", Quoted(options.propagation),
                                       R"("Foreground", "Background", "Orphan", "nil")"));
  }
  const json* dry_run = At(document, "dryRun");
  options.dry_run =
      dry_run != nullptr && ReadDryRun(dry_run->get<std::vector<std::string>>(), errors);
  if (!errors.empty()) return BadOptions("DeleteOptions", errors);
  if (const json* grace = At(document, "gracePeriodSeconds"))
    options.grace_seconds = grace->get<int64_t>();
  options.uid = TextAt(document, "preconditions/uid");
  options.resource_version = TextAt(document, "preconditions/resourceVersion");
  return options;
}

Answer<DeleteOptions> DecodeDeleteOptions(std::string_view content_type, std::string_view body) {
  static const Schema& schema =
      *BuiltinSchemas::Get().Find("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
  const auto read = ReadBody(content_type, body);
  if (!read) return Reject(read.error());
  if (const auto fits = CheckGoTypes(schema, *read); !fits)
    return Reject(BadRequest(fits.error().message()));
  return DeleteOptionsOf(*read);
}

Answer<DeleteOptions> ReadDeleteOptions(const Query& query) {
  json document = json::object();
  if (query.Has("dryRun")) document["dryRun"] = query.All("dryRun");
  if (query.Has("propagationPolicy"))
    document["propagationPolicy"] = query.Get("propagationPolicy");
  if (query.Has("gracePeriodSeconds")) {
    const auto grace = ReadInteger(query.Get("gracePeriodSeconds"));
    if (!grace) return Reject(grace.error());
    document["gracePeriodSeconds"] = *grace;
  }
  return DeleteOptionsOf(document);
}

}  // namespace berth::apiserver
