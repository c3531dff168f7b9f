// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "tests/differential/api.h"
#include "tests/differential/extenders.h"

namespace berth::differential {

// Observer collects the schedulers' effects on the objects of a scenario, in a form that is
// comparable between two schedulers: "claims" and "volumes" (volumes_seen.h), "calls" of extenders
// (calls_seen.h), and "pods", a map by pod with
//   node, nominatedNodeName, deleting    if set
//   gone                                 true; then only events in addition
//   conditions                           of schedulers, by type, without times
//   events                               in the order of recording; consecutive equal events
//                                        are merged, with `times`
// A pod that was recreated with the same name is "name#2". UIDs become "uid of NAME", the name of
// this host "HOST" and the address of extenders "EXTENDERS".
class Observer {
 public:
  // `ns` is the namespace of pods with bare names.
  Observer(const Api& api, const Extenders& extenders, std::string ns, Repeats repeats);

  // Returns the current observation: all pods that have existed, and the current claims and
  // volumes. It discovers new pods itself, but misses a pod that is created and deleted between two
  // calls.
  Result<Json> Look();

 private:
  Result<Json> ObservePods();
  Json PodOf(const Json& pod);
  Result<void> AddEvents(Json& pods);
  Json Calls() const;
  std::string NameOf(const Json& pod);
  std::string Normalised(std::string text) const;

  const Api& api_;
  const Extenders& extenders_;
  const std::string ns_;
  const Repeats repeats_;
  std::map<std::string, std::string> names_;  // of pods by UID
  std::map<std::string, int> made_;           // number of pods by name
};

}  // namespace berth::differential
