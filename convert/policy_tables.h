// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "convert/finding.h"

// The predicates and priorities of a Policy and the current plugins for them. Source:
// kube-scheduler pkg/scheduler/framework/plugins/legacy_registry.go at v1.22, and the plugins of
// that version.
namespace berth::convert {

// Plugins that kube-scheduler removed and that Berth provides with their former behaviour.
inline constexpr std::string_view kSelectorSpread = "SelectorSpread";
inline constexpr std::string_view kNodeLabel = "NodeLabel";
inline constexpr std::string_view kServiceAffinity = "ServiceAffinity";
inline constexpr std::string_view kNodePreferAvoidPods = "NodePreferAvoidPods";

struct PredicateRow {
  std::string_view name;
  std::array<std::string_view, 4> plugins;  // empty: no plugin needed
  bool is_default = false;                  // in the default set, used if a Policy has no list
  bool is_mandatory = false;
  Outcome outcome = Outcome::kExact;
  std::string_view remark = "";
};

// Returns the rows in the order in which a Policy's filters run.
std::span<const PredicateRow> PredicateRows();

struct PriorityRow {
  std::string_view name;
  std::string_view plugin;         // empty: no plugin needed
  int32_t default_weight = 0;      // in the default set, used if a Policy has no list; 0: not in it
  std::string_view strategy = "";  // of NodeResourcesFit
  std::string_view same_as = "";   // the priority of which this is an alias
  Outcome outcome = Outcome::kExact;
  std::string_view remark = "";
};

// Returns the rows sorted by name, the order in which priorities are added.
std::span<const PriorityRow> PriorityRows();

}  // namespace berth::convert
