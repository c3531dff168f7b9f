// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/pod.h"
#include "base/error.h"
#include "sandbox/simulation/kubelet/pod_sources.h"

namespace berth::simulation {

// Mounts maps the mount paths of a container to folders on this machine.
using Mounts = std::map<std::string, std::string>;

// Returns a container's mounts, with the volumes at <root>/<volume>.
Mounts MountsOf(const api::Container& container, const std::string& root);

// Adapts an argument to a process that shares the machine's files and network. A path below a mount
// becomes the path on the machine. An address for all interfaces (0.0.0.0, ::, or only :PORT)
// becomes the pod's own, with the same effect as inside a pod.
std::string HostArgument(const std::string& argument, const Mounts& mounts,
                         const std::string& pod_ip);

// Resolves $(NAME) from earlier variables; $$ is a dollar, an unknown name stays unchanged. Source:
// core/v1 EnvVar.
std::string ExpandVariables(const std::string& text, const api::StringMap& variables);

// Returns the container's own variables. Errors name a missing object or key.
Result<api::StringMap> EnvironmentOf(const api::Container& container, const api::Pod& pod,
                                     const std::string& pod_ip, PodSources& sources);

// Returns the value of a fieldRef; an unknown path is an error.
Result<std::string> FieldOf(const std::string& path, const api::Pod& pod,
                            const std::string& pod_ip);

}  // namespace berth::simulation
