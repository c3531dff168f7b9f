// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Objects of a custom kind that has several versions are stored as one of them and shown as the one
// that is asked for. They differ in nothing but apiVersion: conversion strategy None.

// ShowVersion makes an object as it is stored one of `kind`; StoreVersion is the way back. Neither
// touches a kind of one version.
void ShowVersion(const KindInfo& kind, nlohmann::json& object);
void StoreVersion(const KindInfo& kind, nlohmann::json& object);

// IsNewerVersion is Kubernetes' order of versions: v2, v1, v2beta1, v1beta2, v1alpha1, and then all
// other names. Source: apimachinery, util/version.CompareKubeAwareVersionStrings.
bool IsNewerVersion(const std::string& a, const std::string& b);

// DeprecationWarning is what every request for a deprecated version of a CustomResourceDefinition
// is told; "" for one that is not.
std::string DeprecationWarning(const nlohmann::json& spec, const nlohmann::json& version);

}  // namespace berth::apiserver
