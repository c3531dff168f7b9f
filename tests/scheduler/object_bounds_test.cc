// SPDX-License-Identifier: Apache-2.0
// No object costs the scheduler more than a constant times its own size, and a deleted object leaves
// nothing behind. For each list and map that a user fills, a large object is added to a cluster,
// scheduled if it is a pod, and deleted; and so are many objects with other contents.
//
// With BERTH_FULL_TESTS=1 the large objects have the most bytes that the API server accepts, 1.4 MB.
// Otherwise they have an eighth of it, and there are 40 of the smaller ones, because the whole file
// must end within a minute on a developer's machine. Neither number decides what is found: memory is
// compared with the size of the object, and work that grows with the square of a list is found by
// doubling the list.
//
// The work of turns is counted, so that its bound does not depend on the machine: allocations and
// comparisons of texts. A turn has no more work than all turns together.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/core.h"
#include "api/pod_group.h"
#include "api/storage.h"
#include "base/check.h"
#include "base/fake_clock.h"
#include "scheduler/plugins/registry.h"
#include "scheduler/scheduler.h"

namespace {

// The memory that operator new has allocated, in bytes.
std::atomic<size_t> allocated = 0, peak = 0;
// The number of allocations and of comparisons of texts.
std::atomic<size_t> work = 0;

}  // namespace

extern "C" int memcmp(const void* a, const void* b, size_t size) noexcept {
  ++work;
  const auto* const first = static_cast<const unsigned char*>(a);
  const auto* const second = static_cast<const unsigned char*>(b);
  for (size_t i = 0; i < size; ++i) {
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  }
  return 0;
}

void* operator new(size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  ++work;
  const size_t now = allocated += malloc_usable_size(memory);
  if (now > peak) peak = now;
  return memory;
}
void operator delete(void* memory) noexcept {
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

namespace berth::scheduler {
namespace {

constexpr size_t kManyObjects = 40;
constexpr size_t kNodes = 500;

// etcd accepts requests of 1.5 MiB, and an object is stored with its managed fields.
constexpr size_t kMostBytes = 1'400'000;

// Returns the bytes of a large object.
size_t LargeBytes() {
  static const bool is_full = std::getenv("BERTH_FULL_TESTS") != nullptr;
  return is_full ? kMostBytes : kMostBytes / 8;
}

// The bounds: the memory for objects of a size, and the part of it that caches, pools of texts and
// reasons may keep.
constexpr size_t kMostTimesItsSize = 24;
constexpr size_t kMostKept = size_t{24} << 20;
// Work that grows with the size, or with its logarithm as well, less than trebles when it doubles.
// Below this amount of work, the cluster's own part decides.
constexpr double kMostGrowth = 2.6;
constexpr size_t kSmallWork = 200'000;

// InstantApi completes every call successfully before it returns, and keeps nothing.
class InstantApi final : public ApiPort {
 public:
  void Bind(const PodRef&, const std::string&, Done done) override { done({}); }
  void PatchPodStatus(const PodRef&, PodStatusPatch, Done done) override { done({}); }
  void MarkVictim(const PodRef&, api::PodCondition, Done done) override { done({}); }
  void DeletePod(const PodRef&, Done done) override { done({}); }
  void EvictPod(const PodRef&, Done done) override { done({}); }
  void ReadPod(const PodRef&, PodDone done) override { done(Fail(Reason::kNotFound, "none")); }
  void BindVolume(const api::PersistentVolume&, Done done) override { done({}); }
  void SelectNode(const api::PersistentVolumeClaim&, Done done) override { done({}); }
  void PatchGroupCondition(const api::ObjectReference&, api::Condition, Done done) override {
    done({});
  }
  void RecordEvent(const api::ObjectReference&, ObjectEvent) override {}
};

template <class T>
std::shared_ptr<const T> Decoded(const std::string& text) {
  auto object = json::Decode<T>(text);
  BERTH_CHECK(object.has_value(), object.error().message());
  return std::make_shared<const T>(std::move(*object));
}

// BoundsCluster is a scheduler with the default profile and Coscheduling, and nodes with a few pods.
class BoundsCluster {
 public:
  BoundsCluster() {
    api::KubeSchedulerProfile spec;
    spec.plugins.multi_point.disabled = {{"PrioritySort"}};
    spec.plugins.multi_point.enabled = {{"Coscheduling"}};
    auto profile = Profile::Create(spec, 100, MakeRegistry(), {clock_, api_, words_});
    BERTH_CHECK(profile.has_value(), profile.error().message());
    scheduler_.SetProfiles({{"default-scheduler", *profile}});
    scheduler_.SetResultCacheBytes(1 << 20);
    for (size_t i = 0; i < kNodes; ++i) Add<api::Node>(NodeText(i, ""));
    for (size_t i = 0; i < 5 * kNodes; ++i) Add<api::Pod>(PodText(i, "", "", NodeName(i % kNodes)));
  }

  template <class T>
  void Add(const std::string& text) {
    scheduler_.On(api::Added(Decoded<T>(text)));
  }
  Scheduler& scheduler() { return scheduler_; }
  void Run() {
    while (scheduler_.ScheduleOne()) continue;
    clock_.Advance(std::chrono::seconds(1));
    scheduler_.Tick();
  }

  static std::string NodeName(size_t i) { return "node-" + std::to_string(i); }
  static std::string NodeText(size_t i, const std::string& more) {
    const std::string name = NodeName(i);
    return R"({"metadata":{"name":")" + name + R"(","uid":"uid-)" + name +
           R"(","labels":{"kubernetes.io/hostname":")" + name + R"("}},"status":{"allocatable":)" +
           R"({"cpu":"64","memory":"256Gi","pods":"110"}})" + more + "}";
  }
  static std::string PodText(size_t i, const std::string& metadata, const std::string& spec,
                             const std::string& node, const std::string& status = "") {
    const std::string name = "pod-" + std::to_string(i);
    return R"({"metadata":{"name":")" + name + R"(","namespace":"default","uid":"uid-)" + name +
           R"(")" + metadata + R"(},"spec":{"schedulerName":"default-scheduler","nodeName":")" +
           node + R"(")" + spec + R"(},"status":{)" + status + "}}";
  }

 private:
  Vocabulary words_;
  FakeClock clock_;
  InstantApi api_;
  SchedulerObserver observer_;
  Scheduler scheduler_{clock_, api_, words_, observer_};
};

