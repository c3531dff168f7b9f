// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/run.h"

#include <array>
#include <barrier>
#include <exception>
#include <functional>
#include <latch>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include "tests/differential/lane.h"

namespace berth::differential {
namespace {

using Indices = std::vector<size_t>;

// Returns the scenarios that share one process.
std::vector<Scenario> WithoutExtenders(std::vector<Scenario> scenarios) {
  std::erase_if(scenarios, [](const Scenario& scenario) { return !scenario.extenders.empty(); });
  return scenarios;
}

// Course is one run; its two threads meet after the first try.
class Course {
 public:
  Course(const std::vector<Scenario>& scenarios, const Settings& settings, ComparedWith beside,
         std::filesystem::path folder)
      : scenarios_(scenarios),
        settings_(settings),
        beside_(beside),
        profiles_(Profiles(WithoutExtenders(scenarios))),
        folder_(std::move(folder)),
        outcomes_(scenarios.size()),
        meet_(2, [this]() noexcept { Judge(); }) {
    due_.resize(scenarios.size());
    if (beside == ComparedWith::kItself) {
      for (Outcome& outcome : outcomes_) outcome.beside_is = "kube-scheduler again";
    }
    std::iota(due_.begin(), due_.end(), 0);
  }

  Result<Run> Go() {
    {
      const std::jthread one([this] { RunLane(Place::kFirst); });
      const std::jthread other([this] { RunLane(Place::kSidecars); });
    }
    for (const Result<void>& opened : opened_) {
      if (!opened) return Fail(opened.error());
    }
    return std::move(run_);
  }

 private:
  enum class Place : uint8_t { kFirst, kSidecars };

  // Each thread plays the first try, then the repetitions once the other thread has finished its
  // first try.
  void RunLane(Place place) {
    std::optional<Lane> lane;
    opened_[static_cast<size_t>(place)] = Open(place, lane);
    open_.arrive_and_wait();
    if (!opened_[0] || !opened_[1]) return;
    for (int tried = 0; tried < 2; ++tried) {
      for (const size_t i : due_) {
        Transcript(place, i) = lane->Play(scenarios_[i]);
      }
      meet_.arrive_and_wait();
    }
  }

  Result<void> Open(Place place, std::optional<Lane>& lane) const {
    const bool is_berth = place == Place::kSidecars && beside_ == ComparedWith::kBerth;
    const bool is_second = place == Place::kSidecars && beside_ == ComparedWith::kItself;
    const auto folder = is_second ? folder_ / "again" : folder_;
    try {
      std::filesystem::create_directories(folder);
      lane.emplace(is_berth ? Scheduler::Program::kBerth : Scheduler::Program::kKubeScheduler,
                   profiles_, folder);
      return lane->Open();
    } catch (const std::exception& error) {
      return Fail(Reason::kUnavailable, error.what());
    }
  }

  Result<Json>& Transcript(Place place, size_t i) {
    Outcome& outcome = outcomes_[i];
    return place == Place::kFirst ? outcome.kube_scheduler : outcome.beside;
  }

  // Runs while both threads wait: collects the scenarios to repeat.
  void Judge() {
    run_.findings.resize(scenarios_.size());
    Indices again;
    for (const size_t i : due_) {
      std::vector<std::string> first = std::move(run_.findings[i].lines);
      run_.findings[i] = Compare(scenarios_[i], outcomes_[i], settings_);
      if (!run_.findings[i].lines.empty()) {
        if (!settings_.IsOpen(scenarios_[i].area)) again.push_back(i);
      } else if (!first.empty()) {
        run_.again[scenarios_[i].title()] = std::move(first);
      }
    }
    due_ = std::move(again);
  }

  const std::vector<Scenario>& scenarios_;
  const Settings& settings_;
  const ComparedWith beside_;
  const Json profiles_;
  const std::filesystem::path folder_;
  std::vector<Outcome> outcomes_;  // each thread writes only its own part
  std::array<Result<void>, 2> opened_;
  Indices due_;
  Run run_;
  std::latch open_{2};
  std::barrier<std::function<void()>> meet_;
};

}  // namespace

Result<Run> RunAll(const std::vector<Scenario>& scenarios, const Settings& settings,
                   ComparedWith beside, const std::filesystem::path& folder) {
  return Course(scenarios, settings, beside, std::filesystem::absolute(folder)).Go();
}

}  // namespace berth::differential
