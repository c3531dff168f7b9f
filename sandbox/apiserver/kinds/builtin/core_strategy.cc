// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// The label makes the name available to selectors.
void LabelWithName(json& object) {
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = object["metadata"]["name"];
}

void PrepareNamespace(json& object, Time /*now*/) {
  // The deletion of a namespace waits for the deletion of its content.
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

}  // namespace

const Strategy* CoreStrategy(const KindInfo& kind) {
  static const Strategy kNamespace = {.names = Strategy::NameRule::kLabel,
                                      .prepare_create = PrepareNamespace,
                                      .prepare_update = PrepareNamespaceUpdate};
  return kind.kind == "Namespace" && kind.group.empty() ? &kNamespace : nullptr;
}

}  // namespace berth::apiserver
