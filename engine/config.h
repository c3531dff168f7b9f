// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/core.h"
#include "api/outbound_address.h"
#include "api/scheduler_config.h"
#include "scheduler/framework/extender_port.h"
#include "scheduler/framework/profile.h"

namespace berth::engine {

// LoadedConfig is a parsed and validated configuration with its profiles, ready to be applied.
struct LoadedConfig {
  api::KubeSchedulerConfiguration config;  // with defaults
  scheduler::ProfileMap profiles;          // by scheduler name
  std::string hash;                        // api::ConfigHash of the text
};

// ConfigSource is the origin of a configuration. A configuration file of the administrator is
// trusted. A rendered configuration comes from a profile, which other users may write: the
// scheduler must not connect to any address that a profile may not name (api/outbound_address.h),
// and on its own host only to sidecars. Rendered configurations come from a ConfigMap, or are
// mounted to api::kMountedFolder.
struct ConfigSource {
  std::string name;  // for messages: a path, or an object's name
  bool is_rendered = false;
  api::SidecarPorts sidecar_ports = {};  // for a rendered configuration
};

// Creates the port to an extender in a configuration from that source. Errors (kConfig) name the
// invalid address or TLS field.
using MakeExtender = std::function<Result<std::unique_ptr<scheduler::ExtenderPort>>(
    const api::Extender& extender, const ConfigSource& source)>;

// Parses a KubeSchedulerConfiguration and creates its profiles. Errors (kConfig) name `source`, the
// field path, the value found and the allowed values. Pure, except for calls of plugin factories to
// the handle.
Result<LoadedConfig> LoadConfig(std::string_view text, const ConfigSource& source,
                                const scheduler::Registry& registry,
                                const scheduler::PluginHandle& handle,
                                const MakeExtender& make_extender);

// Choice is the result of reading a ConfigMap, or a folder where it is mounted.
struct Choice {
  std::optional<LoadedConfig> config;  // absent: keep the running configuration
  std::string error;                   // why the newest text was rejected; empty: it was not
  std::string rejected_hash;           // of the rejected text; also empty if there was no text
};

// Chooses the newest text if it is valid. If it is rejected, a running scheduler keeps its
// configuration, and a starting scheduler (`running_hash` empty) takes the last good text. A text
// with the running hash changes nothing.
Choice ChooseConfig(const std::optional<std::string>& newest,
                    const std::optional<std::string>& last_good, const ConfigSource& source,
                    std::string_view running_hash, const scheduler::Registry& registry,
                    const scheduler::PluginHandle& handle, const MakeExtender& make_extender);

}  // namespace berth::engine
