// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "scheduler/framework/plugin_calls.h"
#include "scheduler/framework/status.h"

namespace berth::scheduler::internal {

// Calls a plugin and catches its exceptions, so that they fail this pod and not the scheduler.
// `failed` turns the text of the exception into a result. `place` is recorded as the running call;
// null: not recorded.
template <class Call, class Failed>
auto Guarded(const PluginCall* place, Call&& call, Failed&& failed) -> decltype(call()) {
  const PluginCalls::Scope scope(place);
  try {
    return call();
  } catch (const std::exception& thrown) {
    return failed(std::string("threw an exception: ") + thrown.what());
  } catch (...) {
    return failed(std::string("threw something that is not a std::exception"));
  }
}

// Calls Guarded for an entry of a Profile and a call that returns a Status, and sets the Status'
// plugin.
template <class Entry, class Call>
Status GuardedStatus(const Entry& entry, Call&& call) {
  Status status =
      Guarded(entry.call, call, [](std::string text) { return Status::Failed(std::move(text)); });
  status.plugin = entry.name;
  return status;
}

// Wraps an error as kube-scheduler does: `running PreFilter plugin "X": text`.
inline Status FailedIn(std::string_view what, const Status& status) {
  Status failed = Status::Failed("running " + std::string(what) + " \"" + status.plugin +
                                 "\": " + status.Message());
  failed.plugin = status.plugin;
  return failed;
}

}  // namespace berth::scheduler::internal
