// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "tests/differential/api.h"
#include "tests/differential/extenders.h"

namespace berth::differential {

// Observer sees what schedulers leave on the objects of a scenario, in a form in which two of them
// can be compared: "claims" and "volumes" (volumes_seen.h), "calls" of extenders (calls_seen.h), and
// "pods", a map by pod with
//   node, nominatedNodeName, deleting    where there is one, where it is so
//   gone                                 true, and only events beside it
//   conditions                           those that schedulers write, by type, without times
//   events                               in the order in which they were recorded; those that
//                                        follow each other and say the same are one, with `times`
// A pod that was made anew under the name of another is "name#2". UIDs read "uid of NAME", the name
// of this host "HOST" and the address of extenders "EXTENDERS".
class Observer {
 public:
  // `ns` is the namespace in which pods are known by their bare names.
  Observer(const Api& api, const Extenders& extenders, std::string ns, Repeats repeats);

  // Look gives what is to be seen now: of all pods there have been, and of the claims and volumes
  // that are there. It finds new pods itself, but one that comes and goes between two looks.
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
  std::map<std::string, int> made_;           // pods by name
};

}  // namespace berth::differential
