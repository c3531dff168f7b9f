// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"

namespace berth::engine {

// UnknownValues finds values of enumerations that this version does not know, as an API server that
// is newer may send them. They are kept as they are and change nothing: an unknown effect of a taint
// keeps nobody away. That is worth a word, once for each field and value. Of one thread.
class UnknownValues {
 public:
  static constexpr size_t kMost = 100;  // beyond so many nothing more is said

  // Look gives those of the object that were not given before: "spec.taints.effect: NoService".
  std::vector<std::string> Look(const api::Node& node);
  std::vector<std::string> Look(const api::Pod& pod);

 private:
  using Known = std::initializer_list<std::string_view>;
  // Expect takes an empty value for one that is not there.
  void Expect(std::string_view field, std::string_view value, Known known);
  void VisitAffinity(const api::NodeAffinity& affinity);
  void VisitTerm(const api::NodeSelectorTerm& term);
  std::vector<std::string> Take();

  std::set<std::string, std::less<>> said_;
  std::vector<std::string> found_;  // in the object that is looked at
};

}  // namespace berth::engine
