// SPDX-License-Identifier: Apache-2.0
#include "controllers/cluster_view.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "controllers/name_ownership.h"
#include "controllers/pod_watch.h"
#include "controllers/render.h"
#include "controllers/rendered_kinds.h"
#include "crds/names.h"
#include "crds/outline.h"

namespace berth::controllers {
namespace {

void AddError(const client::ReflectorStatus& status, const std::string& where,
              std::vector<std::string>& failures) {
  if (status.synced && !status.failing) return;
  const std::string what = status.last_error ? status.last_error->message() : "not listed yet";
  failures.push_back(status.resource + where + ": " + what);
}

// Creates the watches of all namespaced rendered kinds, or of all cluster-scoped ones.
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
  return std::ranges::all_of(watches, [](const auto& watch) { return IsKnown(watch->informer()); });
}

void Append(std::vector<AnyObject> more, std::vector<AnyObject>& objects) {
  std::ranges::move(more, std::back_inserter(objects));
}

}  // namespace

class NamespaceView {
 public:
  NamespaceView(client::Client& client, const std::string& ns, const Clock& clock,
                const KindWatch::Listener& listener, PodWatch::Listener on_pod)
      : ns_(ns),
        kinds_(WatchKinds(/*namespaced=*/true, client, ns, clock, listener)),
        pods_(client, ns, clock, std::move(on_pod)) {}

  void Start() {
    for (const auto& watch : kinds_) watch->informer().Start();
    pods_.informer().Start();
  }

  void Stop() {
    for (const auto& watch : kinds_) watch->informer().Stop();
    pods_.informer().Stop();
  }

  bool IsKnown() const { return AllKnown(kinds_) && controllers::IsKnown(pods_.informer()); }

  void AddErrors(std::vector<std::string>& failures) const {
    const std::string where = " in namespace " + ns_;
    for (const auto& watch : kinds_) AddError(watch->informer().status(), where, failures);
    AddError(pods_.informer().status(), where, failures);
  }

  std::vector<AnyObject> Deployments() const {
    std::vector<AnyObject> deployments;
    for (const auto& watch : kinds_) {
      if (watch->resource().kind == api::Deployment::kResource.kind) {
        Append(watch->Objects(), deployments);
      }
    }
    return deployments;
  }

  void Fill(const crds::SchedulerProfile& profile, Observed& observed) const {
    const std::string name = ObjectName(profile);
    observed.sees_namespace =
        std::ranges::all_of(kinds_, [](const auto& watch) { return watch->informer().synced(); });
    for (const auto& watch : kinds_) {
      for (const AnyObject& object : watch->ObjectsOf(profile.metadata.name)) {
        observed.objects[object.key()] = object;
        if (object.metadata().name != name) continue;  // a version, or another owner's
        observed.Take(object);
        if (auto lease = object.As<api::Lease>()) {
          observed.lease = std::move(lease);
          observed.lease_unchanged = watch->UnchangedFor(name);
        }
      }
    }
    observed.pods = pods_.PodsOf(profile.metadata.name);
  }

 private:
  const std::string ns_;
  const KindWatches kinds_;
  PodWatch pods_;
};

void Retirement::Start() {
  thread_ = std::jthread([this] {
    while (!views_.IsDrained()) {
      for (const auto& view : views_.Take(SteadyTime::max())) view->Stop();
    }
  });
}

void Retirement::Stop() {
  views_.Close();
  if (thread_.joinable()) thread_.join();
}

