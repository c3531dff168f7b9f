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

// RequeueAfter is the delay after which a key is requeued without an event; nullopt: never.
using RequeueAfter = std::optional<std::chrono::nanoseconds>;

// ObjectName is the namespace and name of an object. Its text is the key of a work queue, in the
// form of api::KeyOf.
struct ObjectName {
  std::string ns;  // empty: cluster-scoped
  std::string name;

  std::string Key() const { return ns.empty() ? name : ns + "/" + name; }
  static ObjectName FromKey(const std::string& key);
};

// ControlLoop reconciles the keys of objects. A key is with one worker at a time; a failed step is
// retried with backoff from 20 ms to 10 s.
class ControlLoop {
 public:
  using Step = std::function<Result<RequeueAfter>(const std::string& key)>;

  // Requires: clock outlives this; everything `step` uses lives until Stop returns. `what` names
  // the loop in log lines: "Deployment".
  ControlLoop(std::string what, const Clock& clock, int workers, Step step);
  ~ControlLoop() { Stop(); }
  ControlLoop(const ControlLoop&) = delete;
  ControlLoop& operator=(const ControlLoop&) = delete;

  void Add(const std::string& key) { queue_.Add(key); }
  void Start();
  // Waits for the running steps.
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
