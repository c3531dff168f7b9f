// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// What a pod, and the template of pods in other kinds, is checked for. Findings come in upstream's
// order. Source: pkg/apis/core/validation of Kubernetes 1.36. Not checked: volumes of plug-ins that
// left the tree, Windows' options, resources of whole pods, DRA claims.

// CheckPodSpec checks a spec of any place.
void CheckPodSpec(const Field& spec);
// CheckPodTemplate checks labels, annotations and spec of a template.
void CheckPodTemplate(const Field& pod_template);

// Parts of a spec, one file each.
// CheckVolumes gives the names of the volumes that are as they should be.
std::set<std::string> CheckVolumes(const Field& volumes);
void CheckContainers(const Field& spec, const std::set<std::string>& volumes);
void CheckEnvironment(const Field& container);
void CheckResources(const Field& resources);
void CheckLifecycleAndProbes(const Field& container, int64_t grace_seconds);
void CheckAffinity(const Field& affinity);
void CheckTolerations(const Field& tolerations);
void CheckSpreadConstraints(const Field& constraints);

// Pieces that other kinds use, too.
void CheckNodeSelector(const Field& selector);
void CheckTaintEffect(const Field& effect, bool may_be_empty);
// CheckResourceName checks a resource of a container or a node by its name.
void CheckResourceName(const Field& amount, const std::string& name);
// CheckAmount: a resource cannot be negative. True if it is fine.
bool CheckAmount(const Field& amount);
// CheckRelativePath: a path must not lead out of where it begins.
void CheckRelativePath(const Field& path);
void CheckNoBacksteps(const Field& path);
// CheckPortNameOrNumber is for ports of probes and Services.
void CheckPortNameOrNumber(const Field& port);
NameProblems CheckPortName(std::string_view name);
// CheckFieldPath checks the fieldPath of the downward API.
void CheckFieldPath(const Field& reference, bool whole_maps);

// Quoted is a text as JSON.
std::string Quoted(std::string_view text);

}  // namespace berth::apiserver
