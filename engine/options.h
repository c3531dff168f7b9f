// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "api/outbound_address.h"

namespace berth::engine {

// ObjectName is NAMESPACE/NAME.
struct ObjectName {
  std::string ns;
  std::string name;
  std::string ToString() const { return ns + "/" + name; }
};

struct EngineOptions {
  std::string hostname;  // in events and in the Lease
  std::string identity;  // unique to this process: "<hostname>_<uuid>"
  // The source of the configuration that the engine starts with, for messages.
  std::string config_source;
  std::optional<std::string> config_text;     // the file; absent: only the ConfigMap has one
  std::optional<std::string> last_good_text;  // the last good text beside the file
  std::optional<ObjectName> config_map;       // watched for newer texts
  // The SchedulerProfile that the texts are rendered for. If it exists, only the texts that its
  // status records are used. Absent: all are.
  std::optional<std::string> profile;
  // How long the file waits for the ConfigMap. The mounted file may be older than the ConfigMap,
  // and starting with it could make settings wait for another restart.
  std::chrono::milliseconds config_map_wait{5000};
  api::SidecarPorts sidecar_ports;              // allowed as addresses of extenders
  std::optional<ObjectName> lease;              // absent: as in the configuration
  std::optional<bool> leader_elect;             // absent: as in the configuration
  std::chrono::seconds max_unschedulable{300};  // the longest stay in the unschedulable queue
};

}  // namespace berth::engine
