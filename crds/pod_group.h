// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/apiextensions.h"
#include "api/rbac.h"

namespace berth::crds {

// PodGroupDefinition is the CustomResourceDefinition of PodGroups, for clusters that have none yet:
// names, fields and columns are those of the scheduler-plugins project, whose own does as well.
// Source: scheduler-plugins config/crd/bases/scheduling.x-k8s.io_podgroups.yaml.
api::CustomResourceDefinition PodGroupDefinition();

// PodGroupAccessRoles let who may edit or view a namespace do so with its PodGroups: a PodGroup
// holds back no pods but those of its namespace.
std::vector<api::ClusterRole> PodGroupAccessRoles();

}  // namespace berth::crds
