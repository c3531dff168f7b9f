// SPDX-License-Identifier: Apache-2.0
#include "api/admission.h"

BERTH_JSON_INSTANTIATE(berth::api::ValidatingAdmissionPolicy);
BERTH_JSON_INSTANTIATE(berth::api::ValidatingAdmissionPolicyBinding);
