// SPDX-License-Identifier: Apache-2.0
#include "extender/service.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "controllers/plugin_catalogue.h"

namespace berth::extender {
namespace {

// The deciding thread hangs if one batch of work takes this long.
constexpr std::chrono::seconds kBusyLimit{60};
// Maximum number of bindings in flight, as in a scheduler.
constexpr size_t kMaxBindings = 128;

scheduler::ObjectKindSet ReadsOf(const std::vector<Entry>& entries) {
  scheduler::ObjectKindSet kinds;
  for (const Entry& entry : entries) kinds.Add(entry.profile->reads());
  return kinds;
}

Result<void> CheckNeeds(const std::vector<Entry>& entries, const scheduler::Registry& registry) {
  std::vector<std::string> needs;
  for (size_t i = 0; i < entries.size(); ++i) {
    for (const std::string& why : entries[i].WhyClusterIsNeeded(registry)) {
      needs.push_back(api::Index("extenders", i) + ": " + why);
    }
  }
  if (needs.empty()) return {};
  return ConfigError("a cluster connection is required, set --kubeconfig or --in-cluster: " +
                     Join(needs, "; "));
}

}  // namespace

struct Service::Question {
  const std::string& path;
  const Route& route;
  std::string text;
  size_t bytes;
  SteadyTime asked;
  Done done;
};

Service::Service(const Parts& parts, const Limits& limits)
    : parts_(parts),
      limits_(limits),
      metrics_(parts.metrics),
      cluster_(parts.client == nullptr
                   ? nullptr
                   : std::make_unique<Cluster>(Cluster::Parts{
                         .client = *parts.client,
                         .clock = parts.clock,
                         .post = [this](Message message) { mailbox_.Post(std::move(message)); }})),
      port_(cluster_ == nullptr ? static_cast<scheduler::ApiPort&>(no_cluster_) : cluster_->port()),
      core_(parts.clock, port_, words_, observer_) {}

Service::~Service() {
  if (cluster_ != nullptr) cluster_->Stop();
  thread_.request_stop();
  mailbox_.Close();
  if (thread_.joinable()) thread_.join();
  words_.HandOver();
}

Result<std::unique_ptr<Service>> Service::Create(const ExtenderConfiguration& config,
                                                 const std::string& source, const Parts& parts,
                                                 const Limits& limits) {
  const auto errors = Validate(config, controllers::ViewOf(parts.registry));
  if (!errors.empty()) return ConfigError(source + ": " + api::Aggregate(errors));
  std::unique_ptr<Service> service(new Service(parts, limits));
  if (auto built = service->Build(config); !built) return Fail(built.error().With(source));
  return service;
}

Result<void> Service::Build(const ExtenderConfiguration& config) {
  const scheduler::PluginHandle handle{parts_.clock, port_, words_};
  BERTH_TRY(entries_, MakeEntries(config, parts_.registry, handle));
  if (cluster_ == nullptr) BERTH_TRY_VOID(CheckNeeds(entries_, parts_.registry));
  routes_ = RoutesOf(entries_);
  return {};
}

void Service::Start() {
  words_.HandOver();  // the deciding thread owns the interned words from here on
  if (cluster_ != nullptr) cluster_->Follow(core_, ReadsOf(entries_));
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

bool Service::ActsOnCluster() const {
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.ActsOnCluster(); });
}

void Service::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    for (const Message& message : mailbox_.Take(SteadyTime::max())) {
      if (stop.stop_requested()) break;
      busy_since_ = parts_.clock.Now();
      message();
    }
    busy_since_ = SteadyTime();
  }
  words_.HandOver();
}

void Service::Ask(const std::string& path, std::string text, Done done) {
  const auto& [served_at, route] = *routes_.find(path);
  const size_t bytes = text.size();
  const size_t waiting = questions_.fetch_add(1) + 1;
  const size_t held = bytes_.fetch_add(bytes) + bytes;
  auto question = std::make_shared<Question>(
      Question{served_at, route, std::move(text), bytes, parts_.clock.Now(), std::move(done)});
  metrics_.SetWaiting(waiting);
  if (waiting > limits_.questions || held > limits_.bytes) {
    return Finish(*question, ErrorAnswer(503, "too many requests are waiting; retry later"));
  }
  mailbox_.Post([this, question] { Decide(question); });
}

std::optional<std::string> Service::RejectionReason(const Question& question) const {
  const auto timeout = question.route.entry->config.http_timeout.length();
  if (parts_.clock.Now() - question.asked > timeout) {
    return "the request waited longer than the httpTimeout of its entry";
  }
  if (cluster_ == nullptr) return std::nullopt;
  if (question.route.verb == Verb::kBind) {
    if (cluster_->BindingsInFlight() < kMaxBindings) return std::nullopt;
    return "too many bindings are in flight; retry later";
  }
  if (cluster_->synced()) return std::nullopt;
  return "the caches are not synced yet: pods and nodes are being listed";
}

void Service::Decide(const std::shared_ptr<Question>& question) {
  if (const auto why = RejectionReason(*question)) return Finish(*question, ErrorAnswer(503, *why));
  if (question->route.verb == Verb::kBind) {
    return Bind(question->text, port_,
                [this, question](Answer answer) { Finish(*question, std::move(answer)); });
  }
  Finish(*question, AnswerTo(question->route, question->text, core_, words_, cluster_ != nullptr));
}

void Service::Finish(Question& question, Answer answer) {
  bytes_ -= question.bytes;
  metrics_.SetWaiting(--questions_);
  metrics_.Count(question.path, question.route.verb, answer.code);
  metrics_.Time(question.route.verb, parts_.clock.Now() - question.asked);
  question.done(std::move(answer));
}

std::vector<http::HealthCheck> Service::ReadyChecks() const {
  return {{"informer-sync", [this]() -> std::optional<std::string> {
             if (cluster_ == nullptr) return std::nullopt;
             return cluster_->FailureReason();
           }}};
}

std::vector<http::HealthCheck> Service::LiveChecks() const {
  return {{"deciding-thread", [this]() -> std::optional<std::string> {
             const SteadyTime since = busy_since_;
             if (since == SteadyTime() || parts_.clock.Now() - since < kBusyLimit) {
               return std::nullopt;
             }
             return "a decision takes too long";
           }}};
}

}  // namespace berth::extender
