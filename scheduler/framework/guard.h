// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "scheduler/framework/plugin_calls.h"
#include "scheduler/framework/status.h"

namespace berth::scheduler::internal {

// Guarded calls a plugin. One that throws fails this pod, and the loop lives on; `failed` makes the
// answer from the text. `place` is who is called, for those who look on; null: nobody does.
template <class Call, class Failed>
auto Guarded(const PluginCall* place, Call&& call, Failed&& failed) -> decltype(call()) {
  const PluginCalls::Scope scope(place);
  try {
    return call();
  } catch (const std::exception& thrown) {
    return failed(std::string("threw an exception: ") + thrown.what());
  } catch (...) {
    return failed(std::string("threw something that is no exception"));
  }
}

// GuardedStatus is Guarded for an entry of a Profile and a call that answers with a Status; the
// plugin is named in it.
template <class Entry, class Call>
Status GuardedStatus(const Entry& entry, Call&& call) {
  Status status =
      Guarded(entry.call, call, [](std::string text) { return Status::Failed(std::move(text)); });
  status.plugin = entry.name;
  return status;
}

// FailedIn words an error as kube-scheduler does: `running PreFilter plugin "X": text`.
inline Status FailedIn(std::string_view what, const Status& status) {
  Status failed = Status::Failed("running " + std::string(what) + " \"" + status.plugin +
                                 "\": " + status.Message());
  failed.plugin = status.plugin;
  return failed;
}

}  // namespace berth::scheduler::internal