// Kind is a list or map that users fill. An object is `head` + entries + `tail`. In all three, $s is
// replaced with the serial number of the object, in an entry $i with its index. A pod may also have a
// list in its status, with as many entries.
struct Kind {
  const char* name;
  enum Of { kPod, kPlacedPod, kNode, kNamespace, kClaim, kPodGroup } of;
  const char* head;
  const char* entry;
  const char* tail;
  const char* status_head = "";
  const char* status_entry = "";
  const char* status_tail = "";
};

std::string Filled(std::string_view text, size_t serial, size_t index) {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      filled += text[i];
      continue;
    }
    filled += std::to_string(text[++i] == 's' ? serial : index);
  }
  return filled;
}

std::string ListText(std::string_view head, std::string_view entry, std::string_view tail,
                     size_t serial, size_t count) {
  if (entry.empty()) return "";
  std::string text = Filled(head, serial, 0);
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    text += Filled(entry, serial, i);
  }
  return text + Filled(tail, serial, 0);
}

std::string TextOf(const Kind& kind, size_t serial, size_t bytes) {
  size_t count = 0;
  for (size_t size = 0; size < bytes; ++count) {
    size += Filled(kind.entry, serial, count).size() + 1;
    size += Filled(kind.status_entry, serial, count).size();
  }
  const std::string more = ListText(kind.head, kind.entry, kind.tail, serial, count);
  const std::string id = std::to_string(serial);
  switch (kind.of) {
    case Kind::kPod:
    case Kind::kPlacedPod: {
      const bool is_placed = kind.of == Kind::kPlacedPod;
      const bool in_metadata = more.starts_with(R"(,"labels)") || more.starts_with(R"(,"annot)");
      return BoundsCluster::PodText(
          1'000'000 + serial, in_metadata ? more : "", in_metadata ? "" : more,
          is_placed ? BoundsCluster::NodeName(serial % kNodes) : "",
          ListText(kind.status_head, kind.status_entry, kind.status_tail, serial, count));
    }
    case Kind::kNode:
      return R"({"metadata":{"name":"big-)" + id + R"(","uid":"uid-big-)" + id + R"(")" + more +
             "}";
    case Kind::kNamespace:
    case Kind::kClaim:
    case Kind::kPodGroup:
      return R"({"metadata":{"name":"big-)" + id + R"(","namespace":"default","uid":"uid-big-)" +
             id + R"(")" + more + "}";
  }
  return "";
}

