// SPDX-License-Identifier: Apache-2.0
#include "controllers/api_server_version.h"

#include <algorithm>
#include <condition_variable>
#include <stop_token>
#include <utility>

#include "base/log.h"
#include "client/server_version.h"

namespace berth::controllers {
namespace {

constexpr std::chrono::seconds kUntilAnswered{1};

// Short, since Stop() waits for a running read.
const client::CallOptions kSoon{.timeout = std::chrono::seconds(3),
                                .max_wait = client::CallOptions::kNoWaiting};

}  // namespace

bool OldestServer::Take(api::KubernetesVersion read) {
  if (version_ && read > *version_) {
    higher_ = std::min(read, higher_.value_or(read));
    if (++reads_ < kReads) return false;
    read = *higher_;
  }
  higher_.reset();
  reads_ = 0;
  return std::exchange(version_, read) != read;
}

ApiServerVersion::ApiServerVersion(client::Client& client, std::function<void()> on_change,
                                   std::chrono::milliseconds interval)
    : client_(client), on_change_(std::move(on_change)), interval_(interval) {}

void ApiServerVersion::Start() {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    while (!stop.stop_requested()) {
      Read();
      const auto pause =
          Known() ? interval_ : std::min<std::chrono::milliseconds>(kUntilAnswered, interval_);
      std::unique_lock lock(mutex);
      stopped.wait_for(lock, stop, pause, [] { return false; });
    }
  });
}

void ApiServerVersion::Stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void ApiServerVersion::Read() {
  const Result<client::ServerInfo> info = client::AskVersion(client_, kSoon);
  if (!info && info.error().IsTransient()) return;
  bool is_change = false;
  {
    const std::lock_guard lock(mutex_);
    is_change = info ? oldest_.Take(info->version) : !answered_;
    answered_ = true;
  }
  if (!is_change) return;
  if (info) log::Info("Detected API server version", {{"kubernetes", info->text}});
  on_change_();
}

bool ApiServerVersion::Known() const {
  const std::lock_guard lock(mutex_);
  return answered_;
}

std::optional<api::KubernetesVersion> ApiServerVersion::Version() const {
  const std::lock_guard lock(mutex_);
  return oldest_.version();
}

}  // namespace berth::controllers
