// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/framework/events.h"

namespace berth::scheduler {

// InFlight remembers what happened while a pod was being tried, so that an event that could have
// helped it is not lost. One list holds the pods, where they were popped, and the events, in the
// order they came; a pod that returns is shown the events that come after it in the list.
//
//     pod A ── event 1 ── pod B ── event 2          A missed 1 and 2, B missed 2
//
// Invariants: the list begins with a pod, because Record adds nothing to an empty list and Done
// drops the events that come before the first pod left; so with no pod in flight no event is kept.
// Source: kube-scheduler pkg/scheduler/backend/queue/active_queue.go. Owned by the scheduling
// thread.
class InFlight {
 public:
  struct Event {
    ClusterEvent event;
    EventObjects objects;
    std::string only_for;  // a pod's UID; empty: for all
  };

  // Add notes that a pod was popped; false: it is in flight already.
  bool Add(const std::string& uid);
  bool Has(const std::string& uid) const { return pods_.contains(uid); }
  // Record keeps an event for the pods in flight, if there are any.
  void Record(const ClusterEvent& event, const EventObjects& objects);
  // RecordFor keeps an event that no other pod is shown, if that one is in flight.
  void RecordFor(const std::string& uid, const ClusterEvent& event, const EventObjects& objects);
  // EventsSince gives what came after the pod was popped. Requires: Has(uid).
  std::vector<const Event*> EventsSince(const std::string& uid) const;
  // Done forgets a pod, and events that nobody missed any more. May be called again.
  void Done(const std::string& uid);

  size_t pods() const { return pods_.size(); }
  size_t events() const { return entries_.size() - pods_.size(); }

 private:
  struct Entry {
    std::string uid;  // of a pod; empty: an event
    Event event;
  };
  std::list<Entry> entries_;
  std::unordered_map<std::string, std::list<Entry>::iterator> pods_;
};

}  // namespace berth::scheduler
