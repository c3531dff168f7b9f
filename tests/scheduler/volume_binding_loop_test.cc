// SPDX-License-Identifier: Apache-2.0
// VolumeBinding from Reserve to the end of the binding, with a scheduler that the test runs step by
// step.
#include <string>

#include "api/volume_annotations.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ObjectOf;
using testing::PodBuilder;
using namespace std::chrono_literals;

class VolumeBindingLoop : public testing::LoopTest {
 protected:
  VolumeBindingLoop() {
    scheduler_.SetProfiles(
        {{"test", testing::TestProfile({clock_, api_, words_}, "test", {&script_},
                                       {"NodeResourcesFit", "VolumeBinding"})}});
    scheduler_.On(api::Added(Node("a").Label("kubernetes.io/hostname", "a").Build()));
    Put<api::StorageClass>(
        "{metadata: {name: local}, provisioner: kubernetes.io/no-provisioner, "
        "volumeBindingMode: WaitForFirstConsumer}");
    Put<api::StorageClass>(
        "{metadata: {name: made}, provisioner: example.com/disks, "
        "volumeBindingMode: WaitForFirstConsumer}");
  }

  template <class T>
  void Put(const std::string& text) {
    Put(*ObjectOf<T>(text));
  }
  template <class T>
  void Put(T object) {
    object.metadata.resource_version = std::to_string(++version_);
    scheduler_.On(api::Added(std::make_shared<const T>(std::move(object))));
  }
  void PutVolume(const std::string& name, const std::string& more = "") {
    Put<PersistentVolume>("{metadata: {name: " + name +
                          "}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], "
                          "storageClassName: local, nodeAffinity: {required: {nodeSelectorTerms: "
                          "[{matchExpressions: [{key: kubernetes.io/hostname, operator: In, "
                          "values: [a]}]}]}}" +
                          more + "}, status: {phase: Available}}");
  }
  void PutClaim(const std::string& name, const std::string& storage_class) {
    Put<PersistentVolumeClaim>(
        "{metadata: {name: " + name +
        ", namespace: default}, spec: {accessModes: "
        "[ReadWriteOnce], storageClassName: " +
        storage_class + ", resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}");
  }
  static PodBuilder PodWith(const std::string& name, const std::string& claim) {
    PodBuilder pod = Pod(name);
    pod.raw().spec.volumes.emplace_back().persistent_volume_claim.Edit().claim_name = claim;
    return pod;
  }
  void AddPod(const PodBuilder& pod) { scheduler_.On(api::Added(pod.Build())); }

  const VolumeStore& store() const { return scheduler_.cache().Volumes(); }
  PersistentVolume Volume(const std::string& name) const {
    return *store().Find<PersistentVolume>(name);
  }
  PersistentVolumeClaim Claim(const std::string& name) const {
    return *store().Find<PersistentVolumeClaim>("default/" + name);
  }

  // Show the object written by the API server, and answer the write.
  void WriteVolume(size_t i) {
    const auto call = api_.volumes.at(i);
    Put(PersistentVolume(*call.assumed));
    call.done({});
  }
  void WriteClaim(size_t i) {
    const auto call = api_.claims.at(i);
    Put(PersistentVolumeClaim(*call.assumed));
    call.done({});
  }
  void MakeBound(const std::string& claim, const std::string& volume) {
    PersistentVolumeClaim bound = Claim(claim);
    bound.spec.volume_name = volume;
    bound.metadata.annotations[std::string(api::kBindCompleted)] = "yes";
    Put(std::move(bound));
  }
  // Returns the notes of FailedScheduling events.
  std::vector<std::string> Failures() const {
    std::vector<std::string> failures;
    for (const auto& [pod, event] : api_.events) {
      if (event.reason == "FailedScheduling") failures.push_back(event.note);
    }
    return failures;
  }
  void ExpectNothingAssumed() const {
    EXPECT_EQ(store().Assumed<PersistentVolume>().size(), 0u);
    EXPECT_EQ(store().Assumed<PersistentVolumeClaim>().size(), 0u);
    ExpectAtRest();
  }

  int64_t version_ = 0;
};

TEST_F(VolumeBindingLoop, BindsAPodWhenItsClaimIsBound) {
  PutVolume("v");
  PutClaim("c", "local");
  AddPod(PodWith("p", "c"));
  Run();

  ASSERT_EQ(api_.volumes.size(), 1u);
  const PersistentVolume& assumed = *api_.volumes.front().assumed;
  EXPECT_EQ(assumed.spec.claim_ref->uid, Claim("c").metadata.uid);
  EXPECT_EQ(assumed.metadata.annotations.at(std::string(api::kBoundByController)), "yes");
  EXPECT_THAT(Bound(), IsEmpty());

  WriteVolume(0);
  EXPECT_THAT(Bound(), IsEmpty());
  MakeBound("c", "v");
  EXPECT_THAT(Bound(), ElementsAre("p to a"));
  Answer(0);
  ExpectNothingAssumed();
}

