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

// The words for "no node".
inline constexpr std::string_view kPending = "pending";
inline constexpr std::string_view kNone = "none";

// Message is an expected text, or an expected part of a text.
struct Message {
  std::optional<std::string> is;
  std::optional<std::string> contains;

  static const json::Type& JsonType();
};

// QueueExpectation lists the pods in each part of the queue, in any order; absent parts are not
// compared.
struct QueueExpectation {
  std::optional<std::vector<std::string>> active;
  std::optional<std::vector<std::string>> backoff;
  std::optional<std::vector<std::string>> unschedulable;
  std::optional<std::vector<std::string>> gated;

  static const json::Type& JsonType();
};

// Expectation is one `expect`; absent parts are not compared. Pods have their scenario names:
// "web-0" or "namespace/web-0".
struct Expectation {
  // The current state:
  std::map<std::string, std::vector<std::string>> placements;  // pod: nodes it may be on, kPending
  std::map<std::string, int64_t> pods_per_node;
  std::map<std::string, Message> reasons;  // pod: its PodScheduled condition's message
  // PodGroup of scheduling.k8s.io: its conditions, as "TYPE=STATUS REASON: MESSAGE", one per line.
  std::map<std::string, Message> group_conditions;
  std::optional<QueueExpectation> queue;
  std::map<std::string, std::string> nominations;  // pod: node, or kNone
  // The results of a pod's last attempt, by pod:
  std::map<std::string, std::map<std::string, std::string>> verdicts;  // then node
  std::map<std::string, std::map<std::string, std::map<std::string, int64_t>>> raw_scores;
  std::map<std::string, std::map<std::string, std::map<std::string, int64_t>>> scores;
  std::map<std::string, std::map<std::string, int64_t>> totals;
  // The history since the last expectation:
  std::optional<std::vector<std::string>> order;   // pods, in the order of their attempts
  std::optional<std::vector<std::string>> events;  // "Normal Scheduled web-0: note"
  std::map<std::string, int64_t> results;          // of attempts: scheduled, unschedulable, error

  static const json::Type& JsonType();
};

}  // namespace berth::scenario
