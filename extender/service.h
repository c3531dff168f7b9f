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

// Service answers the requests of schedulers to an extender. One thread decides: it alone uses the
// core, which holds the known cluster state and has no pods to schedule.
//
//   any thread ──Ask──▶ mailbox ──▶ deciding thread ──done──▶
//   watches ──objects──▶   ▲               │ bindings
//                          └──── results ──┴──▶ client
//
// Requests are answered one after the other. Limits bounds the waiting requests. A request beyond
// the limits, or older than its caller's timeout, is answered 503.
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
    client::Client* client;  // null: no cluster connection
  };

  // Validates the configuration and builds the service. Errors (kConfig) begin with `source` and
  // name every field error, or the entries that need a cluster. Requires: the parts outlive the
  // service.
  static Result<std::unique_ptr<Service>> Create(const ExtenderConfiguration& config,
                                                 const std::string& source, const Parts& parts,
                                                 const Limits& limits);
  static Result<std::unique_ptr<Service>> Create(const ExtenderConfiguration& config,
                                                 const std::string& source, const Parts& parts) {
    return Create(config, source, parts, Limits());
  }
  ~Service();  // ends the thread; waiting requests get no response

  // Starts the informers and the deciding thread.
  void Start();

  const Routes& routes() const { return routes_; }
  // Reports whether a verb that changes the cluster is served.
  bool ActsOnCluster() const;

  // Enqueues a request: `done` runs once, on the deciding thread or inside Ask. Any thread, after
  // Start. Requires: `path` is one of routes().
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
  // Returns the reason to reject a request without a decision, or nullopt: its caller has timed
  // out, or the caches are not synced.
  std::optional<std::string> RejectionReason(const Question& question) const;

  const Parts parts_;
  const Limits limits_;
  ServiceMetrics metrics_;
  Mailbox<Message> mailbox_;
  NoCluster no_cluster_;
  scheduler::SchedulerObserver observer_;
  scheduler::Vocabulary words_;       // before all members that may hold pods
  std::unique_ptr<Cluster> cluster_;  // null: no cluster connection
  scheduler::ApiPort& port_;
  std::vector<Entry> entries_;
  Routes routes_;
  scheduler::Scheduler core_;

  std::atomic<size_t> questions_ = 0;     // without a response yet
  std::atomic<size_t> bytes_ = 0;         // of these requests
  std::atomic<SteadyTime> busy_since_{};  // 0: the thread is idle
  std::jthread thread_;
};

}  // namespace berth::extender
