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

// The namespace in which deploy/install.yaml installs Berth.
inline constexpr const char* kNamespace = "berth-system";

// Images for tests, from the environment. Tests that need an empty one are skipped.
struct Images {
  std::string tools;  // BERTH_E2E_TOOLS_IMAGE: /bin/busybox, run by the same user as Berth's image
};

// RealCluster is the cluster of $KUBECONFIG; its kubelets can pull the images of Berth and the
// samples. Thread-safe, except for reported failures, which need the test's thread.
class RealCluster : public integration::Objects {
 public:
  // Throws if there is no cluster.
  RealCluster();

  static RealCluster& Instance();

  const integration::ApiAccess& api() const { return *api_; }
  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  const Images& images() const { return images_; }

  // Kubectl runs a command of a user; the test fails if kubectl fails. TryKubectl leaves that to
  // the caller.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {}) const;
  ProcessOutcome TryKubectl(const Arguments& arguments, const std::string& input = {}) const;
  // Runs a line in a shell with kubectl on PATH and KUBECONFIG set.
  ProcessOutcome Type(const std::string& line) const;

 private:
  RealCluster(std::filesystem::path kubeconfig, std::unique_ptr<integration::ApiAccess> api);

  const std::filesystem::path kubeconfig_;
  const std::unique_ptr<integration::ApiAccess> api_;
  const integration::TemporaryFolder folder_;
  const Images images_;
};

}  // namespace berth::e2e
