// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/registry.h"
#include "tests/scheduler/reuse/world.h"

namespace berth::scheduler::testing {

// ScriptedPlugins are made-up plugins that do what the shipped ones do not: fail on some nodes,
// throw, give no key, go out of range, narrow the nodes or skip in PreFilter, count imagined pods,
// stand on each kind of epoch, and use every normaliser. `facts` outlives the registry and its
// profiles.
Registry ScriptedPlugins(const Facts& facts);

// A plugin that lies breaks the promise that makes keeping its answers right.
enum class Lie : uint8_t {
  kFilterEpoch,  // a filter reads the pods on the node, and depends on the node's object alone
  kFilterKey,    // a filter reads a label of the pod that is not in its key
  kScoreEpoch,   // a score reads the pods on the node, and depends on the node's object alone
  kScoreKey,     // a score reads the pod's priority, which is not in its key
};

// WithLiar is the scripted plugins and one that lies.
Registry WithLiar(const Facts& facts, Lie lie);

}  // namespace berth::scheduler::testing