class UserFilledObject : public ::testing::TestWithParam<Kind> {
 protected:
  static void SetUpTestSuite() {
    if (LargeBytes() == kMostBytes) return;
    std::printf(
        "left out: objects of %zu bytes, the largest possible ones; these tests have %zu; "
        "BERTH_FULL_TESTS=1 runs all\n",
        kMostBytes, LargeBytes());
  }
  static double Seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }

  struct Cost {
    size_t text = 0;         // bytes of the objects as JSON
    size_t peak = 0;         // the most memory that the scheduler uses for them
    size_t left = 0;         // after their deletion
    size_t left_in_all = 0;  // by this and the previous objects, without counts: they have a limit
    double seconds = 0;      // of all turns, without decoding
    size_t work = 0;         // of all turns, without decoding
  };

  template <class T>
  Cost Measure(const std::vector<std::string>& texts) {
    Cost cost;
    std::vector<std::shared_ptr<const T>> objects;
    const size_t empty = allocated.load();
    objects.reserve(texts.size());
    for (const std::string& text : texts) {
      objects.push_back(Decoded<T>(text));
      cost.text += text.size();
    }
    const size_t before = allocated.load();
    peak = before;
    const double began = Seconds();
    const size_t done = work.load();
    for (const auto& object : objects) {
      cluster_.scheduler().On(api::Added(object));
      cluster_.Run();
    }
    cost.peak = peak - before;
    for (const auto& object : objects) Delete(object);
    cluster_.Run();
    cost.seconds = Seconds() - began;
    cost.work = work - done;
    objects.clear();
    cost.left = allocated - std::min(empty, allocated.load());
    cost.left_in_all = allocated - cluster_.scheduler().cache().Pods().bytes();
    return cost;
  }
  template <class T>
  void Delete(const std::shared_ptr<const T>& object) {
    if constexpr (std::is_same_v<T, api::Node>) {
      cluster_.scheduler().On(api::Deleted(object));
    } else {
      cluster_.scheduler().On(api::Deleted<T>(object->metadata.uid));
    }
  }
  Cost Measure(size_t first, size_t count, size_t bytes) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) texts.push_back(TextOf(GetParam(), first + i, bytes));
    switch (GetParam().of) {
      case Kind::kPod:
      case Kind::kPlacedPod:
        return Measure<api::Pod>(texts);
      case Kind::kNode:
        return Measure<api::Node>(texts);
      case Kind::kNamespace:
        return Measure<api::Namespace>(texts);
      case Kind::kClaim:
        return Measure<api::PersistentVolumeClaim>(texts);
      case Kind::kPodGroup:
        return Measure<api::PodGroup>(texts);
    }
    return {};
  }

  BoundsCluster cluster_;
};

