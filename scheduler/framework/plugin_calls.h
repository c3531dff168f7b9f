// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <string_view>

namespace berth::scheduler {

class PluginCalls;

// PluginCall names a plugin and an extension point, as metrics do: "NodeName", "Filter". Queueing
// hints have the point "QueueingHint", and GangPlugin has "CheckGang".
struct PluginCall {
  PluginCalls& calls;
  std::string plugin;
  std::string point;
};

// PluginCalls records the running plugin, so that another thread can name a plugin that hangs.
// Owned by the scheduling thread.
class PluginCalls {
 public:
  PluginCalls() = default;
  PluginCalls(const PluginCalls&) = delete;
  PluginCalls& operator=(const PluginCalls&) = delete;

  // Returns the call with these names: the same object each time, valid as long as this lives.
  const PluginCall* Of(std::string_view plugin, std::string_view point);

  // Returns the running call, the innermost one if calls are nested; null: none is running. Any
  // thread.
  const PluginCall* Now() const { return now_.load(std::memory_order_acquire); }

  // Scope records one call while it lives; null: records nothing. Costs two stores.
  class Scope {
   public:
    explicit Scope(const PluginCall* call) : call_(call) {
      if (call_ == nullptr) return;
      before_ = call_->calls.now_.load(std::memory_order_relaxed);
      call_->calls.now_.store(call_, std::memory_order_release);
    }
    ~Scope() {
      if (call_ != nullptr) call_->calls.now_.store(before_, std::memory_order_release);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    const PluginCall* const call_;
    const PluginCall* before_ = nullptr;
  };

 private:
  std::deque<PluginCall> known_;  // a deque, so that addresses are stable
  std::atomic<const PluginCall*> now_ = nullptr;
};

}  // namespace berth::scheduler
