// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/pod.h"
#include "base/error.h"
#include "sandbox/simulation/kubelet/pod_sources.h"

namespace berth::simulation {

// Mounts maps the paths at which a container sees its volumes to the folders where they are.
using Mounts = std::map<std::string, std::string>;

// MountsOf gives a container's, its volumes lying in <root>/<volume>.
Mounts MountsOf(const api::Container& container, const std::string& root);

// HostArgument makes an argument fit a process that shares the machine's files and network: a path
// below a mount becomes the path on the machine, and an address that means every interface
// (0.0.0.0, ::, or :PORT alone) becomes the pod's own, for that is what it is inside of a pod.
std::string HostArgument(const std::string& argument, const Mounts& mounts,
                         const std::string& pod_ip);

// ExpandVariables resolves $(NAME) from earlier variables; $$ is a dollar, an unknown name stays as
// it is. Source: core/v1 EnvVar.
std::string ExpandVariables(const std::string& text, const api::StringMap& variables);

// EnvironmentOf is the container's own variables. Errors name what a variable refers to and is not
// there.
Result<api::StringMap> EnvironmentOf(const api::Container& container, const api::Pod& pod,
                                     const std::string& pod_ip, PodSources& sources);

// FieldOf reads what a fieldRef may name; an unknown path is an error.
Result<std::string> FieldOf(const std::string& path, const api::Pod& pod,
                            const std::string& pod_ip);

}  // namespace berth::simulation
