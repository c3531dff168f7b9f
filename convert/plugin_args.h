// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/legacy_policy.h"
#include "base/json/json.h"
#include "convert/draft.h"

namespace berth::convert {

// NodeLabelArgs are the arguments of the plugin NodeLabel, named as in kube-scheduler's v1beta1.
struct NodeLabelArgs {
  std::vector<std::string> present_labels;
  std::vector<std::string> absent_labels;
  std::vector<std::string> present_labels_preference;
  std::vector<std::string> absent_labels_preference;

  static auto Fields() {
    return json::Object(
        json::Field("presentLabels", &NodeLabelArgs::present_labels),
        json::Field("absentLabels", &NodeLabelArgs::absent_labels),
        json::Field("presentLabelsPreference", &NodeLabelArgs::present_labels_preference),
        json::Field("absentLabelsPreference", &NodeLabelArgs::absent_labels_preference));
  }
};

// ServiceAffinityArgs are the arguments of the plugin ServiceAffinity.
struct ServiceAffinityArgs {
  std::vector<std::string> affinity_labels;
  std::vector<std::string> anti_affinity_labels_preference;

  static auto Fields() {
    return json::Object(json::Field("affinityLabels", &ServiceAffinityArgs::affinity_labels),
                        json::Field("antiAffinityLabelsPreference",
                                    &ServiceAffinityArgs::anti_affinity_labels_preference));
  }
};

template <class Args>
json::Raw EncodedArgs(const Args& args) {
  return {json::Encode(args)};
}

// Returns the scoringStrategy for the shape in a Policy. A weight of 0 means 1.
json::Raw RatioStrategy(const api::PolicyCapacityRatio& ratio);

}  // namespace berth::convert
