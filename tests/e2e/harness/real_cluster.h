// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/objects.h"
#include "tests/integration/harness/process.h"
#include "tests/integration/harness/wait.h"

namespace berth::e2e {

using integration::Always;
using integration::Arguments;
using integration::At;
using integration::Condition;
using integration::Eventually;
using integration::Json;
using integration::ProcessOutcome;
using integration::TextAt;

// kNamespace is where deploy/install.yaml installs Berth.
inline constexpr const char* kNamespace = "berth-system";

// Images that tests run, from the environment. Those that are empty were not given: what needs them is
// left out.
struct Images {
  std::string tools;  // BERTH_E2E_TOOLS_IMAGE: /bin/busybox, run by the same user as Berth's image
};

// RealCluster is the cluster that $KUBECONFIG names, with kubelets that can get Berth's image and that
// of the samples. Thread safe but for the failures it reports, which belong to the test's thread.
class RealCluster : public integration::Objects {
 public:
  // Throws where there is no cluster.
  RealCluster();

  static RealCluster& Instance();

  const integration::ApiAccess& api() const { return *api_; }
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  const Images& images() const { return images_; }

  // Kubectl is what a user types; the test fails when kubectl does. TryKubectl leaves that to the
  // caller.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {}) const;
  ProcessOutcome TryKubectl(const Arguments& arguments, const std::string& input = {}) const;
  // Type runs a line in a shell that finds kubectl, and the cluster by KUBECONFIG.
  ProcessOutcome Type(const std::string& line) const;

 private:
  RealCluster(std::filesystem::path kubeconfig, std::unique_ptr<integration::ApiAccess> api);

  const std::filesystem::path kubeconfig_;
  const std::unique_ptr<integration::ApiAccess> api_;
  const integration::TemporaryFolder folder_;
  const Images images_;
};

}  // namespace berth::e2e
