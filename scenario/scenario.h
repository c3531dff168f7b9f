// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/scheduler_config.h"
#include "base/error.h"
#include "scenario/expectation.h"
#include "scenario/manifests.h"
#include "scenario/template.h"

// A parsed and validated scenario: a cluster, profiles, and steps. tests/scenarios/README.md
// documents the format.
namespace berth::scenario {

struct Objects {
  std::vector<Template> nodes;
  std::vector<Template> pods;
  std::vector<Manifest> others;  // other kinds that plugins read
};

struct Create {
  Objects objects;
};

// Update has patches for nodes and pods (see Merge); other objects are replaced as a whole.
struct Update {
  Objects patches;
};

struct Delete {
  std::vector<std::string> nodes;   // names
  std::vector<std::string> pods;    // keys
  std::vector<std::string> others;  // keys
};

struct Schedule {
  int64_t attempts = std::numeric_limits<int64_t>::max();  // at most
};

struct Advance {
  std::chrono::nanoseconds by{0};
};

// BindFault changes the outcome of bindings: one fails, or all responses are delayed for a while.
struct BindFault {
  enum class Answers : uint8_t { kAsBefore, kNow, kLater };
  Answers answers = Answers::kAsBefore;
  std::optional<Reason> fail;
  std::string pod;  // key; empty: any pod
  int64_t nth = 1;  // counts the matching bindings from this step on
};

struct Reload {
  std::vector<api::KubeSchedulerProfile> profiles;
  std::string rejected;  // if set, the profiles must be rejected with a message that contains this
};

struct Step {
  std::string where;  // "step 3 (expect)", for messages
  std::variant<Create, Update, Delete, Schedule, Advance, BindFault, Reload, Expectation> action;
};

struct Scenario {
  std::string source;                               // where it was read from
  std::string summary;                              // one line
  int64_t seed = 0;                                 // of the uids
  std::vector<api::KubeSchedulerProfile> profiles;  // empty: the default profile
  std::chrono::seconds initial_backoff{1};
  std::chrono::seconds max_backoff{10};
  Objects cluster;  // the objects at the start
  std::vector<Step> steps;
};

}  // namespace berth::scenario
