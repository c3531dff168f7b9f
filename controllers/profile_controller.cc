// SPDX-License-Identifier: Apache-2.0
#include "controllers/profile_controller.h"

#include <chrono>
#include <utility>

#include "controllers/requeue.h"

namespace berth::controllers {
namespace {

constexpr int kWorkers = 4;  // a reconcile mostly waits for the API server

// Ten retries in the first minute, then one a minute.
constexpr WorkQueue::Backoff kBackoff{.first = std::chrono::milliseconds(100),
                                      .limit = std::chrono::seconds(60)};

}  // namespace

ProfileController::ProfileController(client::Client& client, WritePort& port,
                                     const PluginCatalogue& catalogue, PlanOptions options,
                                     const Clock& clock, MetricsRegistry& metrics)
    : queue_(clock, kBackoff),
      metrics_(metrics, "schedulerprofile", kWorkers, queue_),
      view_(client, clock, options.operator_namespace,
            {.on_change = [this](const std::string& name) { Enqueue(name); },
             .on_object = [this](const ObjectKey& key,
                                 const std::string& version) { memory_.Observe(key, version); },
             .on_deleted =
                 [this](std::shared_ptr<const crds::SchedulerProfile> profile) {
                   reconciler_.RecordDeleted(std::move(profile));
                 }}),
      reconciler_(view_, port, memory_, catalogue, std::move(options), clock) {
  Gauge& orphans = metrics.AddGauge(
      "berth_orphaned_schedulers",
      "Schedulers whose SchedulerProfile was deleted without them (--cascade=orphan).");
  metrics.BeforeCollect(
      [this, &orphans] { orphans.Set(static_cast<double>(reconciler_.orphans())); });
}

ProfileController::~ProfileController() { Stop(); }

void ProfileController::Watch() { view_.Start(); }

void ProfileController::Work() {
  for (int i = 0; i < kWorkers; ++i) {
    workers_.emplace_back([this] { Run(); });
  }
}

void ProfileController::Stop() {
  queue_.ShutDown();
  view_.Stop();
  workers_.clear();
}

void ProfileController::Enqueue(const std::string& name) {
  metrics_.CountAdd();
  queue_.Add(name);
}

void ProfileController::Run() {
  while (const auto name = queue_.Get()) {
    if (!queue_.IsShutDown()) Handle(*name);
    queue_.Done(*name);
  }
}

void ProfileController::Handle(const std::string& name) {
  const ControllerMetrics::Running running = metrics_.Begin();
  const Outcome outcome = reconciler_.Reconcile(name);
  metrics_.Count(outcome);
  for (const std::string& other : outcome.others) Enqueue(other);
  Requeue(outcome, "SchedulerProfile", name, queue_);
}

}  // namespace berth::controllers
