// SPDX-License-Identifier: Apache-2.0
#include "operator/operator_process.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "base/strings.h"
#include "client/client.h"
#include "client/event_recorder.h"
#include "client/leader_election.h"
#include "controllers/client_port.h"
#include "controllers/controller_metrics.h"
#include "controllers/pod_group_controller.h"
#include "controllers/profile_controller.h"
#include "controllers/render.h"
#include "crds/names.h"
#include "http/server/health.h"
#include "http/server/server.h"
#include "operator/commands/signals.h"
#include "operator/process.h"
#include "operator/supported_server.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr std::chrono::milliseconds kPoll{100};

// Retry interval while the server is unreachable or starting.
constexpr std::chrono::seconds kUntilAskedAgain{1};

// An API server that has just started answers 401 and 403 to every account until it has read the
// service accounts and the RBAC roles, so the first such answers are not final.
constexpr int kMaxDeniedAttempts = 10;

bool IsDenied(const Error& error) { return error.http_code() == 401 || error.http_code() == 403; }

// Keeps requests short, because a stop signal is not noticed during a request.
const client::CallOptions kSoon{.timeout = std::chrono::seconds(3),
                                .max_wait = client::CallOptions::kNoWaiting};

// Repeats a request until the API server answers, even with an error; if it denies the request, up
// to kMaxDeniedAttempts times. Returns nullopt if stopped meanwhile. The client logs an unreachable
// server.
template <class Ask>
auto RetryUntilAnswered(std::string_view what, TerminationSignal& signal, const Ask& ask)
    -> std::optional<decltype(ask())> {
  bool is_logged = false;
  int denied = 0;
  while (true) {
    auto answer = ask();
    if (answer) return answer;
    const bool may_change =
        IsDenied(answer.error()) ? ++denied < kMaxDeniedAttempts : answer.error().IsTransient();
    if (!may_change) return answer;
    if (answer.error().http_code() != 0 && !std::exchange(is_logged, true)) {
      log::Warn("Waited for the API server", {{"for", what}, {"err", answer.error()}});
    }
    if (signal.WaitFor(kUntilAskedAgain) != 0) return std::nullopt;
  }
}

Result<std::unique_ptr<http::Server>> Listen(const std::optional<BindAddress>& at,
                                             http::Server::Handler handler) {
  if (!at) return std::unique_ptr<http::Server>();
  return http::Server::Start({.address = at->address, .port = at->port}, std::move(handler));
}

// OperatorProcess holds the components in the order of their dependencies.
class OperatorProcess {
 public:
  OperatorProcess(std::unique_ptr<client::Client> client, std::string identity,
                  const OperatorOptions& options)
      : options_(options),
        client_(std::move(client)),
        recorder_(client::SendWith(*client_),
                  {.controller = std::string(crds::kOperatorName),
                   .host = HostName(),
                   .spam_limit = client::SpamLimit{},
                   .dropped = &client::AddDroppedEvents(metrics_)},
                  clock_),
        catalogue_(scheduler::MakeRegistry()),
        plan_(options.plan),
        leads_(controllers::AddLeadership(metrics_, std::string(crds::kOperatorName))),
        port_(*client_, recorder_, [this] { return MayWrite(); }),
        lease_(*client_, plan_.operator_namespace, std::string(crds::kOperatorName)),
        election_({.ns = plan_.operator_namespace,
                   .name = std::string(crds::kOperatorName),
                   .identity = std::move(identity)},
                  lease_, clock_,
                  {.on_started = [this] { started_ = true; },
                   .on_lost = [this] { lost_ = true; },
                   .on_holder =
                       [](const std::string& holder) {
                         log::Info("Saw new leader", {{"holder", holder}});
                       }}) {
    AddProcessMetrics(metrics_);
  }

  Result<void> Run(TerminationSignal& signal);

 private:
  // Both wait for an unreachable API server; false: stopped meanwhile. A server without a known
  // version is accepted; one that is too old is rejected.
  Result<bool> CheckVersion(TerminationSignal& signal);
  Result<bool> FindDefaultImage(TerminationSignal& signal);
  // Returns the reason why the operator does not know the cluster state; nullopt: it is ready.
  std::optional<std::string> FailureReason() const;
  // Returns the reason why the operator must be restarted; nullopt: it is live.
  std::optional<std::string> StuckReason() const;
  Endpoints HealthEndpoints() const;
  bool MayWrite() const { return !options_.leader_elect || election_.MayWrite(); }
  Result<void> WaitForTheEnd(TerminationSignal& signal);

  const OperatorOptions& options_;
  const SystemClock clock_;
  MetricsRegistry metrics_;
  std::unique_ptr<client::Client> client_;
  client::EventRecorder recorder_;
  const controllers::PluginCatalogue catalogue_;
  controllers::PlanOptions plan_;
  Gauge& leads_;
  std::atomic<bool> started_ = false;
  std::atomic<bool> lost_ = false;
  controllers::ClientPort port_;
  std::optional<controllers::ProfileController> controller_;  // set when plan_ is complete
  std::optional<controllers::PodGroupController> pod_groups_;
  std::atomic<bool> watching_ = false;  // the controllers are set
  client::ClientLeasePort lease_;
  client::LeaderElection election_;
};

