// SPDX-License-Identifier: Apache-2.0
#include "scenario/run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/fake_clock.h"
#include "base/strings.h"
#include "scenario/api_server.h"
#include "scenario/compare.h"
#include "scenario/profiles.h"
#include "scenario/recorder.h"
#include "scenario/self_check.h"
#include "scheduler/scheduler.h"

namespace berth::scenario {
namespace {

// A step with more attempts is an endless loop.
constexpr int64_t kMaxAttempts = 1'000'000;

class Runner {
 public:
  Runner(const Scenario& scenario, const RunOptions& options)
      : scenario_(scenario),
        server_(clock_, scenario.seed, [this](std::string line) { Log(line); }),
        recorder_([this](std::string line) { Log(line); }),
        scheduler_(
            clock_, server_, words_, recorder_,
            {.initial_backoff = scenario.initial_backoff, .max_backoff = scenario.max_backoff}) {
    server_.Connect(scheduler_);
    recorder_.SetCache(scheduler_.cache());
    scheduler_.SetResultCacheBytes(options.result_cache_bytes);
  }

  Result<RunResult> Run();

 private:
  Result<void> Start();

  // One overload for each type of step.
  Result<void> Do(const Create& step) { return CreateAll(step.objects); }
  Result<void> Do(const Update& step);
  Result<void> Do(const Delete& step);
  Result<void> Do(const Schedule& step);
  Result<void> Do(const Advance& step);
  Result<void> Do(const BindFault& step);
  Result<void> Do(const Reload& step);
  Result<void> Do(const Expectation& step);

  Result<void> CreateAll(const Objects& objects);
  // Compares the core's state with the API server's.
  void SelfCheck();
  void AddDifference(const std::string& difference) {
    result_.differences.push_back(where_ + ": " + difference);
  }
  void Log(std::string_view line) { result_.transcript.append(line).push_back('\n'); }

  const Scenario& scenario_;
  RunResult result_;
  std::string where_ = "start";
  FakeClock clock_;
  scheduler::Vocabulary words_;
  ApiServer server_;
  Recorder recorder_;
  scheduler::Scheduler scheduler_;
};

Result<RunResult> Runner::Run() {
  if (auto started = Start(); !started) return Fail(started.error().With(scenario_.source));
  for (const Step& step : scenario_.steps) {
    where_ = step.where;
    Log("--- " + where_ + " at " + Duration(clock_.elapsed()).ToString());
    const auto done = std::visit([this](const auto& action) { return Do(action); }, step.action);
    if (!done) return Fail(done.error().With(scenario_.source + ": " + where_));
    server_.Deliver();
    SelfCheck();
  }
  Log("--- end");
  for (const auto& pod : server_.Pods()) {
    const std::string& node = pod->spec.node_name;
    Log(ShortKey(KeyOf(pod->metadata)) + (node.empty() ? " is pending" : " is on " + node));
  }
  return std::move(result_);
}

Result<void> Runner::Start() {
  BERTH_TRY(auto profiles, BuildProfiles(scenario_.profiles, {clock_, server_, words_}));
  scheduler_.SetProfiles(std::move(profiles));
  BERTH_TRY_VOID(CreateAll(scenario_.cluster));
  SelfCheck();
  return {};
}

Result<void> Runner::CreateAll(const Objects& objects) {
  for (const Manifest& other : objects.others) BERTH_TRY_VOID(server_.Create(other));
  for (const Template& node : objects.nodes) BERTH_TRY_VOID(server_.CreateNode(node));
  for (const Template& pod : objects.pods) BERTH_TRY_VOID(server_.CreatePod(pod));
  return {};
}

Result<void> Runner::Do(const Update& step) {
  for (const Manifest& other : step.patches.others) BERTH_TRY_VOID(server_.Replace(other));
  for (const Template& node : step.patches.nodes) BERTH_TRY_VOID(server_.UpdateNode(node));
  for (const Template& pod : step.patches.pods) BERTH_TRY_VOID(server_.UpdatePod(pod));
  return {};
}

Result<void> Runner::Do(const Delete& step) {
  for (const std::string& pod : step.pods) BERTH_TRY_VOID(server_.DeletePod(pod));
  for (const std::string& node : step.nodes) BERTH_TRY_VOID(server_.DeleteNode(node));
  for (const std::string& other : step.others) BERTH_TRY_VOID(server_.DeleteObject(other));
  return {};
}

Result<void> Runner::Do(const Schedule& step) {
  for (int64_t attempts = 0; attempts < step.attempts && scheduler_.ScheduleOne(); ++attempts) {
    if (attempts == kMaxAttempts) {
      return ConfigError("still not finished after " + std::to_string(kMaxAttempts) + " attempts");
    }
    ++result_.attempts;
    server_.Deliver();
  }
  return {};
}

// Advances the clock from one wake-up of the core to the next. Makes no attempts.
Result<void> Runner::Do(const Advance& step) {
  const SteadyTime end = clock_.Now() + step.by;
  scheduler_.Tick();
  for (auto next = scheduler_.NextWakeUp(); next && *next > clock_.Now() && *next < end;
       next = scheduler_.NextWakeUp()) {
    clock_.Advance(*next - clock_.Now());
    scheduler_.Tick();
    server_.Deliver();
  }
  clock_.Advance(end - clock_.Now());
  scheduler_.Tick();
  return {};
}

Result<void> Runner::Do(const BindFault& step) {
  server_.SetFault(step);
  return {};
}

Result<void> Runner::Do(const Reload& step) {
  auto profiles = BuildProfiles(step.profiles, {clock_, server_, words_});
  if (!step.rejected.empty()) {
    const std::string found = profiles ? "it was accepted" : profiles.error().message();
    if (profiles || found.find(step.rejected) == found.npos) {
      AddDifference("expected a rejection with \"" + step.rejected + "\", found \"" + found + "\"");
    }
    Log("rejected: " + found);
    return {};
  }
  if (!profiles) return Fail(std::move(profiles).error());
  const std::vector<std::string> new_names = scheduler_.SetProfiles(std::move(*profiles));
  for (const auto& pod : server_.Pods()) {
    const bool is_new =
        std::find(new_names.begin(), new_names.end(), pod->spec.scheduler_name) != new_names.end();
    if (is_new && pod->spec.node_name.empty()) scheduler_.On(api::Added(pod));
  }
  return {};
}

Result<void> Runner::Do(const Expectation& step) {
  for (const std::string& difference : Compare(step, {server_, recorder_, scheduler_})) {
    AddDifference(difference);
  }
  return {};
}

void Runner::SelfCheck() {
  for (const std::string& difference :
       FindDifferences(scheduler_, server_.Nodes(), server_.Pods())) {
    AddDifference("the core and the API server differ: " + difference);
  }
}

}  // namespace

Result<RunResult> RunScenario(const Scenario& scenario, const RunOptions& options) {
  return Runner(scenario, options).Run();
}

}  // namespace berth::scenario
