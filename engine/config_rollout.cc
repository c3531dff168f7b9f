// SPDX-License-Identifier: Apache-2.0
#include "engine/config_rollout.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "api/scheduler_contract.h"
#include "base/log.h"
#include "base/strings.h"
#include "engine/extender/http_extender.h"
#include "engine/heartbeat.h"
#include "engine/settings.h"

namespace berth::engine {
namespace {

// How often the lists of a waiting configuration are checked for errors.
constexpr std::chrono::seconds kCheckListsEvery{1};

std::optional<std::string> Find(const api::StringMap& map, std::string_view key) {
  const auto found = map.find(std::string(key));
  if (found == map.end()) return std::nullopt;
  return found->second;
}

}  // namespace

// With a ConfigMap to watch, the file is that ConfigMap as the operator mounted it.
ConfigSource ConfigRollout::FileSource() const {
  const bool is_rendered =
      options_.config_map || options_.config_source.starts_with(api::kMountedFolder);
  return {options_.config_source, is_rendered, options_.sidecar_ports};
}

Result<void> ConfigRollout::LoadFile() {
  has_file_ = options_.config_text.has_value();
  if (!has_file_ || options_.config_map) return {};
  const Choice choice =
      host_.Choose(options_.config_text, options_.last_good_text, FileSource(), "");
  if (!choice.config) return ConfigError(choice.error);
  return {};
}

void ConfigRollout::Start() {
  file_due_ = clock_.Now() + options_.config_map_wait;
  if (!options_.config_map) ConsiderFile();
}

void ConfigRollout::ConsiderFile() {
  if (!has_file_) return;
  file_due_ = std::min(file_due_, clock_.Now());
  if (!KnowsRecords()) return;
  has_file_ = false;
  ConsiderTexts({options_.config_text, options_.last_good_text, FileSource()});
}

void ConfigRollout::OnConfigMap(const api::ConfigMap& map) {
  Texts texts{Find(map.data, api::kConfigKey),
              Find(map.data, api::kLastGoodKey),
              {"ConfigMap " + options_.config_map->ToString(), /*is_rendered=*/true,
               options_.sidecar_ports}};
  unrecorded_.reset();
  if (!ConsiderTexts(texts)) unrecorded_ = std::move(texts);
  if (running_) has_file_ = false;
}

void ConfigRollout::OnProfile(const api::ProfileRecord* profile) {
  Records records;
  if (profile != nullptr) {
    const api::ProfileRecord::Scheduler& status = profile->status.scheduler;
    records.all = Find(profile->metadata.annotations, api::kPausedAnnotation) == api::kPausedValue;
    records.hashes = {status.config_hash, status.applied_config_hash};
  } else {
    records.all = true;
  }
  if (records_ == records) return;
  records_ = std::move(records);
  if (unrecorded_ && ConsiderTexts(*unrecorded_)) unrecorded_.reset();
}

bool ConfigRollout::IsRecorded(const std::optional<std::string>& text) const {
  if (!text || !options_.profile) return true;
  if (!records_) return false;
  return records_->all ||
         std::ranges::find(records_->hashes, api::ConfigHash(*text)) != records_->hashes.end();
}

// Returns false if the newest text is not recorded. Then a scheduler keeps its configuration; a
// starting one takes the last good text.
bool ConfigRollout::ConsiderTexts(const Texts& texts) {
  const std::string running = running_ ? running_->hash : "";
  const auto last_good = IsRecorded(texts.last_good) ? texts.last_good : std::nullopt;
  if (IsRecorded(texts.newest)) {
    Consider(host_.Choose(texts.newest, last_good, texts.source, running));
    return true;
  }
  const std::string hash = api::ConfigHash(*texts.newest);
  if (records_ && std::exchange(logged_hash_, hash) != hash) {
    log::Info("Configuration is not used: the status of the SchedulerProfile does not record it",
              {{"source", texts.source.name}, {"hash", hash}, {"profile", *options_.profile}});
  }
  if (!running_ && last_good)
    Consider(host_.Choose(last_good, std::nullopt, texts.source, running));
  return false;
}

void ConfigRollout::Consider(Choice choice) {
  rejection_ = std::move(choice.error);
  rejected_hash_ = std::move(choice.rejected_hash);
  if (!rejection_.empty()) {
    log::Error("Configuration rejected", {{"err", rejection_}});
    metrics_.CountReload(SchedulerMetrics::Reload::kRejected);
  }
  if (choice.config) {
    Take(std::move(*choice.config));
  } else if (rejection_.empty()) {  // the running text is the newest one again
    Drop();
  }
  host_.OnRollout();
}

// Applies a candidate at once if nothing is served yet or its lists are there; else it waits.
void ConfigRollout::Take(LoadedConfig candidate) {
  waiting_.reset();
  list_error_.reset();
  if (!host_.IsServing()) return Apply(std::move(candidate));
  const scheduler::ObjectKindSet wanted = scheduler::ReadsOf(candidate.profiles);
  scheduler::ObjectKindSet kinds = reads();
  kinds.Add(wanted);
  host_.List(kinds, Both(RunningNeeds(), NeedsOf(candidate.config.extenders)));
  if (host_.HasListed(wanted)) return Apply(std::move(candidate));
  log::Info("Configuration waits for first lists", {{"hash", candidate.hash}});
  waiting_ = std::move(candidate);
}

// Drops the waiting configuration and the lists that only it needs.
void ConfigRollout::Drop() {
  if (!waiting_) return;
  waiting_.reset();
  host_.List(reads(), RunningNeeds());
}

void ConfigRollout::OnList() {
  if (!waiting_ || !host_.HasListed(scheduler::ReadsOf(waiting_->profiles))) return;
  Apply(*std::exchange(waiting_, std::nullopt));
  host_.OnRollout();
}

void ConfigRollout::Step(SteadyTime now) {
  if (now >= file_due_) ConsiderFile();
  if (waiting_) CheckLists();
}

std::optional<SteadyTime> ConfigRollout::NextStep(SteadyTime now) const {
  std::optional<SteadyTime> next;
  if (has_file_ && KnowsRecords()) next = file_due_;
  if (waiting_ && (!next || now + kCheckListsEvery < *next)) next = now + kCheckListsEvery;
  return next;
}

void ConfigRollout::CheckLists() {
  auto error = host_.WhyNotListed(scheduler::ReadsOf(waiting_->profiles));
  if (error == list_error_) return;
  list_error_ = std::move(error);
  host_.OnRollout();
}

void ConfigRollout::AddTo(SchedulerReport& report) const {
  report.applied_hash = running_ ? running_->hash : "";
  report.needs_restart = needs_restart_;
  report.error = rejection_;
  report.rejected_hash = rejected_hash_;
  if (rejection_.empty() && waiting_ && list_error_) {
    report.error = *list_error_;
    report.rejected_hash = waiting_->hash;
  }
}

void ConfigRollout::Apply(LoadedConfig config) {
  SetRunning(std::move(config));
  host_.Use(*running_);
  metrics_.CountReload(needs_restart_.empty() ? SchedulerMetrics::Reload::kApplied
                                              : SchedulerMetrics::Reload::kNeedsRestart);
  metrics_.SetConfig(running_->hash);
  LogApplied();
}

// Flags override the configuration, and the settings of the start stay as they were then.
void ConfigRollout::SetRunning(LoadedConfig config) {
  api::KubeSchedulerConfiguration& wanted = config.config;
  api::LeaderElectionConfiguration& election = wanted.leader_election;
  if (options_.leader_elect) election.leader_elect = *options_.leader_elect;
  if (options_.lease) {
    election.resource_namespace = options_.lease->ns;
    election.resource_name = options_.lease->name;
  }
  if (!started_) started_ = wanted;
  needs_restart_ = Join(NeedsRestart(*started_, wanted), "; ");
  KeepFromStart(wanted, *started_);
  running_ = std::move(config);
  const std::lock_guard lock(mutex_);
  json_ = json::Encode(running_->config);
  reads_ = scheduler::ReadsOf(running_->profiles);
}

void ConfigRollout::LogApplied() const {
  std::vector<std::string> names;
  for (const auto& [name, profile] : running_->profiles) names.push_back(name);
  log::Info("Applied configuration",
            {{"hash", running_->hash}, {"schedulerNames", Join(names, ",")}});
  for (const std::string& setting : WithoutEffect(running_->config)) {
    log::Warn("Setting has no effect", {{"setting", setting}});
  }
  if (needs_restart_.empty()) return;
  log::Warn("Settings take effect only after a restart", {{"settings", needs_restart_}});
}

TextNeeds ConfigRollout::RunningNeeds() const { return NeedsOf(running_->config.extenders); }

std::string ConfigRollout::Json() const {
  const std::lock_guard lock(mutex_);
  return json_;
}

scheduler::ObjectKindSet ConfigRollout::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

}  // namespace berth::engine
