// SPDX-License-Identifier: Apache-2.0
#include "engine/informers.h"

#include <utility>

#include "base/log.h"
#include "base/strings.h"
#include "engine/known_version.h"
#include "engine/unknown_values.h"
#include "scheduler/model/object_types.h"

namespace berth::engine {
namespace {

using scheduler::ObjectKind;
using scheduler::ObjectKindSet;

// A watch sends at least a bookmark a minute; a longer silence means that it may be broken.
constexpr std::chrono::seconds kSilenceLimit{90};

constexpr const char* kNotEnded = "status.phase!=Succeeded,status.phase!=Failed";

std::optional<std::string> ErrorOf(const client::ReflectorStatus& status, SteadyTime now) {
  if (!status.synced) return status.resource + " are not synced";
  if (status.failing) return status.resource + " cannot be watched";
  if (now - status.last_contact > kSilenceLimit)
    return "watch of " + status.resource + " is silent";
  return std::nullopt;
}

// Logs the unknown values of T's objects, if T has any.
template <class T, class Kept>
void LogUnknownValues(client::Informer<T, Kept>& informer) {
  if constexpr (requires(UnknownValues unknown, const T& object) { unknown.Look(object); }) {
    informer.Listen([unknown = std::make_shared<UnknownValues>()](const api::Change<T>& change) {
      if (change.after == nullptr) return;
      for (const std::string& value : unknown->Look(*change.after)) {
        log::Warn("Ignored a value that this version does not know",
                  {{"value", value}, {"object", api::KeyOf(change.after->metadata)}});
      }
    });
  }
}

// Stores the texts of pods and nodes that are needed.
template <class T, class Kept>
void KeepTextsOf(client::Informer<T, Kept>& informer, KnownTexts& texts) {
  if constexpr (requires(const T& object) { texts.Take(object, ""); }) {
    informer.ListenToTexts(
        [&texts](const T& object, const std::string& text) { texts.Take(object, text); });
    informer.Listen([&texts](const api::Change<T>& change) {
      if (change.type == api::ChangeType::kDeleted) texts.Drop<T>(change.lost_uid);
    });
  }
}

}  // namespace

void Informers::Feed::Stop() const {
  progress->flow.Close();
  informer->Stop();
}

template <class T, class Kept>
Informers::Feed Informers::MakeFeed(client::ReflectorOptions options) const {
  auto informer =
      std::make_unique<client::Informer<T, Kept>>(parts_.client, std::move(options), parts_.clock);
  Feed feed;
  LogUnknownValues(*informer);
  KeepTextsOf(*informer, parts_.texts);
  informer->BeforeObject([progress = feed.progress](size_t bytes) { progress->flow.Await(bytes); });
  informer->Listen([&parts = parts_, progress = feed.progress](const api::Change<T>& change) {
    parts.post([&parts, progress, change, bytes = progress->flow.Post()] {
      progress->flow.Applied(bytes);
      if (!progress->ended) parts.scheduler.On(change);
    });
  });
  informer->WhenSynced([&parts = parts_, progress = feed.progress] {
    parts.post([&parts, progress] {
      if (progress->ended) return;
      progress->synced = true;
      parts.on_list();
    });
  });
  informer->WhenListed([&parts = parts_, progress = feed.progress] {
    parts.post([&parts, progress] {
      if (!progress->ended) parts.on_list();
    });
  });
  feed.informer = std::move(informer);
  return feed;
}

Informers::Feed Informers::MakeFeed(ObjectKind kind) const {
  static constexpr auto kMake =
      scheduler::ByObjectKind([]<class T>() { return &Informers::MakeFeed<T, KnownVersion>; });
  return (this->*kMake[static_cast<size_t>(kind)])(
      {.may_be_absent = scheduler::MayBeAbsent(scheduler::ResourceOf(kind))});
}

Informers::Informers(Parts parts)
    : parts_(std::move(parts)),
      pod_feed_(MakeFeed<api::Pod, KnownPod>({.field_selector = kNotEnded})),
      node_feed_(MakeFeed<api::Node, api::Node>({})),
      pods_(static_cast<const client::Informer<api::Pod, KnownPod>*>(pod_feed_.informer.get())),
      nodes_(static_cast<const client::Informer<api::Node>*>(node_feed_.informer.get())) {
  pod_feed_.informer->Start();
  node_feed_.informer->Start();
}

void Informers::List(ObjectKindSet kinds) {
  ObjectKindSet listed;
  for (const auto& [kind, feed] : feeds_) listed.Add(kind);
  kinds.Without(listed).ForEach([this](ObjectKind kind) { Begin(kind); });
  listed.Without(kinds).ForEach([this](ObjectKind kind) { End(kind); });
}

void Informers::KeepTexts(TextNeeds needs) {
  const TextNeeds before = parts_.texts.needs();
  parts_.texts.Need(needs);
  if (needs.nodes && !before.nodes) node_feed_.informer->ListAgain();
  if ((needs.waiting_pods && !before.waiting_pods) || (needs.placed_pods && !before.placed_pods)) {
    pod_feed_.informer->ListAgain();
  }
}

bool Informers::HasTexts() const {
  return node_feed_.informer->HasListedAgain() && pod_feed_.informer->HasListedAgain();
}

void Informers::Begin(ObjectKind kind) {
  Feed feed = MakeFeed(kind);
  feed.informer->Start();
  const std::lock_guard lock(mutex_);
  feeds_.emplace(kind, std::move(feed));
}

void Informers::End(ObjectKind kind) {
  Feed ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::move(feeds_.extract(kind).mapped());
  }
  ended.progress->ended = true;
  ended.Stop();
  parts_.scheduler.Forget(kind);
}

