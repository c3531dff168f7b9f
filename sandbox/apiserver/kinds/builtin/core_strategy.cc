// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/metadata_rules.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// The label says in selectors what the name says elsewhere.
void LabelWithName(json& object) {
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = object["metadata"]["name"];
}

void PrepareNamespace(json& object, Time /*now*/) {
  // Who deletes a namespace has to wait for what is in it.
  constexpr const char* kContent = "kubernetes";
  json& finalizers = object["spec"]["finalizers"];
  if (!finalizers.is_array()) finalizers = json::array();
  if (std::find(finalizers.begin(), finalizers.end(), kContent) == finalizers.end())
    finalizers.push_back(kContent);
  object["status"] = {{"phase", "Active"}};
  LabelWithName(object);
}

void PrepareNamespaceUpdate(json& object, const json& old) {
  object["spec"] = old.value("spec", json::object());
  LabelWithName(object);
}

void ValidateNamespace(const json& object, Problems& problems) {
  const Field finalizers = Field(object, problems)["spec"]["finalizers"];
  for (const Field& finalizer : finalizers.Items())
    CheckFinalizerName(finalizer.At(finalizers.path()));
}

void ValidateNamespacePart(std::string_view subresource, const json& object, const json& /*old*/,
                           Problems& problems) {
  const Field name_space(object, problems);
  if (subresource == "finalize") {
    for (const Field& finalizer : name_space["spec"]["finalizers"].Items())
      CheckFinalizerName(finalizer);
  } else if (subresource == "status") {
    const bool deleted = name_space["metadata"]["deletionTimestamp"].IsSet();
    const std::string phase = deleted ? "Terminating" : "Active";
    const Field found = name_space["status"]["phase"].At("status.Phase");
    if (found.Text() == phase) return;
    found.Invalid(json(found.Text()).dump(), "may only be '" + phase +
                                                 "' if `deletionTimestamp` is " +
                                                 (deleted ? "not empty" : "empty"));
  }
}

const std::map<std::string, Strategy, std::less<>>& Table() {
  using Rule = Strategy::NameRule;
  using Check = Strategy::Check;
  static const std::map<std::string, Strategy, std::less<>> kTable = {
      {"Namespace",
       {.names = Rule::kLabel,
        .prepare_create = PrepareNamespace,
        .prepare_update = PrepareNamespaceUpdate,
        .validate = ValidateNamespace,
        .validate_part = ValidateNamespacePart,
        .on_update = {Check::kMetadata, Check::kContent, Check::kMetadataChange}}},
  };
  return kTable;
}

}  // namespace

const Strategy* CoreStrategy(const KindInfo& kind) {
  if (!kind.group.empty()) return nullptr;
  const auto found = Table().find(kind.kind);
  return found == Table().end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
