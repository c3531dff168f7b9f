// SPDX-License-Identifier: Apache-2.0
// Claims with WaitForFirstConsumer: the scheduler chooses node and volume, the controllers of a
// real kube-controller-manager bind or provision.
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

Json StorageClass(const std::string& name, const std::string& provisioner) {
  return {{"apiVersion", "storage.k8s.io/v1"},
          {"kind", "StorageClass"},
          {"metadata", {{"name", name}}},
          {"provisioner", provisioner},
          {"volumeBindingMode", "WaitForFirstConsumer"}};
}

// Returns a local volume: a directory of one node.
Json LocalVolume(const std::string& name, const std::string& of_class, const std::string& node,
                 const std::string& size) {
  const Json host = {
      {"key", "kubernetes.io/hostname"}, {"operator", "In"}, {"values", Json::array({node})}};
  const Json term = {{"matchExpressions", Json::array({host})}};
  return {{"apiVersion", "v1"},
          {"kind", "PersistentVolume"},
          {"metadata", {{"name", name}}},
          {"spec",
           {{"storageClassName", of_class},
            {"capacity", {{"storage", size}}},
            {"accessModes", {"ReadWriteOnce"}},
            {"local", {{"path", "/volumes/" + name}}},
            {"nodeAffinity", {{"required", {{"nodeSelectorTerms", Json::array({term})}}}}}}}};
}

Json Uses(const std::string& claim) {
  const Json source = {{"name", "data"}, {"persistentVolumeClaim", {{"claimName", claim}}}};
  return {{"volumes", Json::array({source})}};
}

class Volumes : public ProfileTest {
 protected:
  void SetUp() override {
    if (!cluster_.control_plane().IsReal()) {
      GTEST_SKIP() << "needs kube-controller-manager to bind volumes";
    }
  }

  // Claims can only be deleted after their pods.
  void TearDown() override {
    ProfileTest::TearDown();
    for (const auto& [kind, name, ns] : made_) cluster_.Delete(kind, name, ns);
  }

  void Create(const std::string& kind, const Json& object, const std::string& ns = {}) {
    made_.push_back({kind, object["metadata"]["name"], ns});
    cluster_.Create(kind, ns, object);
  }

  void AddClaim(const std::string& name, const std::string& of_class, const std::string& size) {
    Create("persistentvolumeclaim",
           {{"apiVersion", "v1"},
            {"kind", "PersistentVolumeClaim"},
            {"metadata", {{"name", name}}},
            {"spec",
             {{"storageClassName", of_class},
              {"accessModes", {"ReadWriteOnce"}},
              {"resources", {{"requests", {{"storage", size}}}}}}}},
           "default");
  }

  // The controller updates the volume shortly after the claim.
  testing::AssertionResult EventuallyAvailable(const std::string& volume) {
    return Eventually("volume " + volume, seconds(30), [&]() -> std::string {
      const Json found = cluster_.Get("persistentvolume", volume);
      return TextAt(found, "/status/phase") == "Available" ? "" : found.dump();
    });
  }

  Json Claim(const std::string& name) {
    return cluster_.Get("persistentvolumeclaim", name, "default");
  }

  // Binding takes a second or two, provisioning takes longer.
  testing::AssertionResult EventuallyOn(const std::string& pod, const std::string& node) {
    return Eventually("pod " + pod + " on " + node, seconds(60), [&]() -> std::string {
      const Json found = cluster_.Get("pod", pod, "default");
      return TextAt(found, "/spec/nodeName") == node ? "" : found.dump();
    });
  }

 private:
  struct Made {
    std::string kind, name, ns;
  };
  std::vector<Made> made_;
};

