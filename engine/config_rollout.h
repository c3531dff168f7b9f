// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/profile_record.h"
#include "base/clock.h"
#include "engine/config.h"
#include "engine/extender/object_texts.h"
#include "engine/metrics.h"
#include "engine/options.h"
#include "scheduler/model/object_kind.h"

namespace berth::engine {

struct SchedulerReport;  // heartbeat.h

// ConfigHost is the part of the engine that a rollout changes and asks.
class ConfigHost {
 public:
  virtual ~ConfigHost() = default;

  // Reads the texts that a source offers and checks them (ChooseConfig).
  virtual Choice Choose(const std::optional<std::string>& newest,
                        const std::optional<std::string>& last_good, const ConfigSource& source,
                        std::string_view running_hash) = 0;
  // Reports whether the scheduler has its first lists and schedules with a configuration.
  virtual bool IsServing() const = 0;
  // Lists and watches exactly these kinds and keeps exactly these texts. Requires: IsServing.
  virtual void List(scheduler::ObjectKindSet kinds, TextNeeds texts) = 0;
  // Reports whether the first lists of these kinds, and the texts, have arrived.
  virtual bool HasListed(scheduler::ObjectKindSet kinds) const = 0;
  // Returns which of these lists fails, and why; nullopt if none fails.
  virtual std::optional<std::string> WhyNotListed(scheduler::ObjectKindSet kinds) const = 0;
  // Makes the scheduler use this configuration from the next attempt on.
  virtual void Use(const LoadedConfig& config) = 0;
  // Publishes the report again: ConfigRollout::AddTo has changed.
  virtual void OnRollout() = 0;
};

// ConfigRollout decides which configuration the scheduler runs. A file and a ConfigMap offer texts;
// each newest text takes this way:
//
//                     bad               ┌──────────┐
//     offered text ────────────────────►│ rejected │  the running configuration stays; a scheduler
//          │                            └──────────┘  without one takes the last good text
//          │ good                             ▲
//          ▼                                  ┊ reported as rejected while a list fails
//     ┌───────────┐  reads an unlisted kind  ┌───────────────────┐
//     │ candidate │─────────────────────────►│ waiting for lists │──► dropped: a newer candidate, or
//     └───────────┘                          └───────────────────┘    the running text is back
//          │ all kinds listed,                        │ all kinds listed
//          │ or nothing is served yet                 │
//          ▼                                          ▼
//     ┌─────────┐                                ┌─────────┐
//     │ applied │                                │ applied │
//     └─────────┘                                └─────────┘
//
// The file is considered if no ConfigMap is watched, or the ConfigMap does not exist or is
// rejected, or it has not arrived within EngineOptions::config_map_wait. A rejected text does not
// drop a waiting one. With EngineOptions::profile nothing is considered before that profile has been
// read, and a text that its status does not record waits until it does: another client wrote it, or
// the operator is about to record it. Settings that only a start can change keep their values; they are reported
// (settings.h). Owned by the scheduling thread, except where noted. See docs/design/0015.
class ConfigRollout {
 public:
  // Requires: all outlive this.
  ConfigRollout(ConfigHost& host, const EngineOptions& options, SchedulerMetrics& metrics,
                const Clock& clock)
      : host_(host), options_(options), metrics_(metrics), clock_(clock) {}

  // Reads and checks the file of the options, but does not consider it yet. Error (kConfig): it is
  // rejected, and there is no good text to start with and no ConfigMap to wait for.
  Result<void> LoadFile();
  // Starts the wait for the ConfigMap, or considers the file if none is watched.
  void Start();
  // Considers the file once, unless a text of the ConfigMap runs.
  void ConsiderFile();
  // Considers the texts of the ConfigMap.
  void OnConfigMap(const api::ConfigMap& map);
  // Considers texts that waited for this state of the profile; nullptr: it does not exist.
  void OnProfile(const api::ProfileRecord* profile);
  // Applies the waiting configuration if its lists have arrived. Call it after each list.
  void OnList();
  // Does what is due at this time: considers the file, reports failing lists.
  void Step(SteadyTime now);
  // Returns when Step has work; nullopt: no time is set.
  std::optional<SteadyTime> NextStep(SteadyTime now) const;

  // The configuration that runs, with the settings that only a start can change as they were then;
  // nullopt before the first one.
  const std::optional<LoadedConfig>& running() const { return running_; }
  // Adds the state of the rollout to a report.
  void AddTo(SchedulerReport& report) const;

  // The running configuration for /configz; empty before the first one. Any thread.
  std::string Json() const;
  // The kinds that the plugins of the running configuration read. Any thread.
  scheduler::ObjectKindSet reads() const;

 private:
  // Texts are the two texts of a source.
  struct Texts {
    std::optional<std::string> newest;
    std::optional<std::string> last_good;
    ConfigSource source;
  };
  // Records are the hashes of the texts that the profile's status records.
  struct Records {
    bool all = false;  // any text may be used
    std::vector<std::string> hashes;
    bool operator==(const Records&) const = default;
  };

  ConfigSource FileSource() const;
  bool KnowsRecords() const { return !options_.profile || records_; }
  bool IsRecorded(const std::optional<std::string>& text) const;
  bool ConsiderTexts(const Texts& texts);
  void Consider(Choice choice);
  void Take(LoadedConfig candidate);
  void Drop();
  void CheckLists();
  void Apply(LoadedConfig config);
  void SetRunning(LoadedConfig config);
  void LogApplied() const;
  TextNeeds RunningNeeds() const;

  ConfigHost& host_;
  const EngineOptions& options_;
  SchedulerMetrics& metrics_;
  const Clock& clock_;

  bool has_file_ = false;            // until it is considered, or a text of the ConfigMap runs
  SteadyTime file_due_{};            // when the file is considered without a ConfigMap
  std::optional<Records> records_;   // nullopt: the profile was not read yet
  std::optional<Texts> unrecorded_;  // of the ConfigMap; they wait for their record
  std::string logged_hash_;          // of the last text that was logged as unrecorded
  std::optional<LoadedConfig> running_;
  std::optional<api::KubeSchedulerConfiguration> started_;  // the first configuration that ran
  std::string needs_restart_;  // settings of the newest text that differ from started_; empty: none
  std::string rejection_;      // why the newest text was rejected; empty: it was not
  std::string rejected_hash_;  // the hash of that text
  std::optional<LoadedConfig> waiting_;
  std::optional<std::string> list_error_;  // why a list of waiting_ fails

  mutable std::mutex mutex_;
  std::string json_;                // guarded by mutex_
  scheduler::ObjectKindSet reads_;  // guarded by mutex_
};

}  // namespace berth::engine
