// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/meta.h"
#include "base/clock.h"
#include "base/error.h"
#include "client/client.h"

namespace berth::client {

struct ReflectorOptions {
  std::string ns;    // empty: all namespaces, or a cluster-scoped kind
  std::string name;  // only this object
  std::string label_selector;
  std::string field_selector;

  // Random numbers in [0, 1); called on the reflector's thread. Unset: seeded by the system.
  std::function<double()> random;

  // Times, changed only by tests. Source of the backoff: client-go tools/cache/reflector.go,
  // NewReflectorWithOptions.
  std::chrono::milliseconds first_backoff{800};
  std::chrono::milliseconds max_backoff{30'000};
  // A watch of this length resets the backoff.
  std::chrono::milliseconds healthy_after{120'000};
  // A 403 before the first list is retried for this time: RBAC may lag behind.
  std::chrono::milliseconds forbidden_grace{5'000};
  std::chrono::milliseconds forbidden_retry{250};

  // After 404, a kind that the server does not serve, the list is retried at least every
  // max_absent_backoff, so that objects appear soon after their CRD. may_be_absent treats it as an
  // empty list, otherwise it is an error.
  std::chrono::milliseconds max_absent_backoff{10'000};
  bool may_be_absent = false;

  // Older versions of the resource. The versions are tried in turn after 404, the newest first.
  // Requires: outlives the loop. Informer sets it.
  std::span<const std::string_view> old_versions;
};

// ReflectorStatus is the state that health checks report.
struct ReflectorStatus {
  std::string resource;  // "pods", "nodes"
  bool synced = false;   // the first list was delivered
  // An error that persisted after the first retry; for 403, after the grace time.
  bool failing = false;
  std::optional<Error> last_error;
  // The server does not serve the kind (may_be_absent). False before the sink receives an object.
  bool absent = false;
  uint64_t lists_answered = 0;  // completed lists of ListAgain
  SteadyTime last_contact{};    // list response, event, bookmark, end of a watch
};

// ObjectSink receives the objects of a ReflectorLoop. All calls come from the loop's thread.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  // Returns the resource version of the object, or "" if it cannot be decoded.
  virtual std::string Change(EventType type, const std::string& object) = 0;
  // Between ListBegins and ListEnds every existing object is passed to Change as an addition. Known
  // objects that have not come by ListEnds are deleted. A failed list does not end: another
  // ListBegins follows.
  virtual void ListBegins() = 0;
  virtual void ListEnds() = 0;
  // Called after the first ListEnds.
  virtual void Synced() = 0;
};

// ReflectorLoop keeps a sink equal to a collection of the API server: list, watch from the list's
// version, and recover from every error. It knows no types; Informer<T> adds them.
//
//   list, the newest ──▶ watch ──end, broken, silent──▶ watch from the last version received
//     ▲                    │ 410 (Expired, Gone), a frame that cannot be decoded
//     │                    ▼
//     └──────410───── list, not older than the last version received
//
// A list is the start of the watch that follows it (WatchList): the server sends the existing
// objects one by one, then a bookmark, then the changes. A whole list is never in memory, and only
// a silent connection times out. If the server rejects this (400 or 422), omits the bookmark or
// sends an invalid frame, the loop reads pages from then on. Listed objects reach the sink at once.
// A failed list may have delivered states newer than the last version received, so only a list of
// the newest version may follow it.
// Source: client-go tools/cache/reflector.go, watchList and list; an invalid frame ends a
// watch there, too (apimachinery pkg/watch/streamwatcher.go, receive).
//
// Relists take turns, one collection of a client at a time (ListTurns), because the cause of a
// relist often affects all collections. First lists do not wait.
//
// An absent kind (may_be_absent) is treated as an empty collection and retried. Its watched objects
// are deleted when its CRD is deleted.
//
// A kind with older versions is read in one that the server serves, until the server no longer
// serves it: after an upgrade of the server. The next version is then tried without a wait. The
// kind is absent if the server serves no version.
//
// Each error is followed by a wait of 800 ms, doubled up to 30 s, with 100 % jitter. Two minutes of
// healthy watching reset it. An outage is logged once when it begins and once when it ends
// (Client).
class ReflectorLoop {
 public:
  ReflectorLoop(Client& client, const api::ResourceInfo& resource, ReflectorOptions options,
                const Clock& clock, ObjectSink& sink);
  ~ReflectorLoop();

  void Start();
  void Stop();  // waits for the thread; the sink is not called afterwards
  // Requests a list that begins after this call, as soon as the server is reachable; the sink
  // receives all objects. Any thread.
  void ListAgain();
  // Reports whether all lists requested by ListAgain are done. Any thread.
  bool HasListedAgain() const;
  ReflectorStatus status() const;
  // Returns the resource in the version in use. Called by the sink.
  const api::ResourceInfo& resource() const { return versions_[version_in_use_]; }

 private:
  using Milliseconds = std::chrono::milliseconds;

  void Run(std::stop_token stop);
  Result<void> Step(const std::stop_token& stop);
  void BeginStep(std::stop_source end);
  bool WasAskedToList() const;
  Result<void> ListPages(std::stop_token stop);
  Result<void> Watch(std::stop_token stop);
  Result<void> Follow(WatchStream& stream);
  Result<void> TakeInitialEvents(WatchStream& stream);
  Result<void> TakeChanges(WatchStream& stream);
  void TakeListed(EventType type, const std::string& object);
  void RecordListed(std::string version);
  void EndList(std::string version);
  // Chooses the next step after an error: watch or list, and the kind of list.
  void ChooseNext(const Error& error);
  void RecordContact();
  // Records that the resource is served in the version in use.
  void RecordServed();
  // Chooses another version of the resource. Returns false if the server serves none.
  bool TryNextVersion();
  // Returns the wait before the kind is listed again.
  Milliseconds RecordAbsent(const Error& error);
  void SetAbsent(bool absent);
  // Records the error and returns the wait before the next attempt.
  Milliseconds RecordFailure(const Error& error);
  Milliseconds NextBackoff(const Error& error);
  bool WithinForbiddenGrace(const Error& error);
  bool WithinStartGrace(const Error& error);
  std::string FieldSelector() const;
  double Random();

  Client& client_;
  const std::vector<api::ResourceInfo> versions_;  // the newest first
  const ReflectorOptions options_;
  const Clock& clock_;
  ObjectSink& sink_;

  // Used by the thread only:
  size_t version_in_use_ = 0;            // of versions_
  size_t unserved_versions_ = 0;         // in a row
  std::optional<size_t> version_named_;  // the last one in the log
  std::string version_;                  // last one received; empty: the newest
  bool relist_ = true;                   // the next step is a list
  bool needs_newest_ = false;            // that list must not name a version
  bool streams_lists_ = true;            // the server supports initial events, as far as known
  bool delivered_first_ = false;         // Synced was called
  std::optional<ListTurns::Turn> turn_;  // held during each list but the first
  int failures_ = 0;                     // in a row
  int unready_answers_ = 0;              // in a row
  Milliseconds backoff_{};
  SteadyTime last_failure_{};
  std::optional<SteadyTime> forbidden_since_;
  uint64_t answers_ = 0;  // value of lists_asked_ that the current list satisfies

  mutable std::mutex mutex_;  // guards the three below
  ReflectorStatus status_;
  uint64_t lists_asked_ = 0;
  std::stop_source end_step_{std::nostopstate};
  std::jthread thread_;
};

}  // namespace berth::client
