// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kubernetes_version.h"
#include "controllers/render.h"
#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

// Which kube-scheduler a profile with engine KubeScheduler runs. It must not be newer than the API
// server and at most one minor older, so the default image follows the API server's minor.
// Source: Kubernetes' version skew policy.
namespace berth::controllers {

// KubeSchedulerReleases gives one release for each supported minor, oldest first: "1.30.14". They
// are the releases that `make test-versions` tests.
std::vector<std::string_view> KubeSchedulerReleases();

// KubeSchedulerImages gives the stock images of these releases.
std::vector<std::string> KubeSchedulerImages();

// KubeSchedulerImageFor gives the stock image for an API server; nullopt: no supported minor.
std::optional<std::string> KubeSchedulerImageFor(api::KubernetesVersion server);

// KubeSchedulerChoice is the kube-scheduler of one profile.
struct KubeSchedulerChoice {
  std::string image;                        // of a profile that names none; empty: refused
  std::vector<crds::Rejection> rejections;  // the profile is Stalled while there is one
  std::vector<std::string> warnings;        // for status.warnings
  HealthPaths health_paths;
};

// ChooseKubeScheduler decides for a valid profile; empty for another engine. `flag_image` is
// --kube-scheduler-image, empty by default; `server` is nullopt while the version is not known.
// Refused: a profile that needs the default image where there is none, and one whose plugins or
// arguments name an addition of a later kube-scheduler, which would end at its start. Pure.
KubeSchedulerChoice ChooseKubeScheduler(const crds::SchedulerProfileSpec& spec,
                                        const std::string& flag_image,
                                        std::optional<api::KubernetesVersion> server);

}  // namespace berth::controllers