Result<void> OperatorProcess::Run(TerminationSignal& signal) {
  BERTH_TRY(const auto metrics_server, Listen(options_.metrics, Endpoints{.metrics = &metrics_}));
  BERTH_TRY(const auto health_server, Listen(options_.health, HealthEndpoints()));
  BERTH_TRY(const bool answers, CheckVersion(signal));
  if (!answers) return {};
  BERTH_TRY(const bool found, FindDefaultImage(signal));
  if (!found) return {};
  controller_.emplace(*client_, port_, catalogue_, plan_, clock_, metrics_);
  controller_->Watch();
  if (options_.pod_groups) pod_groups_.emplace(*client_, port_, clock_, metrics_).Watch();
  watching_ = true;
  if (options_.leader_elect) {
    election_.Start();
  } else {
    started_ = true;
  }
  Result<void> ended = WaitForTheEnd(signal);
  controller_->Stop();
  if (pod_groups_) pod_groups_->Stop();
  if (options_.leader_elect) election_.Stop();
  return ended;
}

Result<bool> OperatorProcess::CheckVersion(TerminationSignal& signal) {
  const auto info = RetryUntilAnswered("its version", signal,
                                       [this] { return client::AskVersion(*client_, kSoon); });
  if (!info) return false;
  if (*info) BERTH_TRY_VOID(CheckServer(**info));
  log::Info("Starting operator", {{"server", options_.cluster.server},
                                  {"kubernetes", *info ? (*info)->text : "unknown"},
                                  {"config", options_.cluster.source},
                                  {"namespace", plan_.operator_namespace}});
  if (!*info) log::Warn("Could not read the API server's version", {{"err", info->error()}});
  return true;
}

Result<bool> OperatorProcess::FindDefaultImage(TerminationSignal& signal) {
  if (!options_.image_of) return true;
  const OwnPod& own = *options_.image_of;
  const auto pod = RetryUntilAnswered("the operator's own Pod", signal, [&, this] {
    return client_->Get<api::Pod>(own.ns, own.name, kSoon);
  });
  if (!pod) return false;
  if (!*pod) {
    return Fail(
        pod->error().With("read Pod " + own.ns + "/" + own.name +
                          ", whose image is the default of schedulers without --scheduler-image"));
  }
  BERTH_TRY(controllers::DefaultImage image, OwnImageIn(**pod));
  SetDefaultImage(std::move(image), plan_);
  log::Info("Schedulers run the operator's own image",
            {{"image", plan_.default_image.name}, {"Pod", own.ns + "/" + own.name}});
  return true;
}

std::optional<std::string> OperatorProcess::FailureReason() const {
  if (!watching_) return "the API server has not answered yet";
  const std::vector<std::string> errors = controller_->Errors();
  if (errors.empty()) return std::nullopt;
  return Join(errors, "; ");
}

std::optional<std::string> OperatorProcess::StuckReason() const {
  if (!watching_) return std::nullopt;
  std::optional<std::string> reason = controller_->StuckReason();
  if (!reason && pod_groups_) reason = pod_groups_->StuckReason();
  if (reason) log::Warn("Operator must be restarted", {{"err", *reason}});
  return reason;
}

Endpoints OperatorProcess::HealthEndpoints() const {
  return {
      .health = {{"/healthz", {{.name = "workers", .error = [this] { return StuckReason(); }}}},
                 {"/readyz", {{.name = "watches", .error = [this] { return FailureReason(); }}}}}};
}

Result<void> OperatorProcess::WaitForTheEnd(TerminationSignal& signal) {
  bool working = false;
  while (true) {
    const bool asked = signal.WaitFor(kPoll) != 0;
    if (lost_) return Fail(Reason::kConflict, "leadership was lost; another operator is active");
    if (asked) {
      log::Info("Stopping operator");
      return {};
    }
    if (started_ && !working) {
      working = true;
      leads_.Set(1);
      log::Info("Started to reconcile SchedulerProfiles");
      controller_->Work();
      if (pod_groups_) pod_groups_->Work();
    }
  }
}

}  // namespace

Result<std::optional<BindAddress>> ParseBindAddress(std::string_view flag, std::string_view value) {
  if (value == "0") return std::optional<BindAddress>();
  const size_t colon = value.rfind(':');
  const auto wrong = [&] {
    return ConfigError(std::string(flag) + ": found \"" + std::string(value) +
                       "\", allowed: ADDRESS:PORT, :PORT, or 0 to turn it off");
  };
  if (colon == std::string_view::npos) return wrong();
  const std::string_view digits = value.substr(colon + 1);
  BindAddress parsed{.address = std::string(value.substr(0, colon))};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), parsed.port);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
    return wrong();
  if (parsed.address.starts_with('[') && parsed.address.ends_with(']')) {
    parsed.address = parsed.address.substr(1, parsed.address.size() - 2);
  }
  if (parsed.address.empty()) parsed.address = "::";
  return std::optional<BindAddress>(std::move(parsed));
}

Result<void> RunOperator(const OperatorOptions& options) {
  TerminationSignal signal;
  const SystemClock clock;
  BERTH_TRY(std::unique_ptr<client::Client> client,
            client::Client::Create(options.cluster, {.component = "operator"}, clock));
  BERTH_TRY(std::string identity, NewIdentity());
  OperatorProcess process(std::move(client), std::move(identity), options);
  return process.Run(signal);
}

}  // namespace berth::operator_
