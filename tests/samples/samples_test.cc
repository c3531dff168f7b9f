// SPDX-License-Identifier: Apache-2.0
// Runs the commands of the samples' pages and of docs/troubleshooting.md, like a reader, and
// compares their output.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/strings.h"
#include "tests/integration/harness/kubectl.h"
#include "tests/integration/harness/typed_document.h"
#include "tests/integration/harness/wait.h"
#include "tests/samples/machines.h"
#include "tests/samples/own_network.h"

namespace berth::integration {
namespace {

std::vector<std::vector<TypedCommand>> BlocksOf(const std::filesystem::path& page) {
  return CommandsOf(Must(page.string(), ReadFile(page.string())));
}

// Desk is a reader's environment: a cluster, and a shell with kubectl and berth.
class Desk {
 public:
  explicit Desk(const std::filesystem::path& hosts)
      : control_plane_(ControlPlane::Start()), machines_(*control_plane_, hosts) {
    std::filesystem::create_directory(bin());
    create_symlink(SourceFile("tests/samples/kubectl"), bin() / "kubectl");
    create_symlink(BerthBinary(), bin() / "berth");
  }

  ProcessOutcome Type(const std::string& line) {
    machines_.PublishServices();
    return Run({"bash", "-o", "pipefail", "-c", line}, "",
               {{"KUBECONFIG", control_plane_->admin_kubeconfig()},
                {"BERTH_KUBECTL", KubectlBinary()},
                {"BERTH_POD_LOGS", machines_.log_folder()},
                {"HOME", control_plane_->folder()},  // the folder of kubectl's discovery cache
                {"PATH", bin().string() + ":" + std::getenv("PATH")}});
  }
  void Type(const std::vector<TypedCommand>& block) {
    TypeBlock(block, [this](const std::string& line) { return Type(line); });
  }

  Machines& machines() { return machines_; }
  bool IsReal() const { return control_plane_->IsReal(); }
  std::string Logs() const { return machines_.Logs(); }

 private:
  std::filesystem::path bin() const { return control_plane_->folder() / "bin"; }

  const std::unique_ptr<ControlPlane> control_plane_;
  Machines machines_;
};

// TriedSamples installs Berth before the first sample and removes it after the last one, as
// described on the page of all samples.
class TriedSamples final : public testing::Environment {
 public:
  void SetUp() override {
    if (why_not = KubectlMissing(); !why_not.empty()) return;
    const auto hosts = folder_.path() / "hosts";
    std::ofstream(hosts) << "127.0.0.1 localhost\n";
    if (const std::string rejected = EnterOwnNetwork(hosts); !rejected.empty()) {
      why_not = "this machine does not allow " + rejected;
      return;
    }
    desk = std::make_unique<Desk>(hosts);
    desk->Type(Blocks().front());
  }

  void TearDown() override {
    const std::unique_ptr<Desk> ended = std::move(desk);
    if (!ended) return;
    ended->Type(Blocks().back());
    if (HasFailure()) std::cerr << ended->Logs();
  }

  static inline std::unique_ptr<Desk> desk;
  static inline std::string why_not;  // the reason if there is no cluster

 private:
  static bool HasFailure() { return testing::UnitTest::GetInstance()->Failed(); }
  static std::vector<std::vector<TypedCommand>> Blocks() { return BlocksOf("samples/README.md"); }

  const TemporaryFolder folder_;
};

[[maybe_unused]] const testing::Environment* const kEnvironment =
    testing::AddGlobalTestEnvironment(new TriedSamples);  // GoogleTest owns it

std::vector<std::string> Folders() {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator("samples")) {
    if (entry.is_directory()) folders.push_back(entry.path().filename());
  }
  std::ranges::sort(folders);
  return folders;
}

// Returns the features that a sample needs and the in-memory control plane lacks; empty if none.
// tests/samples/CMakeLists.txt excludes these samples there.
std::string WantsOfTheRealOne(const std::string& folder) {
  if (folder.ends_with("kube-scheduler")) return "all requests of a kube-scheduler";
  if (folder.ends_with("volumes-on-first-use"))
    return "controllers that bind and provision volumes";
  return "";
}

// Page is a page with commands to run.
class Page : public testing::Test {
 protected:
  void SetUp() override {
    if (!TriedSamples::desk) SKIP_EXCEPT_IN_CI(TriedSamples::why_not);
  }

  void Type(const std::string& page) {
    const auto blocks = BlocksOf(page);
    ASSERT_FALSE(blocks.empty());
    for (const auto& block : blocks) ASSERT_NO_FATAL_FAILURE(desk().Type(block));

    // The page must delete its objects, which would affect the next page.
    EXPECT_TRUE(Eventually("no objects left", kGarbageCollection, [&]() -> std::string {
      return desk()
          .Type(
              "kubectl get sprof,deployments,services,configmaps,pods -A -o name "
              "-l 'berth.dev/profile'; kubectl get sprof,deployments,pods -o name; "
              "kubectl get nodes -o jsonpath='{.items[*].spec.taints}'")
          .out;
    }));
  }

  void TearDown() override {
    if (!HasFailure() || !TriedSamples::desk) return;
    std::cerr << desk()
                     .Type(
                         "kubectl get sprof,deployments,pods -A -o wide; kubectl get sprof -o yaml")
                     .out;
    desk().Type(
        "kubectl delete sprof --all; kubectl delete deployments,pods --all --wait=false; "
        "kubectl get nodes -o name | xargs -I NODE kubectl patch NODE --type=merge "
        "-p '{\"spec\":{\"taints\":null,\"unschedulable\":null}}'");
  }

  static Desk& desk() { return *TriedSamples::desk; }
};

class Sample : public Page, public testing::WithParamInterface<std::string> {};

TEST_P(Sample, OutputMatchesItsPage) {
  const std::string wanted = WantsOfTheRealOne(GetParam());
  if (!wanted.empty() && !desk().IsReal()) GTEST_SKIP() << "sandbox/ has not " << wanted;
  if (GetParam().ends_with("your-own-kube-scheduler") && !exists(OwnKubeScheduler())) {
    SKIP_EXCEPT_IN_CI(OwnKubeScheduler().string() +
                      " is missing; scripts/own-scheduler-build builds it (needs Go)");
  }
  if (const std::string why_not = desk().machines().WhyNoTraffic();
      GetParam().ends_with("network-traffic") && !why_not.empty()) {
    SKIP_EXCEPT_IN_CI("no networks of nodes: " + why_not);
  }
  const std::string fourth_node = GetParam().ends_with("training-job") ? "node-11" : "";
  if (!fourth_node.empty()) desk().machines().AddNode(fourth_node);
  Type("samples/" + GetParam() + "/README.md");
  if (!fourth_node.empty()) desk().machines().RemoveNode(fourth_node);
}

TEST_F(Page, OfTroubleshootingMatches) { Type("docs/troubleshooting.md"); }

INSTANTIATE_TEST_SUITE_P(All, Sample, testing::ValuesIn(Folders()),
                         [](const testing::TestParamInfo<std::string>& sample) {
                           std::string name = sample.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace berth::integration