TEST_F(VolumeBindingLoop, WaitsForTheResponseAndTheEvent) {
  PutVolume("v");
  PutClaim("c", "local");
  AddPod(PodWith("p", "c"));
  Run();
  // The PV controller was faster than the response, and the claim arrives before the volume.
  MakeBound("c", "v");
  EXPECT_THAT(Bound(), IsEmpty());
  api_.volumes.front().done({});
  EXPECT_THAT(Bound(), IsEmpty());
  Put(PersistentVolume(*api_.volumes.front().assumed));
  EXPECT_THAT(Bound(), ElementsAre("p to a"));
}

TEST_F(VolumeBindingLoop, DoesNotGiveOneVolumeToTwoClaims) {
  PutVolume("v");
  PutClaim("c", "local");
  PutClaim("d", "local");
  AddPod(PodWith("p", "c"));
  AddPod(PodWith("q", "d"));
  Run();
  EXPECT_EQ(api_.volumes.size(), 1u);
  EXPECT_THAT(Failures(), ElementsAre(HasSubstr("find available persistent volumes to bind")));
}

TEST_F(VolumeBindingLoop, WaitsForProvisionedVolumes) {
  PutClaim("c", "made");
  AddPod(PodWith("p", "c"));
  Run();
  ASSERT_EQ(api_.claims.size(), 1u);
  EXPECT_EQ(*api::SelectedNodeOf(*api_.claims.front().assumed), "a");
  WriteClaim(0);
  EXPECT_THAT(Bound(), IsEmpty());
  MakeBound("c", "new");  // before the volume is seen
  EXPECT_THAT(Bound(), IsEmpty());
  Put<PersistentVolume>("{metadata: {name: new}, spec: {storageClassName: made}}");
  EXPECT_THAT(Bound(), ElementsAre("p to a"));
  Answer(0);
  ExpectNothingAssumed();
}

class VolumeFailure : public VolumeBindingLoop {
 protected:
  // StartStatic and StartMade run until the pod waits for the controllers.
  void StartStatic() {
    PutVolume("v");
    PutClaim("c", "local");
    AddPod(PodWith("p", "c"));
    Run();
    WriteVolume(0);
  }
  void StartMade() {
    PutClaim("c", "made");
    AddPod(PodWith("p", "c"));
    Run();
    WriteClaim(0);
  }
  void ExpectFailure(const std::string& text) {
    EXPECT_THAT(Failures(), ElementsAre("running PreBind plugin \"VolumeBinding\": " + text));
    EXPECT_THAT(Bound(), IsEmpty());
    EXPECT_FALSE(scheduler_.cache().IsAssumed("uid-p"));
    EXPECT_NE(Where("p"), "nowhere");
    ExpectNothingAssumed();
    EXPECT_EQ(scheduler_.NextWakeUp().has_value(), true);  // the backoff
  }
};

TEST_F(VolumeFailure, ClaimIsDeleted) {
  StartStatic();
  scheduler_.On(api::Deleted<PersistentVolumeClaim>("default/c"));
  ExpectFailure(
      "binding volumes: failed to check binding: persistentvolumeclaims \"default/c\" not found");
}

TEST_F(VolumeFailure, ClaimIsRecreated) {
  StartStatic();
  PersistentVolumeClaim other = Claim("c");
  other.metadata.uid = "another";
  Put(std::move(other));
  ExpectFailure(
      "binding volumes: failed to check binding: persistentvolumeclaims \"default/c\" not found");
}

TEST_F(VolumeFailure, ClaimIsBoundElsewhere) {
  StartStatic();
  MakeBound("c", "w");
  ExpectFailure("binding volumes: PVC \"default/c\" was bound to pv \"w\" instead of pv \"v\"");
}

TEST_F(VolumeFailure, VolumeIsDeleted) {
  StartStatic();
  scheduler_.On(api::Deleted<PersistentVolume>("v"));
  ExpectFailure("binding volumes: failed to check binding: persistentvolumes \"v\" not found");
}

TEST_F(VolumeFailure, VolumeIsUnbound) {
  StartStatic();
  PersistentVolume volume = Volume("v");
  volume.spec.claim_ref.reset();
  Put(std::move(volume));
  ExpectFailure("binding volumes: ClaimRef got reset for pv \"v\"");
}

TEST_F(VolumeFailure, NodeCanNoLongerReachTheVolume) {
  StartStatic();
  auto moved = Node("a").Label("kubernetes.io/hostname", "b");
  scheduler_.On(api::Modified(Node("a").Build(), moved.Build()));
  ExpectFailure(
      "binding volumes: pv \"v\" node affinity doesn't match node \"a\": no matching "
      "NodeSelectorTerms");
}

