// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// Validation of pods and pod templates: the fields that a scheduler reads and common user errors.
// Errors are in upstream's order. Source: pkg/apis/core/validation of Kubernetes 1.37. Not checked:
// volumes, environment, probes, security, affinity, spreading.

// Checks the spec of a pod or of a pod template.
void CheckPodSpec(const Field& spec);
// Checks labels, annotations and spec of a template.
void CheckPodTemplate(const Field& pod_template);

void CheckTolerations(const Field& tolerations);

// Checks that other kinds use, too.
void CheckTaintEffect(const Field& effect, bool may_be_empty);
// Rejects image names with leading or trailing whitespace.
void CheckImageBlanks(const Field& containers);

}  // namespace berth::apiserver
