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
#include "engine/extender/object_texts.h"
#include "engine/known_pod.h"
#include "scheduler/model/object_kind.h"
#include "scheduler/scheduler.h"

namespace berth::engine {

// Informers feeds the core: always with pods and nodes, and with other kinds as long as some
// configuration needs them. What a watch hears becomes a message, and the message calls
// Scheduler::On. A kind that is not needed any more is forgotten by the core, and what was still on
// its way of it goes unheard. Of a kind whose definition is not installed, and need not be, there is
// nothing until it is.
//
// Owned by the scheduling thread, on which its messages run, too.
class Informers {
 public:
  struct Parts {
    client::Client& client;
    const Clock& clock;
    scheduler::Scheduler& scheduler;
    std::function<void(std::function<void()>)> post;  // to the scheduling thread
    KnownTexts& texts;                                // of what KeepTexts says
    std::function<void()> on_list;  // a list was applied, the first of its kind or another
  };

  // Starts with pods and nodes. Requires: all parts outlive this and the messages it posted.
  explicit Informers(Parts parts);
  ~Informers() { Stop(); }

  // List lists and watches exactly these kinds from now on, besides pods and nodes.
  void List(scheduler::ObjectKindSet kinds);
  // KeepTexts keeps whole texts of exactly these objects from now on; the constructor begins with
  // those that are needed then.
  void KeepTexts(TextNeeds needs);
  // HasTexts says whether those are there that are to be kept.
  bool HasTexts() const;
  // Stop ends all threads; the core keeps what it has.
  void Stop();

  // HasSynced says whether the first lists of pods, nodes and these kinds were applied.
  bool HasSynced(scheduler::ObjectKindSet kinds) const;
  // WhyNotSynced says of which of these kinds the first list fails, and why; nothing as long as it
  // may just take its time.
  std::optional<std::string> WhyNotSynced(scheduler::ObjectKindSet kinds) const;
  // Absent says which of these kinds the API server does not know, and what helps; empty: none.
  std::string Absent(scheduler::ObjectKindSet kinds) const;
  // ErrorWith is what is wrong with the watches of pods, nodes and these kinds now. Any thread.
  std::optional<std::string> ErrorWith(scheduler::ObjectKindSet kinds) const;

  client::Store<KnownPod> pods() const { return pods_->store(); }
  client::Store<api::Node> nodes() const { return nodes_->store(); }

 private:
  // Feed is an informer whose changes reach the core as messages. They share its progress, since
  // they may still come when the feed is gone.
  struct Progress {
    bool synced = false;
    bool ended = false;
  };
  struct Feed {
    std::unique_ptr<client::AnyInformer> informer;
    std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  };

  template <class T, class Kept>
  Feed MakeFeed(client::ReflectorOptions options) const;
  Feed MakeFeed(scheduler::ObjectKind kind) const;
  void Begin(scheduler::ObjectKind kind);
  void End(scheduler::ObjectKind kind);

  const Parts parts_;
  Feed pod_feed_, node_feed_;
  const client::Informer<api::Pod, KnownPod>* pods_;  // that of pod_feed_
  const client::Informer<api::Node>* nodes_;          // that of node_feed_
  std::map<scheduler::ObjectKind, Feed> feeds_;
  mutable std::mutex mutex_;  // guards feeds_ while it changes, and from other threads
};

}  // namespace berth::engine
