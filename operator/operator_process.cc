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
#include "client/kubeconfig.h"
#include "client/leader_election.h"
#include "controllers/client_port.h"
#include "controllers/controller_metrics.h"
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

// Of a server that is away, or still starting.
constexpr std::chrono::seconds kUntilAskedAgain{1};

// A stop is not noticed while the server is asked.
const client::CallOptions kSoon{.timeout = std::chrono::seconds(3),
                                .max_wait = client::CallOptions::kNoWaiting};

std::optional<std::string> FirstProblem(const controllers::ProfileController& controller) {
  const std::vector<std::string> problems = controller.Problems();
  if (problems.empty()) return std::nullopt;
  return Join(problems, "; ");
}

Endpoints HealthEndpoints(const controllers::ProfileController& controller) {
  return {.health = {{"/healthz", {}}, {"/readyz", {{.name = "watches", .problem = [&] {
                                                       return FirstProblem(controller);
                                                     }}}}}};
}

Result<std::unique_ptr<http::Server>> Listen(const std::optional<BindAddress>& at,
                                             http::Server::Handler handler) {
  if (!at) return std::unique_ptr<http::Server>();
  return http::Server::Start({.address = at->address, .port = at->port}, std::move(handler));
}

// OperatorProcess holds what runs, in the order in which it depends on each other.
class OperatorProcess {
 public:
  OperatorProcess(std::unique_ptr<client::Client> client, const client::ClientConfig& config,
                  std::string identity, const OperatorOptions& options)
      : options_(options),
        config_(config),
        client_(std::move(client)),
        recorder_(client::SendWith(*client_),
                  {.controller = std::string(crds::kOperatorName),
                   .host = HostName(),
                   .spam_limit = client::SpamLimit{},
                   .dropped = &client::AddDroppedEvents(metrics_)},
                  clock_),
        catalogue_(scheduler::MakeRegistry()),
        leads_(controllers::AddLeadership(metrics_, std::string(crds::kOperatorName))),
        port_(*client_, recorder_, [this] { return MayWrite(); }),
        controller_(*client_, port_, catalogue_, options.plan, clock_, metrics_),
        lease_(*client_, std::string(crds::kDefaultNamespace), std::string(crds::kOperatorName)),
        election_({.ns = std::string(crds::kDefaultNamespace),
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
  bool MayWrite() const { return !options_.leader_elect || election_.MayWrite(); }
  // AwaitServer waits until the API server has said which one it is; false: asked to stop first.
  Result<bool> AwaitServer(TerminationSignal& signal);
  // Begin says what was found, and refuses a server that is too old. One that does not say which it is
  // may do.
  Result<void> Begin(const Result<client::ServerInfo>& info);
  Result<void> WaitForTheEnd(TerminationSignal& signal);

  const OperatorOptions& options_;
  const client::ClientConfig& config_;
  const SystemClock clock_;
  MetricsRegistry metrics_;
  std::unique_ptr<client::Client> client_;
  client::EventRecorder recorder_;
  const controllers::PluginCatalogue catalogue_;
  Gauge& leads_;
  std::atomic<bool> started_ = false;
  std::atomic<bool> lost_ = false;
  controllers::ClientPort port_;
  controllers::ProfileController controller_;
  client::ClientLeasePort lease_;
  client::LeaderElection election_;
};

Result<void> OperatorProcess::Run(TerminationSignal& signal) {
  BERTH_TRY(const auto metrics_server, Listen(options_.metrics, Endpoints{.metrics = &metrics_}));
  BERTH_TRY(const auto health_server, Listen(options_.health, HealthEndpoints(controller_)));
  BERTH_TRY(const bool answers, AwaitServer(signal));
  if (!answers) return {};
  controller_.Watch();
  if (options_.leader_elect) {
    election_.Start();
  } else {
    started_ = true;
  }
  Result<void> ended = WaitForTheEnd(signal);
  controller_.Stop();
  if (options_.leader_elect) election_.Stop();
  return ended;
}

// That nobody answers, the client says.
Result<bool> OperatorProcess::AwaitServer(TerminationSignal& signal) {
  bool is_told = false;
  while (true) {
    const auto info = client::AskVersion(*client_, kSoon);
    if (info || !info.error().IsTransient()) {
      BERTH_TRY_VOID(Begin(info));
      return true;
    }
    if (info.error().http_code() != 0 && !std::exchange(is_told, true)) {
      log::Warn("Waited for the API server's version", {{"err", info.error()}});
    }
    if (signal.WaitFor(kUntilAskedAgain) != 0) return false;
  }
}

Result<void> OperatorProcess::Begin(const Result<client::ServerInfo>& info) {
  if (info) BERTH_TRY_VOID(CheckServer(*info));
  log::Info("Starting operator", {{"server", config_.server},
                                  {"kubernetes", info ? info->text : "unknown"},
                                  {"config", config_.source}});
  if (!info) log::Warn("Could not learn the API server's version", {{"err", info.error()}});
  return {};
}

Result<void> OperatorProcess::WaitForTheEnd(TerminationSignal& signal) {
  bool working = false;
  while (true) {
    const bool asked = signal.WaitFor(kPoll) != 0;
    if (lost_) return Fail(Reason::kConflict, "leadership was lost; another operator acts now");
    if (asked) {
      log::Info("Stopping operator");
      return {};
    }
    if (started_ && !working) {
      working = true;
      leads_.Set(1);
      log::Info("Started to reconcile SchedulerProfiles");
      controller_.Work();
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
  BERTH_TRY(const client::ClientConfig config,
            client::LoadClientConfig({.kubeconfig = options.kubeconfig}));
  BERTH_TRY(std::unique_ptr<client::Client> client,
            client::Client::Create(config, {.component = "operator"}, clock));
  BERTH_TRY(std::string identity, NewIdentity());
  OperatorProcess process(std::move(client), config, std::move(identity), options);
  return process.Run(signal);
}

}  // namespace berth::operator_
