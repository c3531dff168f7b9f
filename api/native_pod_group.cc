// SPDX-License-Identifier: Apache-2.0
#include "api/native_pod_group.h"

#include "base/json/json.h"

namespace berth::api {
namespace {

// The modes of v1beta1 as an object and of v1alpha2 as a text.
struct DisruptionModes {
  json::Raw all;

  static auto Fields() { return json::Object(json::Field("all", &DisruptionModes::all)); }
};
constexpr std::string_view kTogetherInOldVersion = R"("PodGroup")";

}  // namespace

const json::Type& GangSchedulingPolicy::JsonType() {
  static const json::Type type = json::Describe<GangSchedulingPolicy>(
      json::Object(json::Field("minCount", &GangSchedulingPolicy::min_count)));
  return type;
}

const json::Type& PodGroupSchedulingPolicy::JsonType() {
  static const json::Type type = json::Describe<PodGroupSchedulingPolicy>(
      json::Object(json::Field("gang", &PodGroupSchedulingPolicy::gang)));
  return type;
}

const json::Type& TopologyConstraint::JsonType() {
  static const json::Type type = json::Describe<TopologyConstraint>(
      json::Object(json::Field("key", &TopologyConstraint::key)));
  return type;
}

const json::Type& PodGroupSchedulingConstraints::JsonType() {
  static const json::Type type = json::Describe<PodGroupSchedulingConstraints>(
      json::Object(json::Field("topology", &PodGroupSchedulingConstraints::topology)));
  return type;
}

const json::Type& PodGroupResourceClaim::JsonType() {
  static const json::Type type = json::Describe<PodGroupResourceClaim>(
      json::Object(json::Field("name", &PodGroupResourceClaim::name)));
  return type;
}

bool NativePodGroupSpec::IsDisruptedTogether() const {
  if (disruption_mode.text == kTogetherInOldVersion) return true;
  const auto modes = json::Decode<DisruptionModes>(disruption_mode.text);
  return modes && !modes->all.text.empty();
}

const json::Type& NativePodGroupSpec::JsonType() {
  static const json::Type type = json::Describe<NativePodGroupSpec>(json::Object(
      json::Field("schedulingPolicy", &NativePodGroupSpec::scheduling_policy),
      json::Field("schedulingConstraints", &NativePodGroupSpec::scheduling_constraints),
      json::Field("resourceClaims", &NativePodGroupSpec::resource_claims),
      json::Field("disruptionMode", &NativePodGroupSpec::disruption_mode),
      json::Field("priority", &NativePodGroupSpec::priority)));
  return type;
}

const json::Type& NativePodGroupStatus::JsonType() {
  static const json::Type type = json::Describe<NativePodGroupStatus>(
      json::Object(json::Field("conditions", &NativePodGroupStatus::conditions)));
  return type;
}

const json::Type& NativePodGroup::JsonType() {
  static const json::Type type = json::Describe<NativePodGroup>(json::Object(
      json::Field("apiVersion", &NativePodGroup::api_version),
      json::Field("kind", &NativePodGroup::kind),
      json::Field("metadata", &NativePodGroup::metadata),
      json::Field("spec", &NativePodGroup::spec), json::Field("status", &NativePodGroup::status)));
  return type;
}

}  // namespace berth::api
