// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/time.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Strategy is what a built-in kind does besides what its table says. Null members mean nothing
// special. Objects have their defaults when they come here. Source: pkg/registry/*/strategy.go and
// pkg/apis/*/validation of Kubernetes.
struct Strategy {
  enum class NameRule { kSubdomain, kLabel, kPathSegment };

  NameRule names = NameRule::kSubdomain;
  // Writes fields that the client has no say in: status of a new object, finalizers.
  void (*prepare_create)(nlohmann::json& object, Time now) = nullptr;
  void (*prepare_update)(nlohmann::json& object, const nlohmann::json& old) = nullptr;
  void (*validate)(const nlohmann::json& object, Errors& errors) = nullptr;
  void (*validate_update)(const nlohmann::json& object, const nlohmann::json& old,
                          Errors& errors) = nullptr;
  // `validate_update` says all of an update, and `validate` is for new objects alone.
  bool checks_updates_apart = false;
};

const Strategy& StrategyOf(const KindInfo& kind);

// What the generic code asks in this order, on a create and on an update.
void PrepareCreate(const KindInfo& kind, nlohmann::json& object, Time now);
// PrepareUpdate settles which parts a request may write: with `subresource` "status" only the
// status, else everything but it; and counts metadata.generation.
void PrepareUpdate(const KindInfo& kind, std::string_view subresource, nlohmann::json& object,
                   const nlohmann::json& old);
Errors ValidateCreate(const KindInfo& kind, const nlohmann::json& object);
Errors ValidateUpdate(const KindInfo& kind, std::string_view subresource,
                      const nlohmann::json& object, const nlohmann::json& old);

}  // namespace berth::apiserver