TEST_P(UserFilledObject, CostsAConstantTimesItsSize) {
  const Cost small = Measure(0, kManyObjects, LargeBytes() / kManyObjects);
  const Cost one = Measure(1'000, 1, LargeBytes());
  const Cost many = Measure(2'000, kManyObjects, LargeBytes() / 20);
  const Cost again = Measure(3'000, kManyObjects, LargeBytes() / 20);
  for (const Cost& cost : {small, one, many, again}) {
    EXPECT_LE(cost.peak, kMostTimesItsSize * cost.text + kMostKept);
    EXPECT_LE(cost.left, kMostKept);
  }
  EXPECT_LE(again.left_in_all, many.left_in_all + kMostKept / 4) << "each round leaves more memory";
  // The same number of entries in one object and in many. A time that grows with the square of the
  // object's size would differ by their number.
  EXPECT_LE(one.seconds, kManyObjects / 4.0 * (small.seconds + 0.002));
}

// Two objects of each size: what one does is compared with what the other has.
TEST_P(UserFilledObject, TakesWorkInProportionToItsSize) {
  const Cost half = Measure(4'000, 2, LargeBytes() / 2);
  const Cost whole = Measure(5'000, 2, LargeBytes());
  EXPECT_LE(static_cast<double>(whole.work),
            kMostGrowth * static_cast<double>(half.work) + kSmallWork);
  RecordProperty("work", std::to_string(whole.work));
}

constexpr Kind kKinds[] = {
    {"PodExtendedResources", Kind::kPod, R"(,"containers":[{"name":"c","resources":{"requests":{)",
     R"("example.com/r$s-$i":"1")", "}}}]"},
    {"PlacedPodExtendedResources", Kind::kPlacedPod,
     R"(,"containers":[{"name":"c","resources":{"requests":{)", R"("example.com/r$s-$i":"1")",
     "}}}]"},
    {"PodLabels", Kind::kPod, R"(,"labels":{)", R"("key-$s-$i":"value-$i")", "}"},
    {"PlacedPodLabels", Kind::kPlacedPod, R"(,"labels":{)", R"("key-$s-$i":"value-$i")", "}"},
    {"PodAnnotations", Kind::kPod, R"(,"annotations":{)", R"("key-$s-$i":"value-$i")", "}"},
    {"PodTolerations", Kind::kPod, R"(,"tolerations":[)",
     R"({"key":"key-$s-$i","operator":"Exists"})", "]"},
    {"PodNodeSelector", Kind::kPod, R"(,"nodeSelector":{)", R"("key-$s-$i":"value")", "}"},
    {"PodNodeAffinityTerms", Kind::kPod,
     R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)",
     R"({"matchExpressions":[{"key":"key-$s-$i","operator":"In","values":["v"]}]})", "]}}}"},
    {"PodNodeAffinityValues", Kind::kPod,
     R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"k","operator":"NotIn","values":[)",
     R"("value-$s-$i")", "]}]}]}}}"},
    {"PodPreferredNodeTerms", Kind::kPod,
     R"(,"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"weight":1,"preference":{"matchExpressions":[{"key":"key-$s-$i","operator":"Exists"}]}})",
     "]}}"},
    {"PodAntiAffinityTerms", Kind::kPod,
     R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"labelSelector":{"matchLabels":{"app":"app-$s-$i"}},"topologyKey":"kubernetes.io/hostname"})",
     "]}}"},
    {"PodAntiAffinityExclusions", Kind::kPod,
     R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["app-$s-$i"]}]},"topologyKey":"kubernetes.io/hostname"})",
     "]}}"},
    {"PodAffinityTerms", Kind::kPod,
     R"(,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["app-$s-$i"]}]},"topologyKey":"kubernetes.io/hostname"})",
     "]}}"},
    {"PodPreferredAffinityTerms", Kind::kPod,
     R"(,"affinity":{"podAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"weight":1,"podAffinityTerm":{"labelSelector":{"matchLabels":{"app":"app-$s-$i"}},"topologyKey":"kubernetes.io/hostname"}})",
     "]}}"},
    {"PlacedPodAntiAffinityTerms", Kind::kPlacedPod,
     R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"labelSelector":{"matchExpressions":[{"key":"app","operator":"NotIn","values":["app-$s-$i"]}]},"topologyKey":"kubernetes.io/hostname"})",
     "]}}"},
    {"PodTopologyKeys", Kind::kPod,
     R"(,"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"weight":1,"podAffinityTerm":{"labelSelector":{"matchLabels":{"app":"a"}},"topologyKey":"key-$s-$i"}})",
     "]}}"},
    {"PlacedPodTopologyKeys", Kind::kPlacedPod,
     R"(,"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[)",
     R"({"weight":1,"podAffinityTerm":{"labelSelector":{"matchLabels":{"app":"a"}},"topologyKey":"key-$s-$i"}})",
     "]}}"},
    {"PodSpreadConstraints", Kind::kPod, R"(,"topologySpreadConstraints":[)",
     R"({"maxSkew":1,"topologyKey":"key-$s-$i","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"a-$i"}}})",
     "]"},
    {"PodVolumes", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","persistentVolumeClaim":{"claimName":"claim-$s-$i"}})", "]"},
    {"PlacedPodVolumes", Kind::kPlacedPod, R"(,"volumes":[)",
     R"({"name":"v-$i","persistentVolumeClaim":{"claimName":"claim-$s-$i"}})", "]"},
    {"PodGceDisks", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","gcePersistentDisk":{"pdName":"disk-$s-$i"}})", "]"},
    {"PlacedPodGceDisks", Kind::kPlacedPod, R"(,"volumes":[)",
     R"({"name":"v-$i","gcePersistentDisk":{"pdName":"disk-$s-$i"}})", "]"},
    {"PodAwsDisks", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","awsElasticBlockStore":{"volumeID":"disk-$s-$i"}})", "]"},
    {"PodIscsiDisks", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","iscsi":{"targetPortal":"10.0.0.1","iqn":"iqn.2026-11.example:$s-$i","lun":0}})",
     "]"},
    {"PodRbdDisks", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","rbd":{"monitors":["m"],"pool":"p","image":"disk-$s-$i"}})", "]"},
    {"PodRbdMonitors", Kind::kPod, R"(,"volumes":[{"name":"v","rbd":{"image":"i","monitors":[)",
     R"("monitor-$s-$i")", "]}}]"},
    {"PodEphemeralVolumes", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","ephemeral":{"volumeClaimTemplate":{"spec":{"storageClassName":"c-$s"}}}})",
     "]"},
    {"PlacedPodEphemeralVolumes", Kind::kPlacedPod, R"(,"volumes":[)",
     R"({"name":"v-$i","ephemeral":{"volumeClaimTemplate":{"spec":{"storageClassName":"c-$s"}}}})",
     "]"},
    {"PodImageVolumes", Kind::kPod, R"(,"volumes":[)",
     R"({"name":"v-$i","image":{"reference":"example.com/i-$s-$i"}})", "]"},
    {"PodContainers", Kind::kPod, R"(,"containers":[)",
     R"({"name":"c-$i","image":"example.com/i-$s-$i","resources":{"requests":{"cpu":"1m"}}})", "]"},
    {"PodInitContainers", Kind::kPod, R"(,"initContainers":[)",
     R"({"name":"c-$i","resources":{"requests":{"example.com/r$s-$i":"1"}}})", "]"},
    {"PodSidecars", Kind::kPod, R"(,"initContainers":[)",
     R"({"name":"c-$i","restartPolicy":"Always","resources":{"requests":{"example.com/r$s-$i":"1"}}})",
     "]"},
    {"PlacedPodSidecarsAndInitContainers", Kind::kPlacedPod, R"(,"initContainers":[)",
     R"({"name":"s-$i","restartPolicy":"Always","resources":{"requests":{"example.com/r$s-$i":"1"}}},)"
     R"({"name":"c-$i","resources":{"requests":{"example.com/r$s-$i":"1"}}})",
     "]"},
    {"PlacedPodContainersWithStatuses", Kind::kPlacedPod, R"(,"containers":[)",
     R"({"name":"c-$i","resources":{"requests":{"cpu":"1m"}}})", "]", R"("containerStatuses":[)",
     R"({"name":"c-$i","allocatedResources":{"cpu":"2m"}})", "]"},
    {"PlacedPodInitContainersWithStatuses", Kind::kPlacedPod, R"(,"initContainers":[)",
     R"({"name":"c-$i","resources":{"requests":{"cpu":"1m"}}})", "]",
     R"("initContainerStatuses":[)", R"({"name":"c-$i","allocatedResources":{"cpu":"2m"}})", "]"},
    {"PodContainersWithConditions", Kind::kPod, R"(,"containers":[)",
     R"({"name":"c-$i","resources":{"requests":{"cpu":"1m"}}})", "]",
     R"("resources":{"requests":{"cpu":"1"}},"conditions":[)", R"({"type":"t-$i","status":"True"})",
     "]"},
    {"PodHostPorts", Kind::kPlacedPod, R"(,"containers":[{"name":"c","ports":[)",
     R"({"containerPort":80,"hostPort":80,"hostIP":"10.$s.$i.1"})", "]}]"},
    {"PodResourceClaims", Kind::kPod, R"(,"resourceClaims":[)",
     R"({"name":"claim-$i","resourceClaimName":"claim-$s-$i"})", "]"},
    {"NodeLabels", Kind::kNode, R"(,"labels":{)", R"("key-$s-$i":"value-$i")", "}}"},
    {"NodeAnnotations", Kind::kNode, R"(,"annotations":{)", R"("key-$s-$i":"value-$i")", "}}"},
    {"NodeTaints", Kind::kNode, R"(},"spec":{"taints":[)",
     R"({"key":"key-$s-$i","effect":"PreferNoSchedule"})", "]}"},
    {"NodeExtendedResources", Kind::kNode, R"(},"status":{"allocatable":{)",
     R"("example.com/r$s-$i":"1")", "}}"},
    {"NodeImages", Kind::kNode, R"(},"status":{"images":[)",
     R"({"names":["example.com/i-$s-$i"],"sizeBytes":1000})", "]}"},
    {"NamespaceLabels", Kind::kNamespace, R"(,"labels":{)", R"("key-$s-$i":"value-$i")", "}}"},
    {"ClaimAnnotations", Kind::kClaim, R"(,"annotations":{)", R"("key-$s-$i":"value-$i")", "}}"},
    {"PodGroupResources", Kind::kPodGroup, R"(},"spec":{"minMember":1,"minResources":{)",
     R"("example.com/r$s-$i":"1")", "}}"},
};

INSTANTIATE_TEST_SUITE_P(Each, UserFilledObject, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace berth::scheduler
