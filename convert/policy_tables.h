// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "convert/finding.h"

// The names that a Policy knows, and what runs for them today. Source: kube-scheduler
// pkg/scheduler/framework/plugins/legacy_registry.go at v1.22, and the plugins of that time.
namespace berth::convert {

// Plugins of kube-scheduler that are gone there, and are Berth's now, under their old meaning.
inline constexpr std::string_view kSelectorSpread = "SelectorSpread";
inline constexpr std::string_view kNodeLabel = "NodeLabel";
inline constexpr std::string_view kServiceAffinity = "ServiceAffinity";
inline constexpr std::string_view kNodePreferAvoidPods = "NodePreferAvoidPods";

struct PredicateRow {
  std::string_view name;
  std::array<std::string_view, 4> plugins;  // none: a name without one
  bool is_default = false;                  // in the set of a Policy that gives no list
  bool is_mandatory = false;
  Outcome outcome = Outcome::kExact;
  std::string_view remark = "";
};

// PredicateRows gives them in the order in which the filters of a Policy run.
std::span<const PredicateRow> PredicateRows();

struct PriorityRow {
  std::string_view name;
  std::string_view plugin;         // empty: a name without one
  int32_t default_weight = 0;      // in the set of a Policy that gives no list; 0: not in it
  std::string_view strategy = "";  // of NodeResourcesFit
  std::string_view same_as = "";   // the priority that this is another name of
  Outcome outcome = Outcome::kExact;
  std::string_view remark = "";
};

// PriorityRows gives them in the order of their names, in which priorities are added.
std::span<const PriorityRow> PriorityRows();

}  // namespace berth::convert
