// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace berth::convert {

// Outcome is what became of a part of the source.
enum class Outcome : uint8_t {
  kExact,        // the scheduler does the same
  kApproximate,  // it does nearly the same, or the same once somebody does what is said
  kDropped,      // nothing of it is in the result
};

std::string_view ToString(Outcome outcome);

// Finding is one line of the report.
struct Finding {
  std::string source;  // path of the part: "predicates[name=PodFitsResources]"
  std::string result;  // what is in the profile for it; empty where that is nothing
  Outcome outcome = Outcome::kExact;
  std::string reason;  // why it is not the same, or is; may be empty where it is exact

  // "exact        predicates[name=HostName] -> NodeName at filter"
  std::string ToString() const;
  bool operator==(const Finding&) const = default;
};

// FindingText is a finding as programs read it.
struct FindingText {
  std::string source;
  std::string result;
  std::string outcome;
  std::string reason;

  static const json::Type& JsonType();
};

FindingText TextOf(const Finding& finding);

// Reporter writes findings of one part of the source: paths begin with its place. It refers to the
// list, which outlives it.
class Reporter {
 public:
  explicit Reporter(std::vector<Finding>& findings) : findings_(&findings) {}

  // In gives the reporter of a part within: "profiles[0]", or of a document, which ends with ": ".
  Reporter In(const std::string& place) const;

  // PathOf is a path within as findings and mistakes have it.
  std::string PathOf(const std::string& path) const;

  void Exact(const std::string& path, std::string result, std::string reason = "") const {
    Add(path, std::move(result), Outcome::kExact, std::move(reason));
  }
  void Approximate(const std::string& path, std::string result, std::string reason) const {
    Add(path, std::move(result), Outcome::kApproximate, std::move(reason));
  }
  void Dropped(const std::string& path, std::string reason) const {
    Add(path, "", Outcome::kDropped, std::move(reason));
  }
  void Add(const std::string& path, std::string result, Outcome outcome, std::string reason) const;

 private:
  std::vector<Finding>* findings_;
  std::string place_;
};

}  // namespace berth::convert
