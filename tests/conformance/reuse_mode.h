// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace berth::conformance {

// ResultCacheMode is the state of the result cache when a case runs. The results must be the same
// in all modes.
enum class ResultCacheMode : uint8_t {
  kOff,   // disabled: every result is computed
  kCold,  // empty at first; later pods of the case use the results of earlier ones
  kWarm,  // each pod is scheduled after many unrelated pods, see warm_up.h
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
