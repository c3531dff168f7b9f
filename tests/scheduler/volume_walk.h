// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scheduler/volume_binder.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {

// VolumeWalk simulates an API server with volumes and claims, and a watch with late, repeated and
// lost events, until a relist. Pods assume and bind volumes through a VolumeBinder. Each step makes
// one random change. Errors compares the indexes of the cache with a full scan.
class VolumeWalk {
 public:
  explicit VolumeWalk(uint64_t seed);

  void Step();
  // Returns the current errors, one sentence each.
  std::vector<std::string> Errors();
  // Answers all calls, delivers all events and drops all pods. No state may remain then; the walk
  // can continue.
  void Settle();

  size_t bound() const { return bound_; }        // pods with bound volumes
  size_t rejected() const { return rejected_; }  // writes rejected for an outdated version
  size_t unseen() const { return unseen_; }      // lost events
  const VolumeBinder& binder() const { return binder_; }
  const VolumeStore& store() const { return cluster_.snapshot().Volumes(); }

 private:
  using Volume = api::PersistentVolume;
  using Claim = api::PersistentVolumeClaim;

  template <class T>
  struct Stored {
    std::map<std::string, std::shared_ptr<const T>> objects;  // by key
  };

  template <class T>
  void Write(T object);  // on the server
  template <class T>
  void Delete(const std::string& key);
  template <class T>
  Result<void> Patch(const T& assumed);
  template <class T>
  void Show(const T& object);
  template <class T>
  void Relist();

  void MakeVolume();
  void MakeClaim();
  void TouchVolume();
  void BindOnServer();
  void StartPod();
  void BindPod();
  void AnswerWrite();
  void MoveNode();
  void DeliverOne();
  std::string PickPod();

  Volume RandomVolume(const std::string& name);
  std::vector<std::string> Walk(const std::string& storage_class, const NodeInfo& node) const;
  std::vector<std::string> Found(const std::string& storage_class, const NodeInfo& node) const;

  Random random_;
  TestCluster cluster_;
  FakeClock clock_;
  RecordingApi api_;
  VolumeBinder binder_{{.clock = clock_, .api = api_, .cache = cluster_.cache()}};
  int64_t version_ = 0;
  int64_t serial_ = 0;
  Stored<Volume> volumes_;
  Stored<Claim> claims_;
  std::deque<std::function<void()>> events_;
  std::vector<std::string> broken_;  // violations found so far
  std::map<std::string, std::shared_ptr<const PendingPod>> pods_;
  std::set<std::string> binding_;  // subset of pods_
  size_t bound_ = 0, rejected_ = 0, unseen_ = 0;

  // Result by class and node, with the versions that it depends on.
  struct Seen {
    std::vector<std::string> found;
    uint64_t version;
    uint64_t node;
  };
  std::map<std::pair<std::string, Slot>, Seen> seen_;
};

}  // namespace berth::scheduler::testing
