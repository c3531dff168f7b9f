// SPDX-License-Identifier: Apache-2.0
#include "scenario/expectation.h"

namespace berth::scenario {

const json::Type& Message::JsonType() {
  static const json::Type type = json::Describe<Message>(
      json::Object(json::Field("is", &Message::is), json::Field("contains", &Message::contains)));
  return type;
}

const json::Type& QueueExpectation::JsonType() {
  static const json::Type type = json::Describe<QueueExpectation>(
      json::Object(json::Field("active", &QueueExpectation::active),
                   json::Field("backoff", &QueueExpectation::backoff),
                   json::Field("unschedulable", &QueueExpectation::unschedulable),
                   json::Field("gated", &QueueExpectation::gated)));
  return type;
}

const json::Type& Expectation::JsonType() {
  static const json::Type type = json::Describe<Expectation>(json::Object(
      json::Field("placements", &Expectation::placements),
      json::Field("podsPerNode", &Expectation::pods_per_node),
      json::Field("reasons", &Expectation::reasons),
      json::Field("groupConditions", &Expectation::group_conditions),
      json::Field("queue", &Expectation::queue),
      json::Field("nominations", &Expectation::nominations),
      json::Field("verdicts", &Expectation::verdicts),
      json::Field("rawScores", &Expectation::raw_scores),
      json::Field("scores", &Expectation::scores), json::Field("totals", &Expectation::totals),
      json::Field("order", &Expectation::order), json::Field("events", &Expectation::events),
      json::Field("results", &Expectation::results)));
  return type;
}

}  // namespace berth::scenario
