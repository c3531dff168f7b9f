// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mailbox.h"
#include "base/metrics.h"
#include "client/client.h"
#include "extender/answers.h"
#include "extender/cluster.h"
#include "extender/configuration.h"
#include "extender/service_metrics.h"
#include "http/server/health.h"
#include "scheduler/scheduler.h"

namespace berth::extender {

// Service answers the questions of an extender. One thread decides: it alone touches the core,
// which holds what is known of the cluster and has no pods to schedule.
//
//   any thread ──Ask──▶ mailbox ──▶ deciding thread ──done──▶
//   watches ──objects──▶   ▲               │ bindings
//                          └──── answers ──┴──▶ client
//
// A question costs whoever comes after it the time to answer it, and no more of them wait than
// Limits say: beyond, and where whoever asked has given up by now, the answer is 503.
class Service {
 public:
  struct Limits {
    size_t questions = 256;
    size_t bytes = size_t{256} << 20;
  };
  struct Parts {
    const scheduler::Registry& registry;
    MetricsRegistry& metrics;
    const Clock& clock;
    client::Client* client;  // null: no cluster is known
  };

  // Create checks and builds. Errors (kConfig) begin with `source` and name every mistake, or what
  // cannot be answered without a cluster. Requires: the parts outlive the service.
  static Result<std::unique_ptr<Service>> Create(const ExtenderConfiguration& config,
                                                 const std::string& source, const Parts& parts,
                                                 const Limits& limits);
  static Result<std::unique_ptr<Service>> Create(const ExtenderConfiguration& config,
                                                 const std::string& source, const Parts& parts) {
    return Create(config, source, parts, Limits());
  }
  ~Service();  // ends the thread; questions that wait get no answer

  // Start begins to follow the cluster, and to answer.
  void Start();

  const Routes& routes() const { return routes_; }
  // ActsOnCluster says whether a verb that not everybody may ask is served.
  bool ActsOnCluster() const;

  // Ask has a question answered: `done` comes once, on the deciding thread, or inside Ask. Any
  // thread, after Start. Requires: `path` is one of routes().
  using Done = std::function<void(Answer)>;
  void Ask(const std::string& path, std::string question, Done done);

  // For /readyz and /livez; any thread.
  std::vector<http::HealthCheck> ReadyChecks() const;
  std::vector<http::HealthCheck> LiveChecks() const;

 private:
  using Message = std::function<void()>;
  struct Question;

  Service(const Parts& parts, const Limits& limits);
  Result<void> Build(const ExtenderConfiguration& config);
  void Run(const std::stop_token& stop);
  void Decide(const std::shared_ptr<Question>& question);
  void Finish(Question& question, Answer answer);
  // WhyNotNow is why a question is not thought about: whoever asked has given up, or too little is
  // known.
  std::optional<std::string> WhyNotNow(const Question& question) const;

  const Parts parts_;
  const Limits limits_;
  ServiceMetrics metrics_;
  Mailbox<Message> mailbox_;
  NoCluster no_cluster_;
  scheduler::SchedulerObserver observer_;
  scheduler::Vocabulary words_;       // before all that may hold pods
  std::unique_ptr<Cluster> cluster_;  // null: none is known
  scheduler::ApiPort& port_;
  std::vector<Entry> entries_;
  Routes routes_;
  scheduler::Scheduler core_;

  std::atomic<size_t> questions_ = 0;     // not answered yet
  std::atomic<size_t> bytes_ = 0;         // of these
  std::atomic<SteadyTime> busy_since_{};  // 0: the thread waits for work
  std::jthread thread_;
};

}  // namespace berth::extender
