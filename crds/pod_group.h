// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/apiextensions.h"
#include "api/rbac.h"

namespace berth::crds {

// Returns the CustomResourceDefinition of PodGroups, for clusters without one. Names, fields and
// columns equal those of the scheduler-plugins project, whose definition also works. Source:
// scheduler-plugins config/crd/bases/scheduling.x-k8s.io_podgroups.yaml.
api::CustomResourceDefinition PodGroupDefinition();

// Returns roles that let editors and viewers of a namespace edit or view its PodGroups: a PodGroup
// only delays pods of its own namespace.
std::vector<api::ClusterRole> PodGroupAccessRoles();

}  // namespace berth::crds
