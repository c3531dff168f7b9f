// SPDX-License-Identifier: Apache-2.0
#include "api/legacy_policy.h"

namespace berth::api {

using json::Describe;
using json::Field;
using json::Object;

const json::Type& PolicyServiceAffinity::JsonType() {
  static const json::Type type =
      Describe<PolicyServiceAffinity>(Object(Field("labels", &PolicyServiceAffinity::labels)));
  return type;
}

const json::Type& PolicyLabelsPresence::JsonType() {
  static const json::Type type =
      Describe<PolicyLabelsPresence>(Object(Field("labels", &PolicyLabelsPresence::labels),
                                            Field("presence", &PolicyLabelsPresence::presence)));
  return type;
}

const json::Type& PolicyPredicateArgument::JsonType() {
  static const json::Type type = Describe<PolicyPredicateArgument>(
      Object(Field("serviceAffinity", &PolicyPredicateArgument::service_affinity),
             Field("labelsPresence", &PolicyPredicateArgument::labels_presence)));
  return type;
}

const json::Type& PolicyPredicate::JsonType() {
  static const json::Type type = Describe<PolicyPredicate>(
      Object(Field("name", &PolicyPredicate::name), Field("argument", &PolicyPredicate::argument)));
  return type;
}

const json::Type& PolicyServiceAntiAffinity::JsonType() {
  static const json::Type type = Describe<PolicyServiceAntiAffinity>(
      Object(Field("label", &PolicyServiceAntiAffinity::label)));
  return type;
}

const json::Type& PolicyLabelPreference::JsonType() {
  static const json::Type type =
      Describe<PolicyLabelPreference>(Object(Field("label", &PolicyLabelPreference::label),
                                             Field("presence", &PolicyLabelPreference::presence)));
  return type;
}

const json::Type& PolicyUtilizationPoint::JsonType() {
  static const json::Type type = Describe<PolicyUtilizationPoint>(
      Object(Field("utilization", &PolicyUtilizationPoint::utilization).Required(),
             Field("score", &PolicyUtilizationPoint::score).Required()));
  return type;
}

const json::Type& PolicyResource::JsonType() {
  static const json::Type type = Describe<PolicyResource>(
      Object(Field("name", &PolicyResource::name), Field("weight", &PolicyResource::weight)));
  return type;
}

const json::Type& PolicyCapacityRatio::JsonType() {
  static const json::Type type =
      Describe<PolicyCapacityRatio>(Object(Field("shape", &PolicyCapacityRatio::shape),
                                           Field("resources", &PolicyCapacityRatio::resources)));
  return type;
}

const json::Type& PolicyPriorityArgument::JsonType() {
  static const json::Type type = Describe<PolicyPriorityArgument>(
      Object(Field("serviceAntiAffinity", &PolicyPriorityArgument::service_anti_affinity),
             Field("labelPreference", &PolicyPriorityArgument::label_preference),
             Field("requestedToCapacityRatioArguments",
                   &PolicyPriorityArgument::requested_to_capacity_ratio)));
  return type;
}

const json::Type& PolicyPriority::JsonType() {
  static const json::Type type = Describe<PolicyPriority>(
      Object(Field("name", &PolicyPriority::name), Field("weight", &PolicyPriority::weight),
             Field("argument", &PolicyPriority::argument)));
  return type;
}

const json::Type& LegacyExtender::JsonType() {
  static const json::Type type = Describe<LegacyExtender>(Object(
      Field("urlPrefix", &LegacyExtender::url_prefix),
      Field("apiVersion", &LegacyExtender::api_version),
      Field("filterVerb", &LegacyExtender::filter_verb),
      Field("preemptVerb", &LegacyExtender::preempt_verb),
      Field("prioritizeVerb", &LegacyExtender::prioritize_verb),
      Field("bindVerb", &LegacyExtender::bind_verb), Field("weight", &LegacyExtender::weight),
      Field("enableHTTPS", &LegacyExtender::enable_https),
      Field("enableHttps", &LegacyExtender::enable_https_old),
      Field("tlsConfig", &LegacyExtender::tls_config),
      Field("httpTimeout", &LegacyExtender::http_timeout),
      Field("nodeCacheCapable", &LegacyExtender::node_cache_capable),
      Field("managedResources", &LegacyExtender::managed_resources),
      Field("ignorable", &LegacyExtender::ignorable)));
  return type;
}

const json::Type& LegacyPolicy::JsonType() {
  static const json::Type type = Describe<LegacyPolicy>(Object(
      Field("apiVersion", &LegacyPolicy::api_version), Field("kind", &LegacyPolicy::kind),
      Field("predicates", &LegacyPolicy::predicates),
      Field("priorities", &LegacyPolicy::priorities), Field("extenders", &LegacyPolicy::extenders),
      Field("hardPodAffinitySymmetricWeight", &LegacyPolicy::hard_pod_affinity_symmetric_weight),
      Field("alwaysCheckAllPredicates", &LegacyPolicy::always_check_all_predicates)));
  return type;
}

}  // namespace berth::api