TEST_F(VolumeFailure, NodeIsDeleted) {
  StartStatic();
  scheduler_.On(api::Deleted(Node("a").Build()));
  ExpectFailure("binding volumes: failed to get node \"a\": node \"a\" not found");
}

TEST_F(VolumeFailure, ProvisionerRemovesTheSelectedNode) {
  StartMade();
  PersistentVolumeClaim claim = Claim("c");
  claim.metadata.annotations = {{"other", "one"}};
  Put(std::move(claim));
  ExpectFailure("binding volumes: provisioning failed for PVC \"c\"");
}

TEST_F(VolumeFailure, AnnotationsAreReset) {
  StartMade();
  PersistentVolumeClaim claim = Claim("c");
  claim.metadata.annotations.clear();
  Put(std::move(claim));
  ExpectFailure("binding volumes: selectedNode annotation reset for PVC \"c\"");
}

TEST_F(VolumeFailure, ClaimIsDeletedDuringProvisioning) {
  StartMade();
  scheduler_.On(api::Deleted<PersistentVolumeClaim>("default/c"));
  ExpectFailure(
      "binding volumes: failed to check provisioning pvc: persistentvolumeclaims \"default/c\" not "
      "found");
}

TEST_F(VolumeFailure, TimeoutExpires) {
  StartMade();
  Pass(599s);
  EXPECT_THAT(Failures(), IsEmpty());
  Pass(1s);
  ExpectFailure("binding volumes: context deadline exceeded");
}

TEST_F(VolumeFailure, WriteIsRejected) {
  PutVolume("v");
  PutClaim("c", "local");
  AddPod(PodWith("p", "c"));
  Run();
  api_.volumes.front().done(Fail(Reason::kConflict, "the object has been modified"));
  ExpectFailure("the object has been modified");
}

TEST_F(VolumeFailure, PodIsDeleted) {
  StartMade();
  scheduler_.On(api::Deleted(PodWith("p", "c").Build()));
  EXPECT_THAT(Bound(), IsEmpty());
  EXPECT_EQ(Where("p"), "nowhere");
  ExpectNothingAssumed();
  EXPECT_EQ(Cpu("a"), 0);
}

TEST_F(VolumeFailure, PodIsPreempted) {
  StartMade();
  EXPECT_TRUE(scheduler_.bindings().CancelPreBind("uid-p", "preempted by x"));
  ExpectFailure("preempted by x");
}

TEST_F(VolumeFailure, PodIsPreemptedDuringAWrite) {
  PutVolume("v");
  PutClaim("c", "local");
  AddPod(PodWith("p", "c"));
  Run();
  EXPECT_TRUE(scheduler_.bindings().CancelPreBind("uid-p", "preempted by x"));
  EXPECT_THAT(Failures(), IsEmpty());  // the result of the write must be known first
  WriteVolume(0);
  ExpectFailure("preempted by x");
}

TEST_F(VolumeBindingLoop, KeepsWrittenObjectsAssumedUntilTheyAreSeen) {
  PutVolume("v");
  PutClaim("c", "local");
  AddPod(PodWith("p", "c"));
  Run();
  api_.volumes.front().done({});
  scheduler_.On(api::Deleted<PersistentVolumeClaim>("default/c"));
  // The pod failed, and the stored volume does not show the write yet: it is not free.
  EXPECT_EQ(store().Assumed<PersistentVolume>().size(), 1u);
  PutClaim("d", "local");
  AddPod(PodWith("q", "d"));
  Run();
  EXPECT_EQ(api_.volumes.size(), 1u);
  Put(PersistentVolume(*api_.volumes.front().assumed));
  EXPECT_EQ(store().Assumed<PersistentVolume>().size(), 0u);
}

TEST_F(VolumeBindingLoop, ThousandWaitingPodsCostNothing) {
  scheduler_.On(api::Added(Node("large", "cpu=2000,pods=2000").Build()));
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    PutClaim("c" + number, "made");
    AddPod(PodWith("p" + number, "c" + number));
  }
  Run();
  for (size_t i = 0; i < api_.claims.size(); ++i) WriteClaim(i);
  ASSERT_EQ(scheduler_.BindingsInFlight(), 1000u);
  // Nothing is due before the deadline, and an event of one claim only affects one pod.
  Run();
  EXPECT_GT(*scheduler_.NextWakeUp() - clock_.Now(), 500s);
  Put<PersistentVolume>("{metadata: {name: v7}}");
  MakeBound("c7", "v7");
  EXPECT_THAT(Bound(), ElementsAre(HasSubstr("p7 to ")));
}

}  // namespace
}  // namespace berth::scheduler
