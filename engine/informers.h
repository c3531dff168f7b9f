// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "api/node.h"
#include "api/pod.h"
#include "base/clock.h"
#include "client/client.h"
#include "client/informer.h"
#include "engine/change_flow.h"
#include "engine/extender/object_texts.h"
#include "engine/known_pod.h"
#include "scheduler/model/object_kind.h"
#include "scheduler/scheduler.h"

namespace berth::engine {

// Informers feeds the core with pods and nodes, and with other kinds while a configuration needs
// them. Each change is posted as a message, which calls Scheduler::On. When a kind is no longer
// needed, the core forgets it, and messages still on their way are ignored. A kind with an optional
// CRD is treated as empty until the CRD is installed. Each watch stops reading while too many of
// its changes wait for the scheduling thread (ChangeFlow).
//
// Owned by the scheduling thread, which also runs its messages.
class Informers {
 public:
  struct Parts {
    client::Client& client;
    const Clock& clock;
    scheduler::Scheduler& scheduler;
    std::function<void(std::function<void()>)> post;  // to the scheduling thread
    KnownTexts& texts;                                // filled according to KeepTexts
    std::function<void()> on_list;  // a list was applied: the initial one or a later one
  };

  // Starts with pods and nodes. Requires: all parts outlive this and the messages it posted.
  explicit Informers(Parts parts);
  ~Informers() { Stop(); }

  // Sets the kinds to list and watch, besides pods and nodes.
  void List(scheduler::ObjectKindSet kinds);
  // Sets the objects whose whole texts are stored. The constructor starts with the needs at that
  // time.
  void KeepTexts(TextNeeds needs);
  // Reports whether all needed texts are stored.
  bool HasTexts() const;
  // Stops all threads; the core keeps its objects.
  void Stop();

  // Reports whether the initial lists of pods, nodes and these kinds were applied.
  bool HasSynced(scheduler::ObjectKindSet kinds) const;
  // Returns which of these kinds cannot be listed, and why; nullopt if the list is only slow.
  std::optional<std::string> WhyNotSynced(scheduler::ObjectKindSet kinds) const;
  // Returns which of these kinds the API server does not have, and which CRD to install; empty:
  // none. Kinds of Kubernetes itself are left out: a plugin that is enabled by default reads them.
  std::string Absent(scheduler::ObjectKindSet kinds) const;
  // Returns an error of the watches of pods, nodes and these kinds; nullopt if there is none. Any
  // thread.
  std::optional<std::string> ErrorWith(scheduler::ObjectKindSet kinds) const;

  client::Store<KnownPod> pods() const { return pods_->store(); }
  client::Store<api::Node> nodes() const { return nodes_->store(); }

 private:
  // Feed is an informer that posts its changes to the core. Its messages share its progress, since
  // they may run after the feed is destroyed.
  struct Progress {
    bool synced = false;
    bool ended = false;
    ChangeFlow flow;
  };
  struct Feed {
    std::unique_ptr<client::AnyInformer> informer;
    std::shared_ptr<Progress> progress = std::make_shared<Progress>();

    // Stops the informer, which may be waiting for the calling thread. No change is posted
    // afterwards.
    void Stop() const;
  };

  template <class T, class Kept>
  Feed MakeFeed(client::ReflectorOptions options) const;
  Feed MakeFeed(scheduler::ObjectKind kind) const;
  void Begin(scheduler::ObjectKind kind);
  void End(scheduler::ObjectKind kind);

  const Parts parts_;
  Feed pod_feed_, node_feed_;
  const client::Informer<api::Pod, KnownPod>* pods_;  // of pod_feed_
  const client::Informer<api::Node>* nodes_;          // of node_feed_
  std::map<scheduler::ObjectKind, Feed> feeds_;
  mutable std::mutex mutex_;  // guards changes of feeds_, and its use on other threads
};

}  // namespace berth::engine
