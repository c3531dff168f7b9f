// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/in_flight.h"

namespace berth::scheduler {

bool InFlight::Add(const std::string& uid) {
  if (pods_.contains(uid)) return false;
  pods_.emplace(uid, entries_.insert(entries_.end(), Entry{uid, {}}));
  return true;
}

void InFlight::Record(const ClusterEvent& event, const EventObjects& objects) {
  if (!pods_.empty()) entries_.push_back({{}, {event, objects, {}}});
}

void InFlight::RecordFor(const std::string& uid, const ClusterEvent& event,
                         const EventObjects& objects) {
  if (Has(uid)) entries_.push_back({{}, {event, objects, uid}});
}

std::vector<const InFlight::Event*> InFlight::EventsSince(const std::string& uid) const {
  std::vector<const Event*> events;
  if (this->events() == 0) return events;  // avoids a scan over all other pods in flight
  for (auto entry = std::next(pods_.at(uid)); entry != entries_.end(); ++entry) {
    const std::string& only_for = entry->event.only_for;
    if (entry->uid.empty() && (only_for.empty() || only_for == uid)) {
      events.push_back(&entry->event);
    }
  }
  return events;
}

void InFlight::Done(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  entries_.erase(found->second);
  pods_.erase(found);
  while (!entries_.empty() && entries_.front().uid.empty()) entries_.pop_front();
}

}  // namespace berth::scheduler
