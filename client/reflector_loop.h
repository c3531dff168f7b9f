// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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

  // Times, for tests: production keeps them. Source of the backoff: client-go
  // tools/cache/reflector.go, NewReflectorWithOptions.
  std::chrono::milliseconds first_backoff{800};
  std::chrono::milliseconds max_backoff{30'000};
  // After a watch of this length the backoff begins from the first again.
  std::chrono::milliseconds healthy_after{120'000};
  // A 403 before the first list is retried this long: RBAC may lag behind.
  std::chrono::milliseconds forbidden_grace{5'000};
  std::chrono::milliseconds forbidden_retry{250};

  // A server that does not know the kind, 404, has none of its objects: that is as good as a list. It
  // is asked again at least so often, so that the objects come soon after their definition.
  bool may_be_absent = false;
  std::chrono::milliseconds max_absent_backoff{10'000};
};

// ReflectorStatus is what a health check shows.
struct ReflectorStatus {
  std::string resource;  // "pods", "nodes"
  bool synced = false;   // the first list was delivered
  // An error that did not go away at the first retry; for 403, after the grace time.
  bool failing = false;
  std::optional<Error> last_error;
  bool absent = false;          // the server does not know the kind, which may be so
  uint64_t lists_answered = 0;  // of those that were asked for with ListAgain
  SteadyTime last_contact{};    // list answer, event, bookmark, end of a watch
};

// ObjectSink takes what a ReflectorLoop hears. All calls come from its thread.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  // Change gives the resource version of the object, or "" when it cannot be read.
  virtual std::string Change(EventType type, const std::string& object) = 0;
  // Between ListBegins and ListEnds comes everything that exists, as if it were added; what was known
  // and has not come by then is gone. A list that breaks off does not end: another begins.
  virtual void ListBegins() = 0;
  virtual void ListEnds() = 0;
  // Synced follows the end of the first list.
  virtual void Synced() = 0;
};

// ReflectorLoop keeps a sink equal to a collection of the API server: list, watch from the list's
// version, and again whatever breaks. Knows nothing of types; an Informer<T> adds them.
//
//   list, the newest ──▶ watch ──end, broken, silent──▶ watch from the last version heard
//     ▲                    │ 410 (Expired, Gone), a frame that cannot be read
//     │                    ▼
//     └──────410───── list, not older than the last version heard
//
// A list is the beginning of the watch that follows it: the server sends what there is one by one, a
// bookmark that says so, and then the changes (WatchList). So nothing is ever in memory as a whole,
// and time is limited by silence alone. From a server that refuses this (400 or 422), leaves out the
// bookmark, or sends what cannot be read, the loop reads pages, from then on. What a list brings goes
// to the sink at once; one that breaks off has told newer states than the last version heard, so that
// only the newest may follow it.
// Source: client-go tools/cache/reflector.go, watchList and list; what cannot be read ends a watch
// there, too (apimachinery pkg/watch/streamwatcher.go, receive).
//
// What was listed before is listed again in turn, one collection after another of all that a client
// reads (ListTurns), since what makes a list needed often makes all of them so. First lists wait for
// nobody.
//
// A kind that may be absent and is, is listed without an object, and asked for again; what is watched
// of it ends so, too, when its definition goes.
//
// Each error waits 800 ms, doubled up to 30 s, with 100 % jitter; two minutes of healthy watching
// reset it. An outage is logged once when it begins and once when it ends (Client).
class ReflectorLoop {
 public:
  ReflectorLoop(Client& client, const api::ResourceInfo& resource, ReflectorOptions options,
                const Clock& clock, ObjectSink& sink);
  ~ReflectorLoop();

  void Start();
  void Stop();  // waits for the thread; the sink is not called afterwards
  // ListAgain has the sink told of all there is, as soon as the server can be reached: by a list that
  // begins after this call. Any thread.
  void ListAgain();
  // HasListedAgain says whether all lists are done that were asked for so. Any thread.
  bool HasListedAgain() const;
  ReflectorStatus status() const;

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
  // ChooseNext says what to do after an error: watch again or list, and how.
  void ChooseNext(const Error& error);
  void RecordContact();
  bool IsAbsence(const Error& error) const;
  // RecordAbsent gives the time to wait before the kind is asked for again.
  Milliseconds RecordAbsent(const Error& error);
  void SetAbsent(bool absent);
  // RecordFailure records what went wrong and gives the time to wait before the next try.
  Milliseconds RecordFailure(const Error& error);
  Milliseconds NextBackoff(const Error& error);
  bool WithinForbiddenGrace(const Error& error);
  bool WithinStartGrace(const Error& error);
  std::string FieldSelector() const;
  double Random();

  Client& client_;
  const api::ResourceInfo& resource_;
  const ReflectorOptions options_;
  const Clock& clock_;
  ObjectSink& sink_;

  // Of the thread alone:
  std::string version_;                  // last one heard; empty at first: the newest there is
  bool relist_ = true;                   // the next step is a list
  bool needs_newest_ = false;            // that list must not name a version
  bool streams_lists_ = true;            // the server sends initial events, as far as we know
  bool delivered_first_ = false;         // the sink has heard Synced
  std::optional<ListTurns::Turn> turn_;  // while a list is under way that is not the first
  int failures_ = 0;                     // in a row
  int unready_answers_ = 0;              // in a row
  Milliseconds backoff_{};
  SteadyTime last_failure_{};
  std::optional<SteadyTime> forbidden_since_;
  uint64_t answers_ = 0;  // a list that ends now answers so many of those that were asked for

  mutable std::mutex mutex_;  // guards the three below
  ReflectorStatus status_;
  uint64_t lists_asked_ = 0;
  std::stop_source end_step_{std::nostopstate};
  std::jthread thread_;
};

}  // namespace berth::client
