// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "api/meta.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/work_queue.h"

namespace berth::simulation {

// LookAgain is when a key wants to be looked at again without an event.
using LookAgain = std::optional<std::chrono::nanoseconds>;

// ObjectName is an object's place in its kind; its text is the key of a
// work queue, as api::KeyOf gives it.
struct ObjectName {
  std::string ns;  // empty: cluster-scoped
  std::string name;

  std::string Key() const { return ns.empty() ? name : ns + "/" + name; }
  static ObjectName FromKey(const std::string& key);
};

// ControlLoop works on keys of objects that somebody must look at again. A key is with one worker
// at a time; a step that fails is tried again with backoff from 20 ms to 10 s.
class ControlLoop {
 public:
  using Step = std::function<Result<LookAgain>(const std::string& key)>;

  // Requires: clock outlives this; what `step` uses lives until Stop returns. `what` names the work
  // in log lines: "Deployment".
  ControlLoop(std::string what, const Clock& clock, int workers, Step step);
  ~ControlLoop() { Stop(); }
  ControlLoop(const ControlLoop&) = delete;
  ControlLoop& operator=(const ControlLoop&) = delete;

  void Add(const std::string& key) { queue_.Add(key); }
  void Start();
  // Stop waits for the steps that run.
  void Stop();

 private:
  void Work();
  void Handle(const std::string& key);

  const std::string what_;
  const int worker_count_;
  const Step step_;
  WorkQueue queue_;
  std::vector<std::jthread> workers_;
};

}  // namespace berth::simulation
