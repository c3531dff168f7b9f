// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/framework/events.h"

namespace berth::scheduler {

// InFlight records events that arrive during the scheduling of a pod, so that an event that could
// help the pod is not lost. One list holds the popped pods and the events in order of arrival. The
// events after a pod in the list are replayed when the pod returns.
//
//     pod A ── event 1 ── pod B ── event 2          A missed 1 and 2, B missed 2
//
// Invariants: the list starts with a pod, because Record adds nothing to an empty list and Done
// drops the events before the first remaining pod. So without pods in flight no events are stored.
// Source: kube-scheduler pkg/scheduler/backend/queue/active_queue.go. Owned by the scheduling
// thread.
class InFlight {
 public:
  struct Event {
    ClusterEvent event;
    EventObjects objects;
    std::string only_for;  // UID of a pod; empty: all pods
  };

  // Records that a pod was popped. Returns false if it is already in flight.
  bool Add(const std::string& uid);
  bool Has(const std::string& uid) const { return pods_.contains(uid); }
  // Records an event if pods are in flight.
  void Record(const ClusterEvent& event, const EventObjects& objects);
  // Records an event that EventsSince returns only for this pod. Does nothing if the pod is not in
  // flight.
  void RecordFor(const std::string& uid, const ClusterEvent& event, const EventObjects& objects);
  // Returns the pod's events since Add, oldest first. The pointers are valid until Done is called.
  // Requires: Has(uid).
  std::vector<const Event*> EventsSince(const std::string& uid) const;
  // Removes a pod, and the events that no other pod needs. May be called again.
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
