// SPDX-License-Identifier: Apache-2.0
#include "bench/wire/watchers.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "bench/wire/load.h"

namespace berth::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kReadyLimit{50};
constexpr std::chrono::seconds kSilenceLimit{20};
constexpr std::string_view kAdded = R"({"type":"ADDED",)";
constexpr std::string_view kVersion = R"("resourceVersion":")";

uint64_t VersionOf(std::string_view line) {
  const size_t at = line.find(kVersion);
  if (at == std::string_view::npos) return 0;
  uint64_t version = 0;
  std::from_chars(line.data() + at + kVersion.size(), line.data() + line.size(), version);
  return version;
}

}  // namespace

Watchers::Watchers(std::vector<HttpConnection> connections)
    : connections_(std::move(connections)), watches_(connections_.size()) {}

Result<std::unique_ptr<Watchers>> Watchers::Start(size_t count, const WireRequest& watch,
                                                  const HttpConnection::Options& options) {
  std::vector<HttpConnection> connections;
  for (size_t i = 0; i < count; ++i) {
    BERTH_TRY(HttpConnection connection, HttpConnection::Connect(options));
    BERTH_TRY_VOID(connection.Open(watch));
    connections.push_back(std::move(connection));
  }
  std::unique_ptr<Watchers> watchers(new Watchers(std::move(connections)));
  watchers->thread_ = std::thread([all = watchers.get()] { all->ReadAll(); });
  return watchers;
}

Watchers::~Watchers() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

bool Watchers::AllHave(size_t events) const {
  return std::all_of(watches_.begin(), watches_.end(),
                     [events](const Watch& watch) { return watch.events >= events; });
}

void Watchers::ReadAll() {
  last_ = Clock::now();
  while (!stop_) {
    const std::vector<size_t> ready = Ready(connections_, kReadyLimit);
    for (const size_t i : ready) {
      if (auto read = Read(i); !read) {
        error_ = std::move(read).error();
        return;
      }
    }
    if (!ready.empty()) last_ = Clock::now();
    const size_t wanted = wanted_;
    if (wanted == 0) continue;
    if (AllHave(wanted)) return;
    if (Clock::now() - last_ > kSilenceLimit) {
      error_ = Error(Reason::kTimeout, "watchers timed out waiting for events");
      return;
    }
  }
}

Result<void> Watchers::Read(size_t i) {
  Watch& watch = watches_[i];
  const size_t had = watch.unread.size();
  BERTH_TRY(const bool goes_on, connections_[i].Read(watch.unread));
  bytes_ += watch.unread.size() - had;
  size_t at = 0;
  for (size_t from = had, end; (end = watch.unread.find('\n', from)) != std::string::npos;) {
    BERTH_TRY_VOID(Take(std::string_view(watch.unread).substr(at, end - at), watch));
    from = at = end + 1;
  }
  watch.unread.erase(0, at);
  return goes_on ? Result<void>() : Fail(Reason::kUnavailable, "a watch ended");
}

Result<void> Watchers::Take(std::string_view line, Watch& watch) {
  if (!line.starts_with(kAdded)) {
    return Fail(Reason::kUnknown,
                "a watcher got an unexpected line: " + std::string(line.substr(0, 200)));
  }
  const uint64_t version = VersionOf(line);
  if (version <= watch.version) {
    return Fail(Reason::kUnknown, "version " + std::to_string(version) + " came after version " +
                                      std::to_string(watch.version));
  }
  watch.version = version;
  ++watch.events;
  return {};
}

Result<Watchers::Seen> Watchers::Await(size_t events) {
  wanted_ = events;
  thread_.join();
  if (error_) return Fail(*error_);
  Seen seen{.events = 0, .bytes = bytes_, .last = last_};
  for (const Watch& watch : watches_) {
    if (watch.events > events) {
      return Fail(Reason::kUnknown, "a watcher saw " + std::to_string(watch.events) +
                                        " events of " + std::to_string(events));
    }
    seen.events += watch.events;
  }
  return seen;
}

}  // namespace berth::bench