ClusterView::ClusterView(client::Client& client, const Clock& clock, std::string own_namespace,
                         Listener listener)
    : client_(client),
      clock_(clock),
      own_namespace_(std::move(own_namespace)),
      listener_(std::move(listener)),
      profiles_(client, {}, clock),
      namespaces_(client, {}, clock),
      ports_(client, clock, [this] { OnApiServer(); }),
      version_(client, [this] { OnApiServer(); }),
      cluster_kinds_(WatchKinds(/*namespaced=*/false, client, "", clock, ObjectListener())) {
  profiles_.Transform(
      [this](crds::SchedulerProfile& profile) { crds::PlaceByDefault(profile, own_namespace_); });
  profiles_.WhenUnreadable(
      [this](const client::StoreKey& key) { listener_.on_change(key.second); });
  profiles_.Listen(
      [this](const api::Change<crds::SchedulerProfile>& change) { OnProfile(change); });
  namespaces_.Listen([this](const api::Change<api::Namespace>& change) { OnNamespace(change); });
}

ClusterView::~ClusterView() { Stop(); }

void ClusterView::Start() {
  retirement_.Start();
  for (const auto& watch : cluster_kinds_) watch->informer().Start();
  namespaces_.Start();
  ports_.Start();
  version_.Start();
  profiles_.Start();
  ViewOf(own_namespace_);
}

void ClusterView::Stop() {
  profiles_.Stop();
  version_.Stop();
  ports_.Stop();
  namespaces_.Stop();
  for (const auto& watch : cluster_kinds_) watch->informer().Stop();
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    for (const auto& [ns, view] : views_) retirement_.Take(view);
    views_.clear();
  }
  retirement_.Stop();
}

std::vector<std::string> ClusterView::Errors() const {
  std::vector<std::string> failures;
  AddError(profiles_.status(), "", failures);
  AddError(namespaces_.status(), "", failures);
  for (const auto& watch : cluster_kinds_) AddError(watch->informer().status(), "", failures);
  std::lock_guard lock(mutex_);
  const auto own = views_.find(own_namespace_);
  if (own != views_.end()) own->second->AddErrors(failures);
  return failures;
}

std::shared_ptr<const crds::SchedulerProfile> ClusterView::Profile(const std::string& name) {
  if (const auto unreadable = profiles_.Unreadable({"", name})) return OutlineOf(*unreadable);
  return profiles_.store().Get("", name);
}

// Returns the newest state of every profile. A profile whose newest state cannot be decoded still
// keeps its names.
Profiles ClusterView::AllProfiles() {
  std::map<std::string, std::shared_ptr<const crds::SchedulerProfile>> newest;
  for (auto& profile : profiles_.store().List()) {
    newest[profile->metadata.name] = std::move(profile);
  }
  for (const client::UnreadableObject& object : profiles_.AllUnreadable()) {
    if (auto outline = OutlineOf(object)) newest[outline->metadata.name] = std::move(outline);
  }
  Profiles all;
  for (auto& [name, profile] : newest) all.push_back(std::move(profile));
  return all;
}

std::optional<Observed> ClusterView::Observe(const crds::SchedulerProfile& profile) {
  if (!KnowsCluster()) return std::nullopt;
  std::optional<Ports> ports = ports_.Detected();
  if (!ports || !version_.Known()) return std::nullopt;
  Observed observed;
  observed.api_server_ports = std::move(*ports);
  observed.api_server_version = version_.Version();
  observed.namespace_exists = Exists(profile.spec.namespace_);
  if (observed.namespace_exists) {
    const std::shared_ptr<NamespaceView> view = ViewOf(profile.spec.namespace_);
    if (!view || !view->IsKnown()) return std::nullopt;
    view->Fill(profile, observed);
  }
  for (const auto& watch : cluster_kinds_) {
    for (const AnyObject& object : watch->ObjectsOf(profile.metadata.name)) {
      observed.objects[object.key()] = object;
    }
  }
  observed.profiles = AllProfiles();
  return observed;
}

std::optional<Leftovers> ClusterView::DeletedProfiles() {
  if (!KnowsCluster()) return std::nullopt;
  std::vector<AnyObject> objects;
  for (const auto& watch : cluster_kinds_) Append(watch->Objects(), objects);
  {
    std::lock_guard lock(mutex_);
    for (const auto& [ns, view] : views_) Append(view->Deployments(), objects);
  }
  return FindLeftovers(objects, AllProfiles());
}

