// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace berth::api {

// SchedulerFlag is a flag of `berth scheduler`. A profile may set those that the operator does not
// set itself (spec.engine.extraArgs).
struct SchedulerFlag {
  std::string_view name;  // without dashes
  // Inclusive minimum and maximum of the whole number that a profile may set; absent: the operator
  // sets the flag.
  std::optional<std::pair<int64_t, int64_t>> range = {};
};

inline constexpr SchedulerFlag kMaxUnschedulableFlag{"pod-max-in-unschedulable-pods-duration",
                                                     {{1, 2147483647}}};

// All flags; a test compares them with the command.
inline constexpr SchedulerFlag kSchedulerFlags[] = {
    {"config"},      {"config-map"},    {"kubeconfig"},
    {"lease"},       {"leader-elect"},  {"bind-address"},
    {"secure-port"}, {"sidecar-ports"}, kMaxUnschedulableFlag,
    {"v"},           {"logging-format"}};

}  // namespace berth::api
