// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/names.h"

// What the operator and a scheduler tell each other, and how: the only words that both must know.
namespace berth::api {

// Keys of the ConfigMap that the operator renders; mounted into the scheduler's pod they are file
// names. The second text is the last one that a scheduler reported to run.
inline constexpr std::string_view kConfigKey = "scheduler-config.yaml";
inline constexpr std::string_view kLastGoodKey = "last-good.yaml";

// Annotations of the scheduler's Lease: the hash of the text that runs, and why a newer one was
// refused.
inline constexpr std::string_view kAppliedConfigHashAnnotation = "berth.dev/applied-config-hash";
inline constexpr std::string_view kConfigErrorAnnotation = "berth.dev/config-error";

// ConfigHash names the text of a configuration: the operator writes it into status, the scheduler
// into its Lease. Equal texts, equal hashes, on every machine; 16 hexadecimal digits.
inline std::string ConfigHash(std::string_view configuration) { return HashHex(configuration); }

}  // namespace berth::api
