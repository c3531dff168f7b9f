// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/status_watch.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "client/kubeconfig.h"
#include "controllers/render.h"
#include "tests/controllers/status_oracle.h"
#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

uint64_t VersionOf(const api::ObjectMeta& metadata) {
  return std::stoull(metadata.resource_version);
}

}  // namespace

// Names are unique in one namespace and contain the profile's name.
template <class T>
StatusWatch::History<T>::History(client::Client& client, const Clock& clock)
    : informer_(client, {}, clock) {
  informer_.Listen([this](const api::Change<T>& change) {
    if (change.after == nullptr) return;
    const api::ObjectMeta& metadata = change.after->metadata;
    const std::lock_guard lock(mutex_);
    states_[metadata.name][VersionOf(metadata)] = change.after;
  });
  informer_.Start();
}

template <class T>
bool StatusWatch::History<T>::HasAllOf(client::Client& client) const {
  const auto list = client.List<T>();
  if (!list) return false;
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(list->items, [this](const auto& object) {
    const auto known = states_.find(object->metadata.name);
    return known != states_.end() && known->second.contains(VersionOf(object->metadata));
  });
}

template <class T>
std::vector<std::shared_ptr<const T>> StatusWatch::History<T>::Until(const std::string& name,
                                                                     uint64_t version) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const T>> states;
  const auto found = states_.find(name);
  if (found == states_.end()) return states;
  for (const auto& [at, state] : found->second) {
    if (at <= version) states.push_back(state);
  }
  return states;
}

template <class T>
std::vector<std::string> StatusWatch::History<T>::Names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, states] : states_) names.push_back(name);
  return names;
}

StatusWatch::StatusWatch(const std::filesystem::path& kubeconfig) {
  const auto config = Must("status watch", client::LoadKubeconfig({kubeconfig}, ""));
  client_ = Must("status watch", client::Client::Create(config, {.component = "test"}, clock_));
  profiles_ = std::make_unique<History<crds::SchedulerProfile>>(*client_, clock_);
  deployments_ = std::make_unique<History<api::Deployment>>(*client_, clock_);
  leases_ = std::make_unique<History<api::Lease>>(*client_, clock_);
}

void StatusWatch::Judge() {
  EXPECT_TRUE(Eventually("all states", std::chrono::seconds(10), [this]() -> std::string {
    const bool all = profiles_->HasAllOf(*client_) && deployments_->HasAllOf(*client_) &&
                     leases_->HasAllOf(*client_);
    return all ? "" : "some objects were not received yet";
  }));
  for (const std::string& name : profiles_->Names()) {
    crds::SchedulerProfileStatus before;
    for (const auto& profile : profiles_->Until(name, kAll)) {
      if (std::exchange(before, profile->status) == profile->status) continue;
      const uint64_t version = VersionOf(profile->metadata);
      const std::string object = controllers::ObjectName(*profile);
      controllers::JudgeStatus(*profile, {.deployments = deployments_->Until(object, version),
                                          .leases = leases_->Until(object, version)});
    }
  }
}

}  // namespace berth::integration