bool ClusterView::KnowsCluster() const {
  return profiles_.synced() && IsKnown(namespaces_) && AllKnown(cluster_kinds_);
}

std::shared_ptr<const crds::SchedulerProfile> ClusterView::OutlineOf(
    const client::UnreadableObject& object) const {
  auto outline = crds::ReadOutline(object.text, object.error.message());
  if (!outline) return nullptr;
  crds::PlaceByDefault(*outline, own_namespace_);
  return std::make_shared<const crds::SchedulerProfile>(std::move(*outline));
}

// Reconciles the profile, and every profile that names one of the same schedulers, before or after
// the change.
void ClusterView::OnProfile(const api::Change<crds::SchedulerProfile>& change) {
  const crds::SchedulerProfile& profile = change.newest();
  if (change.type == api::ChangeType::kDeleted) {
    listener_.on_deleted(change.before);
    RetireUnnamed(profile.spec.namespace_);
  }
  listener_.on_change(profile.metadata.name);
  for (const auto& other : profiles_.store().List()) {
    if (other->metadata.name == profile.metadata.name) continue;
    if (ShareName(*other, profile) || (change.before && ShareName(*other, *change.before))) {
      listener_.on_change(other->metadata.name);
    }
  }
}

void ClusterView::OnNamespace(const api::Change<api::Namespace>& change) {
  if (change.type == api::ChangeType::kModified) return;
  const std::string& ns = change.newest().metadata.name;
  if (change.type == api::ChangeType::kDeleted) RetireUnnamed(ns);
  for (const auto& profile : profiles_.store().List()) {
    if (profile->spec.namespace_ == ns) listener_.on_change(profile->metadata.name);
  }
}

void ClusterView::OnApiServer() {
  for (const auto& profile : AllProfiles()) listener_.on_change(profile->metadata.name);
}

KindWatch::Listener ClusterView::ObjectListener() {
  return [this](const ObjectKey& key, const std::string& version, const std::string& profile) {
    listener_.on_object(key, version);
    listener_.on_change(profile);
  };
}

// Without the permission to list namespaces, every namespace is assumed to exist: a write reports
// the actual error.
bool ClusterView::Exists(const std::string& ns) {
  return !namespaces_.synced() || namespaces_.store().Get("", ns) != nullptr;
}

bool ClusterView::IsNamed(const std::string& ns) {
  if (ns == own_namespace_) return true;
  return Exists(ns) && std::ranges::any_of(AllProfiles(), [&ns](const auto& profile) {
           return profile->spec.namespace_ == ns;
         });
}

// A store removes an object before its listeners are called. So an object found in the store under
// the lock still has its event to come, and that event also ends a view started here.
std::shared_ptr<NamespaceView> ClusterView::ViewOf(const std::string& ns) {
  std::lock_guard lock(mutex_);
  const auto known = views_.find(ns);
  if (known != views_.end()) return known->second;
  if (stopped_ || !IsNamed(ns)) return nullptr;
  auto view =
      std::make_shared<NamespaceView>(client_, ns, clock_, ObjectListener(), listener_.on_change);
  view->Start();
  views_[ns] = view;
  return view;
}

// The Deployments of deleted profiles are no longer seen, so these profiles are reconciled.
void ClusterView::RetireUnnamed(const std::string& ns) {
  std::shared_ptr<NamespaceView> view;
  {
    std::lock_guard lock(mutex_);
    if (IsNamed(ns)) return;
    const auto retired = views_.extract(ns);
    if (!retired) return;
    view = retired.mapped();
    retirement_.Take(view);
  }
  std::set<std::string> profiles;
  for (const AnyObject& deployment : view->Deployments()) {
    profiles.insert(ProfileInName(deployment.metadata().name));
  }
  for (const std::string& profile : profiles) listener_.on_change(profile);
}

}  // namespace berth::controllers
