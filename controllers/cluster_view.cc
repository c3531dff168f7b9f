// SPDX-License-Identifier: Apache-2.0
#include "controllers/cluster_view.h"

#include <tuple>
#include <utility>

#include "api/networking.h"
#include "api/policy.h"
#include "controllers/claims.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

template <class T>
using InformerOf = std::unique_ptr<client::Informer<T>>;

void AddProblem(const client::ReflectorStatus& status, const std::string& where,
                std::vector<std::string>& problems) {
  if (status.synced && !status.failing) return;
  const std::string what = status.last_error ? status.last_error->message() : "not listed yet";
  problems.push_back(status.resource + where + ": " + what);
}

}  // namespace

class NamespaceView {
 public:
  NamespaceView(client::Client& client, const std::string& ns, const Clock& clock,
                const KindListener& listener, LeaseWatch::Listener on_lease)
      : ns_(ns),
        kinds_(WatchKind<api::ServiceAccount>(client, ns, clock, listener),
               WatchKind<api::Role>(client, ns, clock, listener),
               WatchKind<api::RoleBinding>(client, ns, clock, listener),
               WatchKind<api::ConfigMap>(client, ns, clock, listener),
               WatchKind<api::Service>(client, ns, clock, listener),
               WatchKind<api::NetworkPolicy>(client, ns, clock, listener),
               WatchKind<api::PodDisruptionBudget>(client, ns, clock, listener),
               WatchKind<api::Deployment>(client, ns, clock, listener)),
        leases_(client, ns, clock, std::move(on_lease)) {}

  void Start() {
    ForEach([](auto& informer) { informer.Start(); });
    leases_.informer().Start();
  }

  void Stop() {
    ForEach([](auto& informer) { informer.Stop(); });
    leases_.informer().Stop();
  }

  bool IsKnown() const {
    bool known = true;
    ForEach([&known](const auto& informer) { known = known && controllers::IsKnown(informer); });
    return known;
  }

  void AddProblems(std::vector<std::string>& problems) const {
    const std::string where = " in namespace " + ns_;
    ForEach([&](const auto& informer) { AddProblem(informer.status(), where, problems); });
    AddProblem(leases_.informer().status(), where, problems);
  }

  void Fill(const std::string& name, Observed& observed) const {
    ForEach([&](const auto& informer) {
      if (const auto object = informer.store().Get(ns_, name)) AddLive(observed.objects, *object);
    });
    observed.deployment = std::get<InformerOf<api::Deployment>>(kinds_)->store().Get(ns_, name);
    observed.config_map = std::get<InformerOf<api::ConfigMap>>(kinds_)->store().Get(ns_, name);
    observed.lease = leases_.Get(name);
    observed.lease_unchanged = leases_.UnchangedFor(name);
  }

 private:
  template <class Visit>
  void ForEach(const Visit& visit) const {
    std::apply([&visit](const auto&... informer) { (visit(*informer), ...); }, kinds_);
  }

  const std::string ns_;
  std::tuple<InformerOf<api::ServiceAccount>, InformerOf<api::Role>, InformerOf<api::RoleBinding>,
             InformerOf<api::ConfigMap>, InformerOf<api::Service>, InformerOf<api::NetworkPolicy>,
             InformerOf<api::PodDisruptionBudget>, InformerOf<api::Deployment>>
      kinds_;
  LeaseWatch leases_;
};

ClusterView::ClusterView(client::Client& client, const Clock& clock, Listener listener)
    : client_(client),
      clock_(clock),
      listener_(std::move(listener)),
      profiles_(client, {}, clock),
      bindings_(WatchKind<api::ClusterRoleBinding>(
          client, "", clock, [this](const ObjectKey& key, const std::string& profile) {
            listener_.on_object(key);
            listener_.on_change(profile);
          })) {
  profiles_.Listen(
      [this](const api::Change<crds::SchedulerProfile>& change) { OnProfile(change); });
}

ClusterView::~ClusterView() { Stop(); }

void ClusterView::Start() {
  bindings_->Start();
  profiles_.Start();
  ViewOfNamespace(std::string(crds::kDefaultNamespace));
}

void ClusterView::Stop() {
  profiles_.Stop();
  bindings_->Stop();
  std::lock_guard lock(mutex_);
  for (const auto& [ns, view] : namespaces_) view->Stop();
}

std::vector<std::string> ClusterView::Problems() const {
  std::vector<std::string> problems;
  AddProblem(profiles_.status(), "", problems);
  AddProblem(bindings_->status(), "", problems);
  std::lock_guard lock(mutex_);
  const auto own = namespaces_.find(std::string(crds::kDefaultNamespace));
  if (own != namespaces_.end()) own->second->AddProblems(problems);
  return problems;
}

std::shared_ptr<const crds::SchedulerProfile> ClusterView::Profile(const std::string& name) {
  return profiles_.store().Get("", name);
}

std::optional<Observed> ClusterView::Observe(const crds::SchedulerProfile& profile) {
  NamespaceView& view = ViewOfNamespace(profile.spec.namespace_);
  if (!profiles_.synced() || !IsKnown(*bindings_) || !view.IsKnown()) return std::nullopt;
  Observed observed;
  view.Fill(ObjectName(profile), observed);
  for (const auto& binding : bindings_->store().List()) {
    if (ProfileOf(binding->metadata) == profile.metadata.name) AddLive(observed.objects, *binding);
  }
  observed.profiles = profiles_.store().List();
  return observed;
}

// A profile concerns itself and every profile that claims one of its names, before or after.
void ClusterView::OnProfile(const api::Change<crds::SchedulerProfile>& change) {
  const crds::SchedulerProfile& profile = change.newest();
  if (change.type == api::ChangeType::kDeleted) listener_.on_deleted(change.before);
  listener_.on_change(profile.metadata.name);
  for (const auto& other : profiles_.store().List()) {
    if (other->metadata.name == profile.metadata.name) continue;
    if (ShareName(*other, profile) || (change.before && ShareName(*other, *change.before))) {
      listener_.on_change(other->metadata.name);
    }
  }
}

NamespaceView& ClusterView::ViewOfNamespace(const std::string& ns) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<NamespaceView>& view = namespaces_[ns];
  if (view) return *view;
  view = std::make_unique<NamespaceView>(
      client_, ns, clock_,
      [this](const ObjectKey& key, const std::string& profile) {
        listener_.on_object(key);
        listener_.on_change(profile);
      },
      [this](const std::string& lease) {
        if (lease.starts_with(crds::kObjectPrefix)) {
          listener_.on_change(lease.substr(crds::kObjectPrefix.size()));
        }
      });
  view->Start();
  return *view;
}

}  // namespace berth::controllers
