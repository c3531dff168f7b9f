// SPDX-License-Identifier: Apache-2.0
// The shell scheduler of samples/ without a proxy: `berth-sandbox apiserver` has a port that
// requires neither certificates nor accounts.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/kubectl.h"
#include "tests/integration/harness/process.h"
#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr seconds kLimit{30};
constexpr const char* kScript = "samples/09-a-shell-scheduler/my-scheduler.sh";
constexpr const char* kPods = "samples/09-a-shell-scheduler/letters.yaml";
constexpr const char* kNode = R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"only"}})";

TEST(ShellScheduler, BindsPodsOverPlainHttp) {
  NEEDS_KUBECTL();
  const TemporaryFolder folder;
  Process server({SandboxBinary(), "apiserver", "--port", "0"}, folder.path() / "server.log");
  const std::string scheme = "http://";
  ASSERT_TRUE(PollUntil(kLimit, [&] { return server.Output().ends_with("\n"); }));
  ASSERT_TRUE(server.Output().starts_with(scheme)) << server.Output();
  const std::string address(TrimSpace(server.Output().substr(scheme.size())));

  const Variables variables{
      {"KUBECONFIG", "/dev/null"},
      {"HOME", folder.path().string()},  // the folder of kubectl's discovery cache
      {"PATH", KubectlBinary().parent_path().string() + ":" + std::getenv("PATH")},
      {"API", address}};
  const auto kubectl = [&](Arguments arguments, const std::string& input = {}) {
    arguments.insert(arguments.begin(), {KubectlBinary(), "--server", address});
    return Succeeded(arguments, integration::Run(arguments, input, variables)).out;
  };
  kubectl({"create", "-f", "-"}, kNode);
  kubectl({"create", "serviceaccount", "default"});
  kubectl({"create", "-f", SourceFile(kPods)});

  const Process script({SourceFile(kScript)}, folder.path() / "script.log", variables);
  EXPECT_TRUE(Eventually("six bound pods", kLimit, [&]() -> std::string {
    const std::string nodes = kubectl({"get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"});
    return nodes == "only only only only only only" ? "" : nodes + "\n" + script.Output();
  }));
}

}  // namespace
}  // namespace berth::integration
