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

// FaultRule makes requests that it matches go wrong.
struct FaultRule {
  enum class Action {
    kFail,       // answered with `code`, and Retry-After if it is above zero
    kDrop,       // the connection breaks without an answer
    kDelay,      // `delay` passes; of a watch, every frame comes that much later, so that kinds
                 // overtake each other
    kDuplicate,  // carried out once more; the answer told is still the request's own
    kStale,      // a read is answered as of `lag` versions ago
  };
  // Where the first four strike: before the request is carried out (one that fails or is dropped
  // then never is), or after it, when its answer is on its way.
  enum class When { kBefore, kAfter };

  Action action = Action::kFail;
  When when = When::kBefore;
  // What is matched; empty matches all.
  std::string verb, group, resource, subresource, namespace_, name;
  int code = 500;                      // of kFail
  int retry_after_seconds = 0;         // of kFail
  std::chrono::milliseconds delay{0};  // of kDelay
  int64_t lag = 0;                     // of kStale
  double probability = 1;              // decided by the seed
  int64_t skip = 0;                    // so many matches pass first
  std::optional<int64_t> times;        // then so many are hit; without: all

  bool Matches(const RequestInfo& info) const;
  // Parse reads {"action": "drop", "when": "after", "verb": "create", ...}; README.md lists the
  // fields. Errors (kConfig) name the field, what was found and what is allowed.
  static Result<FaultRule> Parse(std::string_view text);
};

// FaultPlan is what happens to one request.
struct FaultPlan {
  struct Side {
    std::optional<int> fail_code;
    int retry_after_seconds = 0;
    bool drop = false;
    bool duplicate = false;
    std::chrono::milliseconds delay{0};
  };
  Side before, after;  // it is carried out
  int64_t lag = 0;
};

// FaultInjector decides which requests go wrong, in the order they come: same seed and requests,
// same faults. Thread: that of the server.
class FaultInjector {
 public:
  explicit FaultInjector(uint64_t seed) : seed_(seed), engine_(seed) {}

  void Add(FaultRule rule) { rules_.push_back(std::move(rule)); }
  // Clear forgets all rules and restarts the random sequence.
  void Clear();
  bool empty() const { return rules_.empty(); }

  FaultPlan Plan(const RequestInfo& info);

 private:
  const uint64_t seed_;
  std::mt19937_64 engine_;
  std::vector<FaultRule> rules_;
};

}  // namespace berth::apiserver
