// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace berth::conformance {

// ResultCacheMode is what the core has of earlier answers when a case is run. The answers must be the
// same in all of them.
enum class ResultCacheMode : uint8_t {
  kOff,   // nothing is kept: each answer is computed
  kCold,  // nothing at first; what a case's own pods leave is used by those that follow
  kWarm,  // each pod comes after many unrelated ones, see warm_up.h
};

struct NamedResultCacheMode {
  std::string_view name;
  ResultCacheMode mode;
};
inline constexpr std::array kResultCacheModes = {
    NamedResultCacheMode{"off", ResultCacheMode::kOff},
    NamedResultCacheMode{"cold", ResultCacheMode::kCold},
    NamedResultCacheMode{"warm", ResultCacheMode::kWarm}};

}  // namespace berth::conformance