void Informers::Stop() {
  pod_feed_.Stop();
  node_feed_.Stop();
  for (const auto& [kind, feed] : feeds_) feed.Stop();
}

bool Informers::HasSynced(ObjectKindSet kinds) const {
  bool all = pod_feed_.progress->synced && node_feed_.progress->synced;
  kinds.ForEach([&](ObjectKind kind) {
    const auto found = feeds_.find(kind);
    all = all && found != feeds_.end() && found->second.progress->synced;
  });
  return all;
}

std::optional<std::string> Informers::WhyNotSynced(ObjectKindSet kinds) const {
  for (const auto& [kind, feed] : feeds_) {
    if (!kinds.Has(kind) || feed.progress->synced) continue;
    const client::ReflectorStatus status = feed.informer->status();
    if (!status.failing || !status.last_error) continue;
    return status.resource + " cannot be listed: " + status.last_error->message();
  }
  return std::nullopt;
}

std::string Informers::Absent(ObjectKindSet kinds) const {
  std::vector<std::string> absent;
  for (const auto& [kind, feed] : feeds_) {
    if (!kinds.Has(kind) || !feed.informer->status().absent) continue;
    const api::ResourceInfo& resource = scheduler::ResourceOf(kind);
    if (!scheduler::ComesWithCrd(resource)) continue;
    absent.push_back(std::string(resource.kind) + "s are not known to this API server: install " +
                     "CustomResourceDefinition " + std::string(resource.plural) + "." +
                     std::string(resource.group));
  }
  return Join(absent, "; ");
}

std::optional<std::string> Informers::ErrorWith(ObjectKindSet kinds) const {
  const SteadyTime now = parts_.clock.Now();
  for (const Feed* feed : {&pod_feed_, &node_feed_}) {
    if (auto error = ErrorOf(feed->informer->status(), now)) return error;
  }
  const std::lock_guard lock(mutex_);
  for (const auto& [kind, feed] : feeds_) {
    if (!kinds.Has(kind)) continue;
    if (auto error = ErrorOf(feed.informer->status(), now)) return error;
  }
  return std::nullopt;
}

}  // namespace berth::engine
