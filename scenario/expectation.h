// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"

namespace berth::scenario {

// The words that stand for no node.
inline constexpr std::string_view kPending = "pending";
inline constexpr std::string_view kNone = "none";

// Message is what a text has to be, or to contain.
struct Message {
  std::optional<std::string> is;
  std::optional<std::string> contains;

  static const json::Type& JsonType();
};

// QueueExpectation lists the pods that lie in a part of the queue, in any order; parts that are
// absent may hold what they like.
struct QueueExpectation {
  std::optional<std::vector<std::string>> active;
  std::optional<std::vector<std::string>> backoff;
  std::optional<std::vector<std::string>> unschedulable;
  std::optional<std::vector<std::string>> gated;

  static const json::Type& JsonType();
};

// Expectation is what one `expect` says; what is absent is not looked at. Pods are named as
// scenarios name them: "web-0", or "namespace/web-0".
struct Expectation {
  // What is now:
  std::map<std::string, std::vector<std::string>> placements;  // pod: nodes it may be on, kPending
  std::map<std::string, int64_t> pods_per_node;
  std::map<std::string, Message> reasons;  // pod: its PodScheduled condition's message
  std::optional<QueueExpectation> queue;
  std::map<std::string, std::string> nominations;  // pod: node, or kNone
  // What the last attempt of a pod answered, by pod:
  std::map<std::string, std::map<std::string, std::string>> verdicts;  // then node
  std::map<std::string, std::map<std::string, std::map<std::string, int64_t>>> raw_scores;
  std::map<std::string, std::map<std::string, std::map<std::string, int64_t>>> scores;
  std::map<std::string, std::map<std::string, int64_t>> totals;
  // What happened since the last expectation:
  std::optional<std::vector<std::string>> order;   // pods, as they were tried
  std::optional<std::vector<std::string>> events;  // "Normal Scheduled web-0: note"
  std::map<std::string, int64_t> results;          // of attempts: scheduled, unschedulable, error

  static const json::Type& JsonType();
};

}  // namespace berth::scenario
