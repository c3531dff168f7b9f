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

void AddProblem(const client::ReflectorStatus& status, const std::string& where,
                std::vector<std::string>& problems) {
  if (status.synced && !status.failing) return;
  const std::string what = status.last_error ? status.last_error->message() : "not listed yet";
  problems.push_back(status.resource + where + ": " + what);
}

}  // namespace

class NamespaceView {
 public:
  using Listener = std::function<void(const ObjectKey& key, const std::string& profile)>;

  NamespaceView(client::Client& client, const std::string& ns, const Clock& clock,
                const Listener& listener, LeaseWatch::Listener on_lease)
      : ns_(ns),
        kinds_(std::make_unique<KindWatch<api::ServiceAccount>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::Role>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::RoleBinding>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::ConfigMap>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::Service>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::NetworkPolicy>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::PodDisruptionBudget>>(client, ns, clock, listener),
               std::make_unique<KindWatch<api::Deployment>>(client, ns, clock, listener)),
        leases_(client, ns, clock, std::move(on_lease)) {}

  void Start() {
    ForEach([](auto& watch) { watch.Start(); });
    leases_.Start();
  }

  void Stop() {
    ForEach([](auto& watch) { watch.Stop(); });
    leases_.Stop();
  }

  bool IsKnown() const {
    bool known = true;
    ForEach([&known](const auto& watch) { known = known && watch.IsKnown(); });
    return known;
  }

  void AddProblems(std::vector<std::string>& problems) const {
    const std::string where = " in namespace " + ns_;
    ForEach([&](const auto& watch) { AddProblem(watch.status(), where, problems); });
    AddProblem(leases_.status(), where, problems);
  }

  void Fill(const std::string& name, Observed& observed) const {
    ForEach([&](const auto& watch) { watch.AddTo(observed.objects, ns_, name); });
    observed.deployment =
        std::get<std::unique_ptr<KindWatch<api::Deployment>>>(kinds_)->Get(ns_, name);
    observed.config_map =
        std::get<std::unique_ptr<KindWatch<api::ConfigMap>>>(kinds_)->Get(ns_, name);
    observed.lease = leases_.Get(name);
    observed.lease_unchanged = leases_.UnchangedFor(name);
  }

 private:
  template <class Visit>
  void ForEach(const Visit& visit) const {
    std::apply([&visit](const auto&... watch) { (visit(*watch), ...); }, kinds_);
  }

  const std::string ns_;
  std::tuple<std::unique_ptr<KindWatch<api::ServiceAccount>>, std::unique_ptr<KindWatch<api::Role>>,
             std::unique_ptr<KindWatch<api::RoleBinding>>,
             std::unique_ptr<KindWatch<api::ConfigMap>>, std::unique_ptr<KindWatch<api::Service>>,
             std::unique_ptr<KindWatch<api::NetworkPolicy>>,
             std::unique_ptr<KindWatch<api::PodDisruptionBudget>>,
             std::unique_ptr<KindWatch<api::Deployment>>>
      kinds_;
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
      bindings_(std::make_unique<KindWatch<api::ClusterRoleBinding>>(
          client, "", clock, [this](const ObjectKey& key, const std::string& profile) {
            listener_.on_object(key);
            listener_.on_change(profile);
          })) {}

ClusterView::~ClusterView() { Stop(); }

void ClusterView::Start() {
  bindings_->Start();
  profiles_->Start();
  ViewOfNamespace(std::string(crds::kDefaultNamespace));
}

void ClusterView::Stop() {
  profiles_->Stop();
  bindings_->Stop();
  std::lock_guard lock(mutex_);
  for (const auto& [ns, view] : namespaces_) view->Stop();
}

std::vector<std::string> ClusterView::Problems() const {
  std::vector<std::string> problems;
  AddProblem(profiles_->status(), "", problems);
  AddProblem(bindings_->status(), "", problems);
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
  if (!profiles_->status().synced || !bindings_->IsKnown() || !view.IsKnown()) return std::nullopt;
  Observed observed;
  view.Fill(ObjectName(profile), observed);
  for (const auto& binding : bindings_->store().List()) {
    const auto label = binding->metadata.labels.find(std::string(crds::kProfileLabel));
    if (label != binding->metadata.labels.end() && label->second == profile.metadata.name) {
      KindWatch<api::ClusterRoleBinding>::Add(observed.objects, *binding);
    }
  }
  observed.profiles = profiles_->store().List();
  return observed;
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
