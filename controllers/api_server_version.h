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

// OldestServer determines the version of the oldest API server during an upgrade. A lower version
// is accepted at once, a higher one after kReads reads in a row without a lower one. The next read
// may reach an API server that is not upgraded yet.
class OldestServer {
 public:
  static constexpr int kReads = 5;

  // Adds the version found by a read. Returns true if version() has changed.
  bool Take(api::KubernetesVersion read);
  std::optional<api::KubernetesVersion> version() const { return version_; }

 private:
  std::optional<api::KubernetesVersion> version_;
  std::optional<api::KubernetesVersion> higher_;  // the lowest of the higher versions read in a row
  int reads_ = 0;                                 // the number of these reads
};

// ApiServerVersion polls the version of the API server on its own thread. Thread safe.
class ApiServerVersion {
 public:
  static constexpr std::chrono::seconds kInterval{60};

  // Calls on_change on that thread when the version has changed. Requires: the client outlives
  // this.
  ApiServerVersion(client::Client& client, std::function<void()> on_change,
                   std::chrono::milliseconds interval = kInterval);
  ~ApiServerVersion() { Stop(); }

  void Start();
  void Stop();

  // Reports whether the API server has answered, with a version or with a permanent error.
  bool Known() const;
  // Returns the version; nullopt before the first answer, or if the API server rejects the request.
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
