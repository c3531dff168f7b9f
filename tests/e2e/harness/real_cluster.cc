// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/real_cluster.h"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "tests/integration/harness/kubectl.h"

namespace berth::e2e {
namespace {

std::string FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::filesystem::path GivenKubeconfig() {
  const std::string path = FromEnvironment("KUBECONFIG");
  if (path.empty()) {
    throw std::runtime_error("KUBECONFIG does not name a cluster; `make test-e2e` starts one");
  }
  return std::filesystem::absolute(path);
}

}  // namespace

RealCluster& RealCluster::Instance() {
  static RealCluster cluster;
  return cluster;
}

RealCluster::RealCluster()
    : RealCluster(GivenKubeconfig(), std::make_unique<integration::ApiAccess>(GivenKubeconfig())) {}

RealCluster::RealCluster(std::filesystem::path kubeconfig,
                         std::unique_ptr<integration::ApiAccess> api)
    : Objects(*api),
      kubeconfig_(std::move(kubeconfig)),
      api_(std::move(api)),
      images_{.tools = FromEnvironment("BERTH_E2E_TOOLS_IMAGE")} {
  create_symlink(integration::KubectlBinary(), folder() / "kubectl");
}

ProcessOutcome RealCluster::TryKubectl(const Arguments& arguments, const std::string& input) const {
  Arguments all{folder() / "kubectl", "--cache-dir", folder() / "kubectl-cache"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return integration::Run(all, input, {{"KUBECONFIG", kubeconfig_}});
}

ProcessOutcome RealCluster::Kubectl(const Arguments& arguments, const std::string& input) const {
  return integration::Succeeded(arguments, TryKubectl(arguments, input));
}

ProcessOutcome RealCluster::Type(const std::string& line) const {
  return integration::Run(
      {"bash", "-c", line}, "",
      {{"KUBECONFIG", kubeconfig_}, {"PATH", folder().string() + ":" + FromEnvironment("PATH")}});
}

}  // namespace berth::e2e
