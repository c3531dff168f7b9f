// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <string_view>

namespace berth::scheduler {

class PluginCalls;

// PluginCall names a plugin at one of its extension points, as metrics do: "NodeName" at "Filter".
// Hints are at "QueueingHint".
struct PluginCall {
  PluginCalls& calls;
  std::string plugin;
  std::string point;
};

// PluginCalls says which plugin is being called, so that somebody on another thread can name the one
// that takes its time. Owned by the scheduling thread.
class PluginCalls {
 public:
  PluginCalls() = default;
  PluginCalls(const PluginCalls&) = delete;
  PluginCalls& operator=(const PluginCalls&) = delete;

  // Of gives the call by its names: the same object each time, as long as this lives.
  const PluginCall* Of(std::string_view plugin, std::string_view point);

  // Now is the call that is under way, the innermost if a plugin has others called; null: none is.
  // Any thread.
  const PluginCall* Now() const { return now_.load(std::memory_order_acquire); }

  // Scope is the time of one call; null: nobody wants to know of it. Costs two stores.
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
  std::deque<PluginCall> known_;  // which stay where they are
  std::atomic<const PluginCall*> now_ = nullptr;
};

}  // namespace berth::scheduler
