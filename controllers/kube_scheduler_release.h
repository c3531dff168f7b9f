// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/kubernetes_version.h"
#include "controllers/render.h"
#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

// Chooses the kube-scheduler for a profile with engine KubeScheduler. It must not be newer than the
// API server and at most one minor older, so the default image follows the API server's minor.
// Source: Kubernetes' version skew policy.
namespace berth::controllers {

// Returns one release for each supported minor, oldest first: "1.30.14". `make test-versions` tests
// these releases.
std::vector<std::string_view> KubeSchedulerReleases();

// Returns the stock images of these releases.
std::vector<std::string> KubeSchedulerImages();

// Returns the stock image for an API server; nullopt if its minor is not supported.
std::optional<std::string> KubeSchedulerImageFor(api::KubernetesVersion server);

// KubeSchedulerChoice is the kube-scheduler of one profile.
struct KubeSchedulerChoice {
  std::string image;                        // for a profile without an image; empty: rejected
  std::vector<crds::Rejection> rejections;  // the profile is Stalled unless empty
  std::vector<api::FieldWarning> warnings;  // for status.warnings
  HealthPaths health_paths;
};

// Decides for a valid profile; empty for another engine. `flag_image` is --kube-scheduler-image,
// empty by default; `server` is nullopt while the version is not known. Rejects a profile that
// needs the default image when there is none, and a profile with plugins or arguments that only a
// later kube-scheduler has and that would make this one exit at start. Pure.
KubeSchedulerChoice ChooseKubeScheduler(const crds::SchedulerProfileSpec& spec,
                                        const std::string& flag_image,
                                        std::optional<api::KubernetesVersion> server);

}  // namespace berth::controllers
