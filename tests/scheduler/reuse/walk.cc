// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/walk.h"

#include <array>
#include <sstream>
#include <utility>

#include "scheduler/framework/known_rejections.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/reuse/decision.h"
#include "tests/scheduler/reuse/random_extenders.h"
#include "tests/scheduler/reuse/random_profiles.h"
#include "tests/scheduler/reuse/scripted_plugins.h"

namespace berth::scheduler::testing {
namespace {

constexpr size_t kLittleRoom = size_t{256} << 10;

class Walker {
 public:
  explicit Walker(const WalkOptions& options)
      : options_(options),
        random_(options.seed),
        world_(random_, options.nodes, options.shapes),
        registry_(options.plugins(world_.facts())),
        result_cache_(options.result_cache_bytes) {
    Reload();
  }

  WalkReport Run() {
    while (report_.steps < options_.steps && !report_.difference) {
      ++report_.steps;
      if (random_.Percent(50)) {
        DecideTwice();
      } else if (random_.OneIn(100)) {
        Reload();
      } else {
        world_.Change();
      }
    }
    report_.result_cache = result_cache_.statistics();
    return std::move(report_);
  }

 private:
  // Replaces the profiles, like a new configuration.
  void Reload() {
    result_cache_.Clear();
    profiles_ = RandomProfiles(random_, registry_, world_.handle(),
                               options_.has_extenders ? extenders_.Make(world_.handle()) : nullptr);
    ++report_.reloads;
  }

  void DecideTwice();
  void RejectTogether(const PendingPod& first, const AlgorithmInput& input);
  void Check(const PendingPod& pod, const Decision& reused, const Decision& computed);
  void Count(Outcome::Kind kind);

  const WalkOptions& options_;
  Random random_;
  World world_;
  const Registry registry_;
  ResultCache result_cache_;
  RandomExtenders extenders_;
  Profiles profiles_;
  size_t start_ = 0;
  WalkReport report_;
};

// Decides about one pod with and without the result cache. A trace may change the search, so some
// decisions are made traced and untraced, in either order: the first fills the cache for the
// second.
void Walker::DecideTwice() {
  const auto pod = world_.NextPod();
  const Profile& profile = *profiles_[random_.OneIn(4) ? 1 : 0];
  AlgorithmInput input{.profile = profile,
                       .snapshot = world_.snapshot(),
                       .pod = *pod,
                       .nominated = world_.nominator(),
                       .start = start_,
                       .result_cache = &result_cache_};
  const Tracing first = random_.OneIn(2) ? Tracing::kOn : Tracing::kOff;
  std::vector<Decision> reused;
  reused.push_back(Decide(input, first));
  if (random_.OneIn(3)) {
    reused.push_back(Decide(input, first == Tracing::kOn ? Tracing::kOff : Tracing::kOn));
  }
  input.result_cache = nullptr;
  const Decision computed = Decide(input, Tracing::kOn);
  for (const Decision& decision : reused) Check(*pod, decision, computed);

  report_.extender_calls += extenders_.TakeCalls();
  ++report_.decisions;
  Count(computed.outcome.kind);
  start_ = computed.start;
  // Not every decision is applied: Reserve or Permit may reject it. Pods that failed with an error
  // do not return, or they would soon be the only ones left.
  const bool failed = computed.outcome.kind == Outcome::Kind::kError;
  if (computed.outcome.kind == Outcome::Kind::kUnschedulable) RejectTogether(*pod, input);
  if (!failed && random_.Percent(80)) world_.Take(pod, computed.outcome.node.name());
}

// Decides about pods in one state of the cluster with KnownRejections, like the members of a gang: a
// copy of the rejected pod and others, of which some have the same shape.
void Walker::RejectTogether(const PendingPod& first, const AlgorithmInput& input) {
  auto copy = std::make_shared<api::Pod>(first.pod());
  copy->metadata.uid += "-copy";
  copy->metadata.name += "-copy";
  std::vector<std::shared_ptr<const PendingPod>> pods = {first.shared_from_this(),
                                                         world_.InfoOf(copy)};
  for (int i = 0; i < 3; ++i) pods.push_back(world_.NextPod());
  KnownRejections known;
  for (const auto& pod : pods) {
    const auto decide = [&](ResultCache* result_cache, KnownRejections* rejections) {
      return Decide({.profile = input.profile,
                     .snapshot = input.snapshot,
                     .pod = *pod,
                     .nominated = input.nominated,
                     .start = start_,
                     .result_cache = result_cache,
                     .known_rejections = rejections},
                    Tracing::kOff);
    };
    const Decision shared = decide(&result_cache_, &known);
    if (!shared.outcome.fit_error.empty()) ++report_.shared_rejections;
    Check(*pod, shared, decide(nullptr, nullptr));
  }
  extenders_.TakeCalls();
}

void Walker::Check(const PendingPod& pod, const Decision& reused, const Decision& computed) {
  if (report_.difference) return;
  const auto differences = Differences(reused, computed, world_.snapshot());
  if (differences.empty()) return;
  std::ostringstream text;
  text << "seed " << options_.seed << ", " << options_.nodes << " nodes, step " << report_.steps
       << ", pod " << pod.Key() << (reused.is_traced ? ", traced" : ", not traced");
  for (const std::string& difference : differences) text << "\n  " << difference;
  report_.difference = text.str();
}

void Walker::Count(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kPlaced:
      ++report_.placed;
      return;
    case Outcome::Kind::kUnschedulable:
      ++report_.unschedulable;
      return;
    case Outcome::Kind::kError:
      ++report_.errors;
      return;
  }
}

}  // namespace

WalkOptions OptionsOf(uint64_t seed, size_t steps, size_t nodes) {
  WalkOptions options{.seed = seed, .steps = steps, .nodes = nodes};
  if (seed % 2 == 0) {
    options.plugins = ScriptedPlugins;
  } else {
    options.plugins = [](const Facts&) { return MakeRegistry(); };
  }
  options.shapes = seed % 3 == 0 ? 100 : 6;
  if (seed % 4 >= 2) options.result_cache_bytes = kLittleRoom;
  constexpr std::array<bool, 8> kHasExtenders = {false, false, true,  false,
                                                 false, true,  false, true};
  options.has_extenders = kHasExtenders[seed % kHasExtenders.size()];
  return options;
}

WalkReport Walk(const WalkOptions& options) { return Walker(options).Run(); }

std::string Summary(const WalkOptions& options, const WalkReport& report) {
  std::ostringstream text;
  text << "seed " << options.seed << ": " << report.steps << " steps on " << options.nodes
       << " nodes, " << report.decisions << " decisions (" << report.placed << " placed, "
       << report.unschedulable << " unschedulable, " << report.shared_rejections
       << " more by equivalent pods, " << report.errors << " errors), " << report.reloads
       << " sets of profiles, " << report.result_cache.kept << " results cached, "
       << report.result_cache.computed << " computed, " << report.result_cache.evictions
       << " evictions";
  return text.str();
}

}  // namespace berth::scheduler::testing
