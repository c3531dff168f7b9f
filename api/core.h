// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/int_or_string.h"

namespace berth::api {

struct ConfigMap {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "ConfigMap",
                                          .plural = "configmaps",
                                          .namespaced = true};

  ObjectMeta metadata;
  StringMap data;
  std::optional<bool> immutable;

  bool operator==(const ConfigMap&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "ConfigMap"),
                        json::Field("metadata", &ConfigMap::metadata),
                        json::Field("data", &ConfigMap::data),
                        json::Field("immutable", &ConfigMap::immutable));
  }
};

struct ServiceAccount {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "ServiceAccount",
                                          .plural = "serviceaccounts",
                                          .namespaced = true};

  ObjectMeta metadata;
  std::optional<bool> automount_service_account_token;

  bool operator==(const ServiceAccount&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"),
                        json::Constant("kind", "ServiceAccount"),
                        json::Field("metadata", &ServiceAccount::metadata),
                        json::Field("automountServiceAccountToken",
                                    &ServiceAccount::automount_service_account_token));
  }
};

struct ServicePort {
  std::string name;
  std::string protocol;
  std::optional<std::string> app_protocol;
  int32_t port = 0;
  std::optional<IntOrString> target_port;

  bool operator==(const ServicePort&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &ServicePort::name),
                        json::Field("protocol", &ServicePort::protocol),
                        json::Field("appProtocol", &ServicePort::app_protocol),
                        json::Field("port", &ServicePort::port),
                        json::Field("targetPort", &ServicePort::target_port));
  }
};

struct ServiceSpec {
  std::vector<ServicePort> ports;
  StringMap selector;
  std::string cluster_ip;  // "None" makes it headless
  std::string type;

  bool operator==(const ServiceSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("ports", &ServiceSpec::ports),
                        json::Field("selector", &ServiceSpec::selector),
                        json::Field("clusterIP", &ServiceSpec::cluster_ip),
                        json::Field("type", &ServiceSpec::type));
  }
};

struct Service {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Service", .plural = "services", .namespaced = true};

  ObjectMeta metadata;
  ServiceSpec spec;

  bool operator==(const Service&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Service"),
                        json::Field("metadata", &Service::metadata),
                        json::Field("spec", &Service::spec));
  }
};

struct NamespaceStatus {
  std::string phase;

  bool operator==(const NamespaceStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("phase", &NamespaceStatus::phase));
  }
};

struct Namespace {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "Namespace",
                                          .plural = "namespaces",
                                          .namespaced = false};

  ObjectMeta metadata;
  NamespaceStatus status;

  bool operator==(const Namespace&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Namespace"),
                        json::Field("metadata", &Namespace::metadata),
                        json::Field("status", &Namespace::status));
  }
};

struct EventSource {
  std::string component;
  std::string host;

  bool operator==(const EventSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("component", &EventSource::component),
                        json::Field("host", &EventSource::host));
  }
};

// Event is the older, core/v1 form, which leader election writes; all other events are
// events.k8s.io (api/events.h).
struct Event {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Event", .plural = "events", .namespaced = true};

  ObjectMeta metadata;
  ObjectReference involved_object;
  std::string reason;
  std::string message;
  EventSource source;
  Time first_timestamp;
  Time last_timestamp;
  int32_t count = 0;
  std::string type;  // Normal, Warning
  std::string reporting_controller;
  std::string reporting_instance;

  bool operator==(const Event&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Event"),
                        json::Field("metadata", &Event::metadata),
                        json::Field("involvedObject", &Event::involved_object),
                        json::Field("reason", &Event::reason),
                        json::Field("message", &Event::message),
                        json::Field("source", &Event::source),
                        json::Field("firstTimestamp", &Event::first_timestamp),
                        json::Field("lastTimestamp", &Event::last_timestamp),
                        json::Field("count", &Event::count), json::Field("type", &Event::type),
                        json::Field("reportingComponent", &Event::reporting_controller),
                        json::Field("reportingInstance", &Event::reporting_instance));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::ConfigMap);
BERTH_JSON_EXTERN(berth::api::ServiceAccount);
BERTH_JSON_EXTERN(berth::api::Service);
BERTH_JSON_EXTERN(berth::api::Namespace);
BERTH_JSON_EXTERN(berth::api::Event);
