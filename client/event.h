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

// Occurrence is something that happened to an object and that its owner should be able to read with
// `kubectl describe`.
struct Occurrence {
  EventKind kind = EventKind::kNormal;
  std::string reason;  // "Scheduled"
  std::string action;  // "Binding"
  std::string note;    // cut to 1024 bytes
  api::ObjectReference regarding;
  std::optional<api::ObjectReference> related;
  std::string controller;  // who says it; empty: EventRecorderOptions::controller
};

// ReferenceTo is an object as events and owners name it.
template <class T>
api::ObjectReference ReferenceTo(const T& object) {
  return {.api_version = T::kResource.ApiVersion(),
          .kind = std::string(T::kResource.kind),
          .namespace_ = object.metadata.namespace_,
          .name = object.metadata.name,
          .uid = object.metadata.uid,
          .resource_version = object.metadata.resource_version};
}

// SpamLimit is how many occurrences of one object are told: a burst, then one now and then.
struct SpamLimit {
  int burst = 25;
  double refill_per_second = 1.0 / 300;
};

struct EventRecorderOptions {
  std::string controller;      // reportingController: the scheduler's or operator's name
  std::string host;            // reportingInstance is "<controller>-<host>"
  size_t max_pending = 32768;  // beyond it new occurrences are dropped and counted
  size_t max_series = 4096;    // remembered; the least recently seen is forgotten
  size_t max_in_flight = 4;
  int max_tries = 12;  // of one write, when the server is away or busy
  std::chrono::milliseconds first_retry_delay = std::chrono::seconds(1);  // doubled, with jitter
  std::chrono::milliseconds max_retry_delay = std::chrono::seconds(30);
  std::optional<SpamLimit> spam_limit;  // absent: as many as happen, like kube-scheduler
  std::function<double()> random;       // in [0, 1), for jitter; default: seeded by the system
  Counter* dropped = nullptr;           // counts occurrences of which nothing was written
};

}  // namespace berth::client
