// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// What a pod, and the template of pods in other kinds, is checked for: what a scheduler reads and
// what everybody gets wrong. Findings come in upstream's order. Source: pkg/apis/core/validation of
// Kubernetes 1.36. Not checked: volumes, environment, probes, security, affinity, spreading.

// CheckPodSpec checks a spec of any place.
void CheckPodSpec(const Field& spec);
// CheckPodTemplate checks labels, annotations and spec of a template.
void CheckPodTemplate(const Field& pod_template);

void CheckTolerations(const Field& tolerations);

// Pieces that other kinds use, too.
void CheckTaintEffect(const Field& effect, bool may_be_empty);
// CheckImageBlanks: an image's name has no blanks at its ends.
void CheckImageBlanks(const Field& containers);

}  // namespace berth::apiserver