TEST_F(Volumes, BindsALocalVolumeOfTheChosenNode) {
  CreateProfile("local");
  AddNode("local-1", "16");
  AddNode("local-2", "4");
  Create("storageclass", StorageClass("local", "kubernetes.io/no-provisioner"));
  Create("persistentvolume", LocalVolume("local-small", "local", "local-1", "1Gi"));
  Create("persistentvolume", LocalVolume("local-large", "local", "local-2", "9Gi"));
  Create("persistentvolume", LocalVolume("local-right", "local", "local-2", "5Gi"));
  for (const char* volume : {"local-small", "local-large", "local-right"}) {
    ASSERT_TRUE(EventuallyAvailable(volume));
  }
  AddClaim("local-data", "local", "2Gi");
  AddPod("local-pod", "local", "1", Uses("local-data"));
  const SchedulerProcess scheduler(cluster_, "local");
  EXPECT_TRUE(EventuallyOn("local-pod", "local-2")) << scheduler.Output();
  const Json claim = Claim("local-data");
  EXPECT_EQ(TextAt(claim, "/spec/volumeName"), "local-right");
  EXPECT_EQ(TextAt(claim, "/status/phase"), "Bound");
  const Json volume = cluster_.Get("persistentvolume", "local-right");
  EXPECT_EQ(At(volume, "/spec/claimRef/uid"), At(claim, "/metadata/uid"));
  EXPECT_EQ(TextAt(volume, "/status/phase"), "Bound");
}

TEST_F(Volumes, SecondPodWaitsForAnotherVolume) {
  CreateProfile("rivals");
  AddNode("rivals-1", "16");
  Create("storageclass", StorageClass("rivals", "kubernetes.io/no-provisioner"));
  Create("persistentvolume", LocalVolume("rivals-one", "rivals", "rivals-1", "1Gi"));
  ASSERT_TRUE(EventuallyAvailable("rivals-one"));
  for (const char* name : {"rivals-a", "rivals-b"}) {
    AddClaim(name, "rivals", "1Gi");
    AddPod(name, "rivals", "1", Uses(name));
  }
  const SchedulerProcess scheduler(cluster_, "rivals");
  std::string bound, waits;
  EXPECT_TRUE(Eventually("one pod bound", seconds(60), [&]() -> std::string {
    const bool is_a = !cluster_.NodeOf("rivals-a").empty();
    if (is_a == !cluster_.NodeOf("rivals-b").empty()) return "none, or both";
    bound = is_a ? "rivals-a" : "rivals-b";
    waits = is_a ? "rivals-b" : "rivals-a";
    return "";
  })) << scheduler.Output();
  EXPECT_EQ(TextAt(Claim(bound), "/spec/volumeName"), "rivals-one");
  EXPECT_TRUE(EventuallyRejected(waits,
                                 "0/1 nodes are available: 1 node(s) didn't find available "
                                 "persistent volumes to bind."));
  Create("persistentvolume", LocalVolume("rivals-two", "rivals", "rivals-1", "1Gi"));
  EXPECT_TRUE(EventuallyOn(waits, "rivals-1")) << scheduler.Output();
  EXPECT_EQ(TextAt(Claim(waits), "/spec/volumeName"), "rivals-two");
}

TEST_F(Volumes, ProvisionsAVolumeForTheChosenNode) {
  CreateProfile("provisioned");
  AddNode("provisioned-1", "1");
  AddNode("provisioned-2", "4");
  Create("storageclass", StorageClass("provisioned", "kubernetes.io/host-path"));
  AddClaim("provisioned-data", "provisioned", "1Gi");
  AddPod("provisioned-pod", "provisioned", "2", Uses("provisioned-data"));
  const SchedulerProcess scheduler(cluster_, "provisioned");
  EXPECT_TRUE(EventuallyOn("provisioned-pod", "provisioned-2")) << scheduler.Output();
  const Json claim = Claim("provisioned-data");
  EXPECT_EQ(At(claim, "/metadata/annotations/volume.kubernetes.io~1selected-node"),
            "provisioned-2");
  EXPECT_EQ(TextAt(claim, "/status/phase"), "Bound");
  const Json volume = cluster_.Get("persistentvolume", TextAt(claim, "/spec/volumeName"));
  EXPECT_EQ(At(volume, "/spec/claimRef/uid"), At(claim, "/metadata/uid"));
  EXPECT_FALSE(TextAt(volume, "/spec/hostPath/path").empty());
}

}  // namespace
}  // namespace berth::integration
