// SPDX-License-Identifier: Apache-2.0
#include "api/rbac.h"

BERTH_JSON_INSTANTIATE(berth::api::Role);
BERTH_JSON_INSTANTIATE(berth::api::ClusterRole);
BERTH_JSON_INSTANTIATE(berth::api::RoleBinding);
BERTH_JSON_INSTANTIATE(berth::api::ClusterRoleBinding);
