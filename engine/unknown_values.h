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

// UnknownValues finds enumeration values that this version does not know, sent by a newer API
// server. They are stored but have no effect: a taint with an unknown effect repels no pod. Each is
// returned once for its field and value, to be logged. For one thread.
class UnknownValues {
 public:
  static constexpr size_t kMost = 100;  // limit of returned values

  // Returns the values of the object that were not returned before: "spec.taints.effect:
  // NoService".
  std::vector<std::string> Look(const api::Node& node);
  std::vector<std::string> Look(const api::Pod& pod);

 private:
  using Known = std::initializer_list<std::string_view>;
  // Checks a value; an empty value means that the field is not set.
  void Expect(std::string_view field, std::string_view value, Known known);
  void VisitAffinity(const api::NodeAffinity& affinity);
  void VisitTerm(const api::NodeSelectorTerm& term);
  std::vector<std::string> Take();

  std::set<std::string, std::less<>> reported_;
  std::vector<std::string> found_;  // in the current object
};

}  // namespace berth::engine
