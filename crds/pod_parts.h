// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/pod.h"

// Parts common to the operator's pod and the schedulers' pods: both follow the Pod Security
// Standard "restricted" and mount their own token, because automount is off.
namespace berth::crds {

// Returns the security context that runs everything as the image's own user, which must not be
// root: the kubelet rejects root, and user names instead of numbers. OpenShift sets a number of the
// namespace.
api::PodSecurityContext RestrictedPod();

// For images whose user may be root or a name: everything runs as the user "nonroot" of distroless
// images.
api::PodSecurityContext RestrictedPodAsNonroot();

// Returns the node selector for images of this architecture (label kubernetes.io/arch); empty: a
// multi-architecture image, or unknown.
api::StringMap LinuxNodes(std::string_view architecture);

// Returns a security context without privilege escalation and with a read-only root file system.
api::SecurityContext RestrictedContainer();

// The same for a container with another image than its pod's, whose user may be root or a name.
api::SecurityContext RestrictedContainerAsNonroot();

// Returns the volume that the ServiceAccount admission plugin would add; TokenMount mounts it.
api::Volume TokenVolume(std::string name);
api::VolumeMount TokenMount(std::string name);

// Returns a probe of a path at a named port with the kubelet's default times.
api::Probe HttpProbe(std::string path, std::string_view port);

}  // namespace berth::crds
