// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sandbox/apiserver/rest/request/request_info.h"

namespace berth::apiserver {

// FaultRule injects a fault into the requests that it matches.
struct FaultRule {
  enum class Action {
    kFail,       // answered with `code`, and Retry-After if it is above zero
    kDrop,       // the connection breaks without a response
    kDelay,      // `delay` passes; every frame of a watch is delayed, so that events of
                 // different kinds overtake each other
    kDuplicate,  // executed a second time, without a second response
    kStale,      // a read returns the state of `lag` versions ago
  };
  // When the first four actions take effect: before the request is executed (a failed or dropped
  // request then is not executed), or after it, before the response is sent.
  enum class When { kBefore, kAfter };

  Action action = Action::kFail;
  When when = When::kBefore;
  // The match criteria; an empty one matches everything.
  std::string verb, group, resource, subresource, namespace_, name;
  int code = 500;                      // of kFail
  int retry_after_seconds = 0;         // of kFail
  std::chrono::milliseconds delay{0};  // of kDelay
  int64_t lag = 0;                     // of kStale
  double probability = 1;              // drawn with the seed
  int64_t skip = 0;                    // number of matches to skip first
  std::optional<int64_t> times;        // number of hits after that; nullopt: unlimited

  bool Matches(const RequestInfo& info) const;
  // Parses {"action": "drop", "when": "after", "verb": "create", ...}; README.md lists the fields.
  // Errors (kConfig) name the field, the value found and the allowed values.
  static Result<FaultRule> Parse(std::string_view text);
};

// FaultPlan holds the faults of one request.
struct FaultPlan {
  struct Side {
    std::optional<int> fail_code;
    int retry_after_seconds = 0;
    bool drop = false;
    bool duplicate = false;
    std::chrono::milliseconds delay{0};
  };
  Side before, after;  // the execution of the request
  int64_t lag = 0;
};

// FaultInjector selects the requests with faults, in their order: the same seed and requests yield
// the same faults. Thread: the server's.
class FaultInjector {
 public:
  explicit FaultInjector(uint64_t seed) : seed_(seed), engine_(seed) {}

  void Add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  // Removes all rules and restarts the random sequence.
  void Clear();
  bool empty() const { return rules_.empty(); }

  FaultPlan Plan(const RequestInfo& info);

 private:
  const uint64_t seed_;
  std::mt19937_64 engine_;
  std::vector<FaultRule> rules_;
};

}  // namespace berth::apiserver
