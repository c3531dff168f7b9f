// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/pod.h"

// What the operator's pod and the schedulers' pods have in common: both hold to the Pod Security
// Standard "restricted" and bring their own token, since automount is off.
namespace berth::crds {

// RestrictedPod runs everything as the user "nonroot" of distroless images.
api::PodSecurityContext RestrictedPod();

// RestrictedContainer can gain no rights and write no file of its image.
api::SecurityContext RestrictedContainer();

// TokenVolume is what the ServiceAccount admission plugin would add, and TokenMount its place.
api::Volume TokenVolume(std::string name);
api::VolumeMount TokenMount(std::string name);

// HttpProbe asks for a path at a named port; its times are the kubelet's defaults.
api::Probe HttpProbe(std::string path, std::string_view port);

}  // namespace berth::crds
