// SPDX-License-Identifier: Apache-2.0
#include "controllers/cluster_view.h"

#include <algorithm>
#include <utility>

#include "controllers/claims.h"
#include "controllers/lease_watch.h"
#include "controllers/render.h"
#include "controllers/rendered_kinds.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

void AddProblem(const client::ReflectorStatus& status, const std::string& where,
                std::vector<std::string>& problems) {
  if (status.synced && !status.failing) return;
  const std::string what = status.last_error ? status.last_error->message() : "not listed yet";
  problems.push_back(status.resource + where + ": " + what);
}

// The watches of all rendered kinds that have a namespace, or of those that have none.
KindWatches WatchKinds(bool namespaced, client::Client& client, const std::string& ns,
                       const Clock& clock, const KindWatch::Listener& listener) {
  KindWatches watches;
  for (const RenderedKind& kind : RenderedKinds()) {
    if (kind.resource->namespaced != namespaced) continue;
    watches.push_back(kind.watch(client, ns, clock, listener));
  }
  return watches;
}

bool AllKnown(const KindWatches& watches) {
  return std::ranges::all_of(watches, [](const auto& watch) { return watch->IsKnown(); });
}

}  // namespace

class NamespaceView {
 public:
  NamespaceView(client::Client& client, const std::string& ns, const Clock& clock,
                const KindWatch::Listener& listener, LeaseWatch::Listener on_lease)
      : ns_(ns),
        kinds_(WatchKinds(/*namespaced=*/true, client, ns, clock, listener)),
        leases_(client, ns, clock, std::move(on_lease)) {}

  void Start() {
    for (const auto& watch : kinds_) watch->Start();
    leases_.Start();
  }

  void Stop() {
    for (const auto& watch : kinds_) watch->Stop();
    leases_.Stop();
  }

  bool IsKnown() const { return AllKnown(kinds_); }

  void AddProblems(std::vector<std::string>& problems) const {
    const std::string where = " in namespace " + ns_;
    for (const auto& watch : kinds_) AddProblem(watch->status(), where, problems);
    AddProblem(leases_.status(), where, problems);
  }

  void Fill(const std::string& name, Observed& observed) const {
    for (const auto& watch : kinds_) {
      const std::optional<AnyObject> object = watch->Get(ns_, name);
      if (!object) continue;
      observed.objects[object->key()] = *object;
      if (auto deployment = object->As<api::Deployment>()) observed.deployment = deployment;
      if (auto config_map = object->As<api::ConfigMap>()) observed.config_map = config_map;
    }
    observed.lease = leases_.Get(name);
    observed.lease_unchanged = leases_.UnchangedFor(name);
  }

 private:
  const std::string ns_;
  const KindWatches kinds_;
  LeaseWatch leases_;
};

// A profile concerns itself and every profile that claims one of its names, before or after.
class ClusterView::ProfileHandler final : public client::ReflectorHandler<crds::SchedulerProfile> {
 public:
  explicit ProfileHandler(ClusterView& view) : view_(view) {}

  void OnEvent(client::EventType type, std::shared_ptr<const crds::SchedulerProfile> profile,
               std::shared_ptr<const crds::SchedulerProfile> old) override {
    if (type == client::EventType::kDeleted) view_.listener_.on_deleted(profile);
    view_.listener_.on_change(profile->metadata.name);
    for (const auto& other : view_.profiles_->store().List()) {
      if (other->metadata.name == profile->metadata.name) continue;
      if (ShareName(*other, *profile) || (old && ShareName(*other, *old))) {
        view_.listener_.on_change(other->metadata.name);
      }
    }
  }

 private:
  ClusterView& view_;
};

ClusterView::ClusterView(client::Client& client, const Clock& clock, Listener listener)
    : client_(client),
      clock_(clock),
      listener_(std::move(listener)),
      profile_handler_(std::make_unique<ProfileHandler>(*this)),
      profiles_(std::make_unique<client::Reflector<crds::SchedulerProfile>>(
          client, client::ReflectorOptions{}, clock, profile_handler_.get())),
      cluster_kinds_(WatchKinds(/*namespaced=*/false, client, "", clock, ObjectListener())) {}

ClusterView::~ClusterView() { Stop(); }

void ClusterView::Start() {
  for (const auto& watch : cluster_kinds_) watch->Start();
  profiles_->Start();
  ViewOfNamespace(std::string(crds::kDefaultNamespace));
}

void ClusterView::Stop() {
  profiles_->Stop();
  for (const auto& watch : cluster_kinds_) watch->Stop();
  std::lock_guard lock(mutex_);
  for (const auto& [ns, view] : namespaces_) view->Stop();
}

std::vector<std::string> ClusterView::Problems() const {
  std::vector<std::string> problems;
  AddProblem(profiles_->status(), "", problems);
  for (const auto& watch : cluster_kinds_) AddProblem(watch->status(), "", problems);
  std::lock_guard lock(mutex_);
  const auto own = namespaces_.find(std::string(crds::kDefaultNamespace));
  if (own != namespaces_.end()) own->second->AddProblems(problems);
  return problems;
}

std::shared_ptr<const crds::SchedulerProfile> ClusterView::Profile(const std::string& name) {
  return profiles_->store().Get("", name);
}

std::optional<Observed> ClusterView::Observe(const crds::SchedulerProfile& profile) {
  NamespaceView& view = ViewOfNamespace(profile.spec.namespace_);
  if (!profiles_->status().synced || !AllKnown(cluster_kinds_) || !view.IsKnown()) {
    return std::nullopt;
  }
  Observed observed;
  view.Fill(ObjectName(profile), observed);
  for (const auto& watch : cluster_kinds_) {
    for (const AnyObject& object : watch->List()) {
      if (KindWatch::ProfileOf(object.metadata()) != profile.metadata.name) continue;
      observed.objects[object.key()] = object;
    }
  }
  observed.profiles = profiles_->store().List();
  return observed;
}

KindWatch::Listener ClusterView::ObjectListener() {
  return [this](const ObjectKey& key, const std::string& profile) {
    listener_.on_object(key);
    listener_.on_change(profile);
  };
}

NamespaceView& ClusterView::ViewOfNamespace(const std::string& ns) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<NamespaceView>& view = namespaces_[ns];
  if (view) return *view;
  view = std::make_unique<NamespaceView>(
      client_, ns, clock_, ObjectListener(), [this](const std::string& lease) {
        if (lease.starts_with(crds::kObjectPrefix)) {
          listener_.on_change(lease.substr(crds::kObjectPrefix.size()));
        }
      });
  view->Start();
  return *view;
}

}  // namespace berth::controllers
