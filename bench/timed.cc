// SPDX-License-Identifier: Apache-2.0
// benchmarks: every case at the size of a large cluster, timed by Google Benchmark. Time and CPU
// are per operation; items_per_second counts operations per second of CPU time. Arguments are
// additional scenario files to measure.
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/cases.h"

namespace berth::bench {
namespace {

// TimedMeter runs the clock of a benchmark only between Start and Stop. The library requires a
// running clock at both ends of an iteration.
class TimedMeter final : public Meter {
 public:
  explicit TimedMeter(benchmark::State& state) : state_(state) { state_.PauseTiming(); }
  ~TimedMeter() override { state_.ResumeTiming(); }
  void Start() override { state_.ResumeTiming(); }
  void Stop() override { state_.PauseTiming(); }

 private:
  benchmark::State& state_;
};

// The library calls a benchmark several times to choose the number of iterations. The workload is
// kept between these calls, but only one workload at a time: some need a gigabyte.
class CurrentWorkload {
 public:
  Workload& Of(const Case& wanted) {
    if (name_ != wanted.name) {
      workload_.reset();
      workload_ = wanted.make();
      name_ = wanted.name;
      Unmeasured warm_up;
      workload_->Round(warm_up);
    }
    return *workload_;
  }

 private:
  std::string name_;
  std::unique_ptr<Workload> workload_;
};

void Run(benchmark::State& state, Workload& workload) {
  const auto operations = static_cast<benchmark::IterationCount>(workload.Operations());
  while (state.KeepRunningBatch(operations)) {
    TimedMeter meter(state);
    workload.Round(meter);
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth::bench;  // NOLINT(google-build-using-namespace)
  benchmark::Initialize(&argc, argv);
  std::vector<Case> cases = AllCases(kClusterScale);
  for (const std::string_view path : std::span(argv, static_cast<size_t>(argc)).subspan(1)) {
    auto scenario = ScenarioCase(std::string(path));
    if (!scenario) {
      std::cerr << "benchmarks: " << scenario.error().message() << "\n";
      return 1;
    }
    cases.push_back(std::move(*scenario));
  }
  CurrentWorkload current;
  for (const Case& each : cases) {
    benchmark::RegisterBenchmark(each.name.c_str(), [each, &current](benchmark::State& state) {
      Run(state, current.Of(each));
    })->Unit(benchmark::kMicrosecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
