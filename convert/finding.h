// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace berth::convert {

// Outcome is the conversion result of one part of the source.
enum class Outcome : uint8_t {
  kExact,        // same behaviour
  kApproximate,  // similar behaviour, or the same after a manual step
  kDropped,      // not in the result
};

std::string_view ToString(Outcome outcome);

// Finding is one line of the report.
struct Finding {
  std::string source;  // path of the part: "predicates[name=PodFitsResources]"
  std::string result;  // the resulting part of the profile; may be empty
  Outcome outcome = Outcome::kExact;
  std::string reason;  // why the outcome differs or not; may be empty if it is exact

  // "exact        predicates[name=HostName] -> NodeName at preFilter, filter"
  std::string ToString() const;
  bool operator==(const Finding&) const = default;
};

// FindingText is the machine-readable form of a finding.
struct FindingText {
  std::string source;
  std::string result;
  std::string outcome;
  std::string reason;

  static const json::Type& JsonType();
};

FindingText TextOf(const Finding& finding);

// Reporter adds the findings of one part of the source. It prefixes their paths with the part's
// path. The list must outlive it.
class Reporter {
 public:
  explicit Reporter(std::vector<Finding>& findings) : findings_(&findings) {}

  // Returns a reporter for a nested part: "profiles[0]", or a document, which ends with ": ".
  Reporter In(const std::string& place) const;

  // Returns the full path of a nested field, as used in findings and errors.
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
