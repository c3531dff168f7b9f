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
// and "groups" if there are PodGroups, the same with their own conditions and events. An object that
// was recreated with the same name is "name#2". UIDs become "uid of NAME", the name of this host
// "HOST" and the address of extenders "EXTENDERS".
class Observer {
 public:
  // `ns` is the namespace of pods with bare names.
  Observer(const Api& api, const Extenders& extenders, std::string ns, Repeats repeats);

  // Returns the current observation: all pods that have existed, and the current claims and
  // volumes. It discovers new pods itself, but misses a pod that is created and deleted between two
  // calls.
  Result<Json> Look();

 private:
  // Known are the names of all objects of a kind that have existed.
  struct Known {
    std::map<std::string, std::string> names;  // by UID
    std::map<std::string, int> made;           // number of objects by name
  };

  // Returns what `see` returns for each found object, and the known ones that are gone.
  template <class See>
  Json Each(const Json& found, Known& known, See see);
  Result<void> AddEvents(Json& pods, Json& groups) const;
  Json EventOf(const Json& event) const;
  Json Calls() const;
  const std::string& NameOf(const Json& object, Known& known) const;
  std::string Normalised(std::string text) const;

  const Api& api_;
  const Extenders& extenders_;
  const std::string ns_;
  const Repeats repeats_;
  Known pods_, groups_;
};

}  // namespace berth::differential
