// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/pod.h"

// What the operator's pod and the schedulers' pods have in common: both hold to the Pod Security
// Standard "restricted" and bring their own token, since automount is off.
namespace berth::crds {

// RestrictedPod runs everything as the image's own user, which must not be root: the kubelet refuses
// root, and a name in place of a number. OpenShift puts a number of the namespace in its place.
api::PodSecurityContext RestrictedPod();

// RestrictedPodAsNonroot is for images whose user may be root or a name: everything runs as the user
// "nonroot" of distroless images.
api::PodSecurityContext RestrictedPodAsNonroot();

// LinuxNodes selects the nodes that can run an image of this architecture, as the label
// kubernetes.io/arch names it; empty: that of several, or of who knows which.
api::StringMap LinuxNodes(std::string_view architecture);

// RestrictedContainer can gain no rights and write no file of its image.
api::SecurityContext RestrictedContainer();

// RestrictedContainerAsNonroot is for such a container whose image is another than its pod's, with
// a user that may be root or a name.
api::SecurityContext RestrictedContainerAsNonroot();

// TokenVolume is what the ServiceAccount admission plugin would add, and TokenMount its place.
api::Volume TokenVolume(std::string name);
api::VolumeMount TokenMount(std::string name);

// HttpProbe asks for a path at a named port; its times are the kubelet's defaults.
api::Probe HttpProbe(std::string path, std::string_view port);

}  // namespace berth::crds
