// SPDX-License-Identifier: Apache-2.0
#include "api/networking.h"

namespace berth::api {

const json::Type& NetworkPolicyPort::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicyPort>(
      json::Object(json::Field("protocol", &NetworkPolicyPort::protocol),
                   json::Field("port", &NetworkPolicyPort::port),
                   json::Field("endPort", &NetworkPolicyPort::end_port)));
  return type;
}

const json::Type& IpBlock::JsonType() {
  static const json::Type type = json::Describe<IpBlock>(
      json::Object(json::Field("cidr", &IpBlock::cidr), json::Field("except", &IpBlock::except)));
  return type;
}

const json::Type& NetworkPolicyPeer::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicyPeer>(
      json::Object(json::Field("podSelector", &NetworkPolicyPeer::pod_selector),
                   json::Field("namespaceSelector", &NetworkPolicyPeer::namespace_selector),
                   json::Field("ipBlock", &NetworkPolicyPeer::ip_block)));
  return type;
}

const json::Type& NetworkPolicyIngressRule::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicyIngressRule>(
      json::Object(json::Field("ports", &NetworkPolicyIngressRule::ports),
                   json::Field("from", &NetworkPolicyIngressRule::from)));
  return type;
}

const json::Type& NetworkPolicyEgressRule::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicyEgressRule>(
      json::Object(json::Field("ports", &NetworkPolicyEgressRule::ports),
                   json::Field("to", &NetworkPolicyEgressRule::to)));
  return type;
}

const json::Type& NetworkPolicySpec::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicySpec>(
      json::Object(json::Field("podSelector", &NetworkPolicySpec::pod_selector),
                   json::Field("ingress", &NetworkPolicySpec::ingress),
                   json::Field("egress", &NetworkPolicySpec::egress),
                   json::Field("policyTypes", &NetworkPolicySpec::policy_types)));
  return type;
}

const json::Type& NetworkPolicy::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicy>(json::Object(
      json::Constant("apiVersion", "networking.k8s.io/v1"), json::Constant("kind", "NetworkPolicy"),
      json::Field("metadata", &NetworkPolicy::metadata),
      json::Field("spec", &NetworkPolicy::spec)));
  return type;
}

}  // namespace berth::api
