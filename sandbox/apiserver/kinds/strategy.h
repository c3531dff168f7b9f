// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Strategy is the code of a built-in kind, in addition to its table entry. Null members do nothing.
// Objects have their defaults already. Source: pkg/registry/*/strategy.go and pkg/apis/*/validation
// of Kubernetes.
struct Strategy {
  enum class NameRule { kSubdomain, kLabel, kPathSegment };

  NameRule names = NameRule::kSubdomain;
  // Sets fields that the client cannot set: the status of a new object, finalizers.
  void (*prepare_create)(nlohmann::json& object, Time now) = nullptr;
  void (*prepare_update)(nlohmann::json& object, const nlohmann::json& old) = nullptr;
  void (*validate)(const nlohmann::json& object, Errors& errors) = nullptr;
  void (*validate_update)(const nlohmann::json& object, const nlohmann::json& old,
                          Errors& errors) = nullptr;
  // `validate_update` checks all of an update, and `validate` runs for new objects only.
  bool checks_updates_apart = false;
};

const Strategy& StrategyOf(const KindInfo& kind);

// The generic code calls these in this order, on a create and on an update.
void PrepareCreate(const KindInfo& kind, nlohmann::json& object, Time now);
// Resets the fields that a request may not write: with `subresource` "status" all but the status,
// otherwise the status. Increments metadata.generation if needed.
void PrepareUpdate(const KindInfo& kind, std::string_view subresource, nlohmann::json& object,
                   const nlohmann::json& old);
Errors ValidateCreate(const KindInfo& kind, const nlohmann::json& object);
Errors ValidateUpdate(const KindInfo& kind, std::string_view subresource,
                      const nlohmann::json& object, const nlohmann::json& old);

}  // namespace berth::apiserver
