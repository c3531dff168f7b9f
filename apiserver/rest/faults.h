// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apiserver/kinds/status_error.h"
#include "apiserver/rest/request_info.h"

namespace berth::apiserver {

// FaultRule makes requests that it matches go wrong.
struct FaultRule {
  enum class Action {
    kFail,        // answered with `code` and not carried out
    kDropBefore,  // the connection breaks before it is carried out
    kDropAfter,   // it is carried out and nobody hears of it
    kDuplicate,   // carried out twice; the first answer is told
    kDelay,       // carried out after `delay`; of a watch, every frame comes that much later, so
                  // that kinds overtake each other
    kStale,       // a read is answered as of `lag` versions ago
  };

  Action action = Action::kFail;
  // What is matched; empty matches all.
  std::string verb, group, resource, subresource, namespace_, name;
  int code = 500;                      // of kFail
  std::chrono::milliseconds delay{0};  // of kDelay
  uint64_t lag = 0;                    // of kStale
  double probability = 1;              // decided by the seed
  int skip = 0;                        // so many matches pass first
  int times = -1;                      // then so many are hit; negative: all

  bool Matches(const RequestInfo& info) const;
  // FromJson reads {"action": "dropAfter", "verb": "create", ...}; errors (422) name the field.
  static Answer<FaultRule> FromJson(const nlohmann::json& document);
};

// FaultPlan is what happens to one request.
struct FaultPlan {
  std::optional<int> fail_code;
  bool drop_before = false, drop_after = false, duplicate = false;
  std::chrono::milliseconds delay{0};
  uint64_t lag = 0;
};

// FaultInjector decides which requests go wrong, in the order they come: same seed and requests,
// same faults. Thread: that of the server.
class FaultInjector {
 public:
  explicit FaultInjector(uint64_t seed) : engine_(seed) {}

  void Add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  void Clear() { rules_.clear(); }
  bool empty() const { return rules_.empty(); }

  FaultPlan Plan(const RequestInfo& info);

 private:
  std::mt19937_64 engine_;
  std::vector<FaultRule> rules_;
};

}  // namespace berth::apiserver
