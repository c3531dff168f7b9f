// SPDX-License-Identifier: Apache-2.0
// Pods with volumes of WaitForFirstConsumer: the next pod reads the files that the first one wrote.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/pod_stream.h"

namespace berth::e2e {
namespace {

class Volumes : public ClusterTest {
 protected:
  // Deletes the test's cluster-scoped objects once they are unused.
  void TearDown() override {
    ClusterTest::TearDown();
    cluster_.Delete("persistentvolume", ns_);
    cluster_.Delete("storageclass", ns_);
  }

  // Returns the last node, because a scheduler that ignores volumes starts with another one.
  std::string LastNode() {
    std::vector<std::string> names;
    for (const Json& node : cluster_.List("node", "")) {
      const bool is_ready = Condition(node, "Ready").value("status", "") == "True";
      if (is_ready && At(node, "/spec/taints").is_null()) {
        names.push_back(TextAt(node, "/metadata/name"));
      }
    }
    EXPECT_FALSE(names.empty());
    return names.empty() ? "" : *std::ranges::max_element(names);
  }

  // A path on a node's file system that is lost with its machine.
  std::string Directory() const { return "/run/berth-e2e/" + ns_; }

  // Creates the directory on the node, with a pod that has a node name and needs no scheduler.
  void MakeDirectory(const std::string& node) {
    const Json source = {{"hostPath", {{"path", Directory()}, {"type", "DirectoryOrCreate"}}}};
    RunScript("makes-directory", "nobody", source, "true", {{"nodeName", node}});
  }

  void CreateLocalVolume(const std::string& node) {
    cluster_.Create("storageclass", "",
                    {{"apiVersion", "storage.k8s.io/v1"},
                     {"kind", "StorageClass"},
                     {"metadata", {{"name", ns_}}},
                     {"provisioner", "kubernetes.io/no-provisioner"},
                     {"volumeBindingMode", "WaitForFirstConsumer"}});
    const Json host = At(cluster_.Get("node", node), "/metadata/labels/kubernetes.io~1hostname");
    const Json here = {
        {"key", "kubernetes.io/hostname"}, {"operator", "In"}, {"values", Json::array({host})}};
    const Json term = {{"matchExpressions", Json::array({here})}};
    cluster_.Create(
        "persistentvolume", "",
        {{"apiVersion", "v1"},
         {"kind", "PersistentVolume"},
         {"metadata", {{"name", ns_}}},
         {"spec",
          {{"storageClassName", ns_},
           {"capacity", {{"storage", "1Gi"}}},
           {"accessModes", {"ReadWriteOnce"}},
           {"local", {{"path", Directory()}}},
           {"nodeAffinity", {{"required", {{"nodeSelectorTerms", Json::array({term})}}}}}}}});
  }

  void CreateClaim(const std::string& name) {
    cluster_.Create("persistentvolumeclaim", ns_,
                    {{"apiVersion", "v1"},
                     {"kind", "PersistentVolumeClaim"},
                     {"metadata", {{"name", name}}},
                     {"spec",
                      {{"storageClassName", ns_},
                       {"accessModes", {"ReadWriteOnce"}},
                       {"resources", {{"requests", {{"storage", "1Gi"}}}}}}}});
  }
};

TEST_F(Volumes, NextPodReadsTheLocalVolumeOfTheFirst) {
  NEEDS_TOOLS();
  CreateProfile("volumes");
  ASSERT_TRUE(EventuallyReady("volumes"));
  const std::string node = LastNode();
  MakeDirectory(node);
  CreateLocalVolume(node);
  CreateClaim("data");
  const Json claim = {{"persistentVolumeClaim", {{"claimName", "data"}}}};
  EXPECT_EQ(RunScript("writes", "volumes", claim, "echo by writes >/data/file; cat /data/file"),
            "by writes\n");
  EXPECT_EQ(RunScript("reads", "volumes", claim, "cat /data/file; rm /data/file"), "by writes\n");
  for (const char* pod : {"writes", "reads"}) {
    EXPECT_EQ(TextAt(cluster_.Get("pod", pod, ns_), "/spec/nodeName"), node) << pod;
  }
  const Json bound = cluster_.Get("persistentvolumeclaim", "data", ns_);
  EXPECT_EQ(TextAt(bound, "/spec/volumeName"), ns_);
  EXPECT_EQ(TextAt(bound, "/status/phase"), "Bound");
}

}  // namespace
}  // namespace berth::e2e
