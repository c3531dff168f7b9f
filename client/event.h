// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "api/meta.h"
#include "base/metrics.h"

namespace berth::client {

enum class EventKind { kNormal, kWarning };

// Occurrence is an event of an object, shown to users by `kubectl describe`.
struct Occurrence {
  EventKind kind = EventKind::kNormal;
  std::string reason;  // "Scheduled"
  std::string action;  // "Binding"
  std::string note;    // cut to 1024 bytes
  api::ObjectReference regarding;
  std::optional<api::ObjectReference> related;
  std::string controller;  // reportingController; empty: EventRecorderOptions::controller
};

// Returns the reference of an object, for events and owners.
template <class T>
api::ObjectReference ReferenceTo(const T& object) {
  return {.api_version = T::kResource.ApiVersion(),
          .kind = std::string(T::kResource.kind),
          .namespace_ = object.metadata.namespace_,
          .name = object.metadata.name,
          .uid = object.metadata.uid,
          .resource_version = object.metadata.resource_version};
}

// SpamLimit bounds the events of one object: a burst, then a constant rate.
struct SpamLimit {
  int burst = 25;
  double refill_per_second = 1.0 / 300;
};

struct EventRecorderOptions {
  std::string controller;      // reportingController: the scheduler's or operator's name
  std::string host;            // reportingInstance is "<controller>-<host>"
  size_t max_pending = 32768;  // further occurrences are dropped and counted
  size_t max_series = 4096;    // in memory; the least recently seen is evicted
  size_t max_in_flight = 4;
  int max_tries = 12;  // of one write, if the server is unreachable or busy
  std::chrono::milliseconds first_retry_delay = std::chrono::seconds(1);  // doubled, with jitter
  std::chrono::milliseconds max_retry_delay = std::chrono::seconds(30);
  std::optional<SpamLimit> spam_limit;  // absent: no limit, like kube-scheduler
  std::function<double()> random;       // in [0, 1), for jitter; default: seeded by the system
  Counter* dropped = nullptr;           // counts occurrences that were not written
};

}  // namespace berth::client
