// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/volume_walk.h"

#include <algorithm>

#include "api/volume_annotations.h"
#include "scheduler/plugins/volumes/unbound_claim.h"

namespace berth::scheduler::testing {
namespace {

constexpr int kNodes = 6;
const std::vector<std::string> kClasses = {"local", "zonal"};

std::string Numbered(const char* kind, size_t number) { return kind + std::to_string(number); }

NodeBuilder NodeAt(size_t i, const std::string& zone) {
  const std::string name = Numbered("n", i);
  return MakeNode(name).Label("kubernetes.io/hostname", name).Label("zone", zone);
}

bool IsFree(const api::PersistentVolume& volume) {
  return !volume.spec.claim_ref && volume.status.phase == "Available" &&
         !volume.metadata.deletion_timestamp;
}

}  // namespace

VolumeWalk::VolumeWalk(uint64_t seed) : random_(seed) {
  for (int i = 0; i < kNodes; ++i) cluster_.Add(NodeAt(i, Numbered("z", i % 2)));
  for (const std::string& name : kClasses) {
    cluster_.Add<api::StorageClass>("{metadata: {name: " + name +
                                    "}, provisioner: kubernetes.io/no-provisioner, "
                                    "volumeBindingMode: WaitForFirstConsumer}");
  }
}

template <class T>
void VolumeWalk::Write(T object) {
  object.metadata.resource_version = std::to_string(++version_);
  auto stored = std::make_shared<const T>(std::move(object));
  const std::string key = api::KeyOf(stored->metadata);
  if constexpr (std::same_as<T, Volume>) {
    volumes_.objects[key] = stored;
  } else {
    claims_.objects[key] = stored;
  }
  events_.push_back([this, stored] {
    cluster_.cache().PutVolumeObject(stored);
    binder_.OnChange(*stored);
  });
}

template <class T>
void VolumeWalk::Delete(const std::string& key) {
  std::shared_ptr<const T> gone;
  if constexpr (std::same_as<T, Volume>) {
    gone = volumes_.objects.extract(key).mapped();
  } else {
    gone = claims_.objects.extract(key).mapped();
  }
  events_.push_back([this, gone] {
    if (cluster_.cache().Remove<T>(gone->metadata.uid) != nullptr) binder_.OnChange(*gone);
  });
}

api::PersistentVolume VolumeWalk::RandomVolume(const std::string& name) {
  Volume volume;
  volume.metadata.name = name;
  volume.metadata.uid = name + "-" + std::to_string(++serial_);
  volume.spec.storage_class_name = random_.Pick(kClasses);
  volume.spec.capacity["storage"] = Quantity::FromValue(random_.Below(4) + 1);
  volume.spec.access_modes = {"ReadWriteOnce"};
  volume.status.phase = random_.OneIn(5) ? "Pending" : "Available";
  const auto reach = [&](const std::string& key, std::vector<std::string> values) {
    volume.spec.node_affinity.emplace().required =
        api::NodeSelector{{Labels({Where(key, "In", std::move(values))})}};
  };
  switch (random_.Below(4)) {
    case 0:
      reach("kubernetes.io/hostname", {Numbered("n", random_.Below(kNodes))});
      break;
    case 1:
      reach("kubernetes.io/hostname", {"n0", Numbered("n", random_.Below(kNodes))});
      break;
    case 2:
      reach("zone", {Numbered("z", random_.Below(2))});
      break;
    default:
      break;
  }
  return volume;
}

void VolumeWalk::MakeVolume() {
  const std::string name = Numbered("v", random_.Below(12));
  if (volumes_.objects.contains(name)) return Delete<Volume>(name);
  Write(RandomVolume(name));
}

void VolumeWalk::MakeClaim() {
  const std::string name = Numbered("c", random_.Below(8));
  if (claims_.objects.contains("default/" + name)) return Delete<Claim>("default/" + name);
  Claim claim;
  claim.metadata.name = name;
  claim.metadata.namespace_ = "default";
  claim.metadata.uid = name + "-" + std::to_string(++serial_);
  claim.spec.storage_class_name = random_.Pick(kClasses);
  claim.spec.resources.requests["storage"] = Quantity::FromValue(random_.Below(4) + 1);
  claim.spec.access_modes = {"ReadWriteOnce"};
  Write(std::move(claim));
}

// Changes a volume like another client.
void VolumeWalk::TouchVolume() {
  const auto found = volumes_.objects.find(Numbered("v", random_.Below(12)));
  if (found == volumes_.objects.end()) return;
  Volume volume = *found->second;
  switch (random_.Below(4)) {
    case 0:
      volume.metadata.labels["turn"] = std::to_string(++serial_);
      break;
    case 1:
      volume.metadata.annotations["turn"] = std::to_string(++serial_);
      break;
    case 2:
      volume.status.phase = "Available";
      break;
    default: {  // its claim is deleted, or bound elsewhere
      volume.spec.claim_ref.reset();
      volume.status.phase = "Available";
    }
  }
  Write(std::move(volume));
}

// Acts as the PV controller: binds the claim named by a volume, or sometimes binds it to another
// volume.
void VolumeWalk::BindOnServer() {
  for (const auto& [name, stored] : volumes_.objects) {
    if (!stored->spec.claim_ref || random_.OneIn(4)) continue;
    const auto& named = *stored->spec.claim_ref;
    const auto claim = claims_.objects.find(named.namespace_ + "/" + named.name);
    if (claim == claims_.objects.end() || claim->second->metadata.uid != named.uid ||
        !claim->second->spec.volume_name.empty()) {
      continue;
    }
    Claim bound = *claim->second;
    bound.spec.volume_name = random_.OneIn(9) ? "elsewhere" : name;
    bound.metadata.annotations[std::string(api::kBindCompleted)] = "yes";
    return Write(std::move(bound));
  }
}

void VolumeWalk::StartPod() {
  if (pods_.size() > 12 || claims_.objects.empty()) return;
  const std::string key = "default/" + Numbered("c", random_.Below(8));
  const auto claim = store().View<Claim>(key);
  if (claim == nullptr || !claim->spec.volume_name.empty()) return;
  const auto* storage_class = store().Find<api::StorageClass>(*claim->spec.storage_class_name);
  const NodeInfo& node = cluster_.View(Numbered("n", random_.Below(kNodes))).info();
  const UnboundClaim unbound(claim, *storage_class, cluster_.snapshot());
  VolumeDecision decision;
  if (unbound.selected_node() != nullptr || random_.OneIn(5)) {
    decision.provisions.push_back({claim, nullptr});
    if (unbound.selected_node() != nullptr && *unbound.selected_node() != node.name.text()) return;
  } else if (const IndexedVolume* volume = unbound.FindVolume(node, {})) {
    decision.bindings.push_back({volume->object, claim});
  } else {
    return;
  }
  const auto pod = MakePod(Numbered("pod", ++serial_)).Info(cluster_.words());
  if (!binder_.Assume(*pod, NodeRef(node), decision)) {
    broken_.push_back("a free volume could not be assumed");
  }
  pods_.emplace(pod->uid(), pod);
}

std::string VolumeWalk::PickPod() {
  if (pods_.empty()) return "";
  return std::next(pods_.begin(), static_cast<ptrdiff_t>(random_.Below(pods_.size())))->first;
}

void VolumeWalk::BindPod() {
  const std::string uid = PickPod();
  if (uid.empty() || binding_.contains(uid)) return;
  if (random_.OneIn(4)) {  // rejected by another plugin
    binder_.Restore(uid);
    pods_.erase(uid);
    return;
  }
  binding_.insert(uid);
  binder_.Bind(uid, std::chrono::seconds(30), {}, [this, uid](const Result<void>& result) {
    bound_ += result ? 1 : 0;
    binding_.erase(uid);
    pods_.erase(uid);
    binder_.Restore(uid);  // like Unreserve after a failure
  });
}

// Applies a write with a precondition on the version, like the API server.
template <class T>
Result<void> VolumeWalk::Patch(const T& assumed) {
  const auto& objects = [this]() -> auto& {
    if constexpr (std::same_as<T, Volume>) {
      return volumes_.objects;
    } else {
      return claims_.objects;
    }
  }
  ();
  const auto stored = objects.find(api::KeyOf(assumed.metadata));
  if (stored == objects.end() || stored->second->metadata.uid != assumed.metadata.uid) {
    return Fail(Reason::kNotFound, "gone");
  }
  if (stored->second->metadata.resource_version != assumed.metadata.resource_version) {
    ++rejected_;
    return Fail(Reason::kConflict, "changed");
  }
  if constexpr (std::same_as<T, Volume>) {
    const auto& held = stored->second->spec.claim_ref;
    if (held && held->uid != assumed.spec.claim_ref->uid) broken_.push_back("bound twice");
  }
  Write(assumed);
  return {};
}

void VolumeWalk::AnswerWrite() {
  const auto take = [this](auto& calls) {
    if (calls.empty()) return;
    const auto call = calls.front();
    calls.erase(calls.begin());
    call.done(random_.OneIn(9) ? Result<void>(Fail(Reason::kForbidden, "no"))
                               : Patch(*call.assumed));
  };
  take(api_.volumes);
  take(api_.claims);
}

void VolumeWalk::MoveNode() {
  const size_t i = random_.Below(kNodes);
  cluster_.cache().UpdateNode(NodeAt(i, Numbered("z", random_.Below(2))).Build());
}

template <class T>
void VolumeWalk::Relist() {
  const auto& objects = [this]() -> auto& {
    if constexpr (std::same_as<T, Volume>) {
      return volumes_.objects;
    } else {
      return claims_.objects;
    }
  }
  ();
  std::vector<std::shared_ptr<const T>> gone;
  store().All<T>().ForEach([&](const auto& known) {
    const auto there = objects.find(api::KeyOf(known->metadata));
    if (there == objects.end() || there->second->metadata.uid != known->metadata.uid) {
      gone.push_back(known);
    }
  });
  for (const auto& object : gone) {
    cluster_.cache().Remove<T>(object->metadata.uid);
    binder_.OnChange(*object);
  }
  for (const auto& [key, object] : objects) {
    cluster_.cache().PutVolumeObject(object);
    binder_.OnChange(*object);
  }
}

void VolumeWalk::DeliverOne() {
  if (events_.empty()) return;
  if (random_.OneIn(40)) {
    unseen_ += events_.size();
    events_.clear();
    Relist<Volume>();
    Relist<Claim>();
    return;
  }
  const auto event = events_.front();
  events_.pop_front();
  event();
  if (random_.OneIn(8)) event();
}

void VolumeWalk::Step() {
  switch (random_.Below(12)) {
    case 0:
      return MakeVolume();
    case 1:
      return MakeClaim();
    case 2:
      return TouchVolume();
    case 3:
      return BindOnServer();
    case 4:
      return StartPod();
    case 5:
      return BindPod();
    case 6:
      return AnswerWrite();
    case 7:
      if (random_.OneIn(4)) return MoveNode();
      clock_.Advance(std::chrono::seconds(2));
      return binder_.Expire(clock_.Now());
    default:
      for (size_t events = 1 + random_.Below(3); events > 0; --events) DeliverOne();
  }
}

// Returns the free volumes of a class that the node reaches, by a full scan over all volumes.
std::vector<std::string> VolumeWalk::Walk(const std::string& storage_class,
                                          const NodeInfo& node) const {
  std::vector<std::string> found;
  store().All<Volume>().ForEach([&](const auto& stored) {
    const auto volume = store().View<Volume>(stored->metadata.name);
    if (!IsFree(*volume) || volume->spec.storage_class_name != storage_class) return;
    const auto& affinity = volume->spec.node_affinity;
    if (affinity && !api::CompiledNodeSelector::Create(*affinity->required)
                         .Matches(node.node->metadata.labels, "")) {
      return;
    }
    const auto turn = volume->metadata.labels.find("turn");
    found.push_back(volume->spec.capacity.at("storage").ToString() + " " + volume->metadata.uid +
                    (turn == volume->metadata.labels.end() ? "" : " " + turn->second));
  });
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> VolumeWalk::Found(const std::string& storage_class,
                                           const NodeInfo& node) const {
  std::vector<std::string> found;
  const VolumeIndex::Free* free = store().Volumes().FreeOf(storage_class);
  if (free == nullptr) return found;
  const auto add = [&](const VolumeIndex::Free::Set& volumes) {
    for (const IndexedVolume* volume : volumes) {
      if (!volume->affinity->Matches(node)) continue;
      const api::ObjectMeta& metadata = volume->object->metadata;
      const auto turn = metadata.labels.find("turn");
      found.push_back(volume->capacity.ToString() + " " + metadata.uid +
                      (turn == metadata.labels.end() ? "" : " " + turn->second));
    }
  };
  add(free->wide());
  free->ForEachPinnedTo(node, add);
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> VolumeWalk::Errors() {
  std::vector<std::string> errors = std::exchange(broken_, {});
  const Cache& cache = cluster_.cache();
  for (const std::string& storage_class : kClasses) {
    for (const Slot slot : cache.Order()) {
      const NodeInfo& node = cache.At(slot);
      Seen now{Found(storage_class, node), store().Volumes().VersionOf(storage_class),
               std::max(cache.changes().Of(slot, Epoch::kNodeVolumes),
                        cache.changes().Of(slot, Epoch::kNodeObject))};
      if (now.found != Walk(storage_class, node)) {
        errors.push_back("index and scan differ in the free volumes of " + node.name.text());
      }
      Seen& before = seen_[{storage_class, slot}];
      if (before.found != now.found && before.version == now.version && before.node == now.node) {
        errors.push_back("no epoch or version changed for " + node.name.text());
      }
      before = std::move(now);
    }
  }
  if (store().Volumes().size() != store().All<Volume>().size()) {
    errors.emplace_back("the index lost volumes");
  }
  for (const auto& [key, claim] : claims_.objects) {
    size_t naming = 0;
    store().All<Volume>().ForEach([&](const auto& stored) {
      const auto& named = store().View<Volume>(stored->metadata.name)->spec.claim_ref;
      if (named && named->namespace_ + "/" + named->name == key) ++naming;
    });
    if (store().Volumes().Naming(key).size() != naming) {
      errors.push_back("index and scan differ in the volumes that name " + key);
    }
  }
  return errors;
}

void VolumeWalk::Settle() {
  while (!api_.volumes.empty() || !api_.claims.empty()) AnswerWrite();
  events_.clear();
  Relist<Volume>();
  Relist<Claim>();
  clock_.Advance(std::chrono::seconds(60));
  binder_.Expire(clock_.Now());
  for (const auto& [uid, pod] : std::exchange(pods_, {})) binder_.Restore(uid);
  events_.clear();
  Relist<Volume>();
  Relist<Claim>();
}

}  // namespace berth::scheduler::testing
