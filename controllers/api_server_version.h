// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "api/kubernetes_version.h"
#include "client/client.h"

namespace berth::controllers {

// OldestServer decides which version counts while several API servers are upgraded one after the
// other: the older one. A lower version counts at once, a higher one after kReads reads in a row
// without a lower one.
class OldestServer {
 public:
  static constexpr int kReads = 5;

  // Take adds the version that a read has found; true: another version counts now.
  bool Take(api::KubernetesVersion read);
  std::optional<api::KubernetesVersion> version() const { return version_; }

 private:
  std::optional<api::KubernetesVersion> version_;
  std::optional<api::KubernetesVersion> higher_;  // the lowest of the higher versions read in a row
  int reads_ = 0;                                 // how many
};

// ApiServerVersion follows the version of the API server on a thread of its own. Thread safe.
class ApiServerVersion {
 public:
  static constexpr std::chrono::seconds kInterval{60};

  // on_change is called on that thread when another version counts. Requires: the client outlives
  // this.
  ApiServerVersion(client::Client& client, std::function<void()> on_change,
                   std::chrono::milliseconds interval = kInterval);
  ~ApiServerVersion() { Stop(); }

  void Start();
  void Stop();

  // Known reports whether the API server has answered, be it with a refusal.
  bool Known() const;
  // Version gives nullopt while it is not known, or if the API server refuses to tell it.
  std::optional<api::KubernetesVersion> Version() const;

 private:
  void Read();

  client::Client& client_;
  const std::function<void()> on_change_;
  const std::chrono::milliseconds interval_;
  mutable std::mutex mutex_;
  OldestServer oldest_;    // guarded by mutex_
  bool answered_ = false;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace berth::controllers
