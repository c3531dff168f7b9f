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

// A scenario as it was read and checked: a cluster, profiles, and steps. What each means is in
// tests/scenarios/README.md.
namespace berth::scenario {

struct Objects {
  std::vector<Template> nodes;
  std::vector<Template> pods;
  std::vector<Manifest> others;  // of kinds that plugins read besides
};

struct Create {
  Objects objects;
};

// Update has patches, see Merge; other objects are replaced as a whole.
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

// BindFault is what becomes of bindings: one that fails, or all answers kept back for a while.
struct BindFault {
  enum class Answers : uint8_t { kAsBefore, kNow, kLater };
  Answers answers = Answers::kAsBefore;
  std::optional<Reason> fail;
  std::string pod;  // key; empty: any pod
  int64_t nth = 1;  // of the bindings that match, counted from here on
};

struct Reload {
  std::vector<api::KubeSchedulerProfile> profiles;
  std::string rejected;  // not empty: it has to be refused, with a message that contains this
};

struct Step {
  std::string where;  // "step 3 (expect)", as messages name it
  std::variant<Create, Update, Delete, Schedule, Advance, BindFault, Reload, Expectation> action;
};

struct Scenario {
  std::string source;                               // where it was read
  std::string summary;                              // one line
  int64_t seed = 0;                                 // of the uids
  std::vector<api::KubeSchedulerProfile> profiles;  // empty: the default one
  std::chrono::seconds initial_backoff{1};
  std::chrono::seconds max_backoff{10};
  Objects cluster;  // what is there at the start
  std::vector<Step> steps;
};

}  // namespace berth::scenario
