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

// LoadedConfig is a configuration that was read, checked and built; its profiles can be swapped in.
struct LoadedConfig {
  api::KubeSchedulerConfiguration config;  // defaults filled in
  scheduler::ProfileMap profiles;          // by scheduler name
  std::string hash;                        // api::ConfigHash of the text
};

// ConfigSource is where a configuration comes from. Whoever runs a scheduler with a file of their
// own is obeyed; what was rendered for a profile, which others write, may not have the scheduler
// send anything where no profile may (api/outbound_address.h): on the own host to sidecars alone.
// What is rendered is a ConfigMap's, or mounted to api::kMountedFolder.
struct ConfigSource {
  std::string name;  // for messages: a path, or an object's name
  bool is_rendered = false;
  api::SidecarPorts sidecar_ports = {};  // of a rendered scheduler
};

// MakeExtender makes the port to an extender of a configuration from that source; errors (kConfig) say
// what is wrong with its address or TLS.
using MakeExtender = std::function<Result<std::unique_ptr<scheduler::ExtenderPort>>(
    const api::Extender& extender, const ConfigSource& source)>;

// LoadConfig reads a KubeSchedulerConfiguration and builds its profiles. Errors (kConfig) name
// `source`, the field path, what was found and what is allowed. Pure, but for what the handle's
// parts are used for when a plugin is made.
Result<LoadedConfig> LoadConfig(std::string_view text, const ConfigSource& source,
                                const scheduler::Registry& registry,
                                const scheduler::PluginHandle& handle,
                                const MakeExtender& make_extender);

// Choice is the outcome of looking at what a ConfigMap, or a folder it is mounted to, offers.
struct Choice {
  std::optional<LoadedConfig> config;  // absent: keep what runs
  std::string error;                   // why the newest text was refused; empty: it was not
  std::string rejected_hash;           // of that text; empty also where there was none
};

// ChooseConfig takes the newest text if it is good. If it is refused, a scheduler that runs keeps
// its configuration, and one that starts
// (`running_hash` empty) takes the last good text. A text whose hash runs already changes nothing.
Choice ChooseConfig(const std::optional<std::string>& newest,
                    const std::optional<std::string>& last_good, const ConfigSource& source,
                    std::string_view running_hash, const scheduler::Registry& registry,
                    const scheduler::PluginHandle& handle, const MakeExtender& make_extender);

}  // namespace berth::engine
