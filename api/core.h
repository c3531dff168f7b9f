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
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct ServicePort {
  std::string name;
  std::string protocol;
  std::optional<std::string> app_protocol;
  int32_t port = 0;
  std::optional<IntOrString> target_port;

  bool operator==(const ServicePort&) const = default;
  static const json::Type& JsonType();
};

struct ServiceSpec {
  std::vector<ServicePort> ports;
  StringMap selector;
  std::string cluster_ip;  // "None" means headless
  std::string type;

  bool operator==(const ServiceSpec&) const = default;
  static const json::Type& JsonType();
};

struct Service {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Service", .plural = "services", .namespaced = true};

  ObjectMeta metadata;
  ServiceSpec spec;

  bool operator==(const Service&) const = default;
  static const json::Type& JsonType();
};

struct ReplicationControllerSpec {
  StringMap selector;

  bool operator==(const ReplicationControllerSpec&) const = default;
  static const json::Type& JsonType();
};

struct ReplicationController {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "ReplicationController",
                                          .plural = "replicationcontrollers",
                                          .namespaced = true};

  ObjectMeta metadata;
  ReplicationControllerSpec spec;

  bool operator==(const ReplicationController&) const = default;
  static const json::Type& JsonType();
};

struct NamespaceStatus {
  std::string phase;

  bool operator==(const NamespaceStatus&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct EventSource {
  std::string component;
  std::string host;

  bool operator==(const EventSource&) const = default;
  static const json::Type& JsonType();
};

// Event is the core/v1 form. Only leader election writes it; all other events are events.k8s.io
// (api/events.h).
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
  static const json::Type& JsonType();
};

}  // namespace berth::api
