// SPDX-License-Identifier: Apache-2.0
#include "api/core.h"

namespace berth::api {

const json::Type& ConfigMap::JsonType() {
  static const json::Type type = json::Describe<ConfigMap>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "ConfigMap"),
      json::Field("metadata", &ConfigMap::metadata), json::Field("data", &ConfigMap::data),
      json::Field("immutable", &ConfigMap::immutable)));
  return type;
}

const json::Type& ServiceAccount::JsonType() {
  static const json::Type type = json::Describe<ServiceAccount>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "ServiceAccount"),
                   json::Field("metadata", &ServiceAccount::metadata),
                   json::Field("automountServiceAccountToken",
                               &ServiceAccount::automount_service_account_token)));
  return type;
}

const json::Type& ServicePort::JsonType() {
  static const json::Type type = json::Describe<ServicePort>(json::Object(
      json::Field("name", &ServicePort::name), json::Field("protocol", &ServicePort::protocol),
      json::Field("appProtocol", &ServicePort::app_protocol),
      json::Field("port", &ServicePort::port),
      json::Field("targetPort", &ServicePort::target_port)));
  return type;
}

const json::Type& ServiceSpec::JsonType() {
  static const json::Type type = json::Describe<ServiceSpec>(json::Object(
      json::Field("ports", &ServiceSpec::ports).ListMap("port,protocol"),
      json::Field("selector", &ServiceSpec::selector).Atomic(),
      json::Field("clusterIP", &ServiceSpec::cluster_ip), json::Field("type", &ServiceSpec::type)));
  return type;
}

const json::Type& Service::JsonType() {
  static const json::Type type = json::Describe<Service>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "Service"),
      json::Field("metadata", &Service::metadata), json::Field("spec", &Service::spec)));
  return type;
}

const json::Type& ReplicationControllerSpec::JsonType() {
  static const json::Type type = json::Describe<ReplicationControllerSpec>(
      json::Object(json::Field("selector", &ReplicationControllerSpec::selector).Atomic()));
  return type;
}

const json::Type& ReplicationController::JsonType() {
  static const json::Type type = json::Describe<ReplicationController>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "ReplicationController"),
      json::Field("metadata", &ReplicationController::metadata),
      json::Field("spec", &ReplicationController::spec)));
  return type;
}

const json::Type& NamespaceStatus::JsonType() {
  static const json::Type type =
      json::Describe<NamespaceStatus>(json::Object(json::Field("phase", &NamespaceStatus::phase)));
  return type;
}

const json::Type& Namespace::JsonType() {
  static const json::Type type = json::Describe<Namespace>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "Namespace"),
      json::Field("metadata", &Namespace::metadata), json::Field("status", &Namespace::status)));
  return type;
}

const json::Type& EventSource::JsonType() {
  static const json::Type type = json::Describe<EventSource>(json::Object(
      json::Field("component", &EventSource::component), json::Field("host", &EventSource::host)));
  return type;
}

const json::Type& Event::JsonType() {
  static const json::Type type = json::Describe<Event>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "Event"),
      json::Field("metadata", &Event::metadata),
      json::Field("involvedObject", &Event::involved_object), json::Field("reason", &Event::reason),
      json::Field("message", &Event::message), json::Field("source", &Event::source),
      json::Field("firstTimestamp", &Event::first_timestamp),
      json::Field("lastTimestamp", &Event::last_timestamp), json::Field("count", &Event::count),
      json::Field("type", &Event::type),
      json::Field("reportingComponent", &Event::reporting_controller),
      json::Field("reportingInstance", &Event::reporting_instance)));
  return type;
}

}  // namespace berth::api
