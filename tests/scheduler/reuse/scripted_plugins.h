// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/framework/registry.h"
#include "tests/scheduler/reuse/world.h"

namespace berth::scheduler::testing {

// Returns scripted plugins for the cases that the shipped ones lack: fail on some nodes, throw,
// give no key, return scores out of range, narrow the nodes or skip in PreFilter, count simulated
// pods, depend on each kind of epoch, and use every normaliser. `facts` must outlive the registry
// and its profiles.
Registry ScriptedPlugins(const Facts& facts);

// Lie is a violation of the rules for cached results.
enum class Lie : uint8_t {
  kFilterEpoch,  // a filter reads the pods on the node, and depends on the node's object alone
  kFilterKey,    // a filter reads a label of the pod that is not in its key
  kScoreEpoch,   // a score reads the pods on the node, and depends on the node's object alone
  kScoreKey,     // a score reads the pod's priority, which is not in its key
};

// Returns the scripted plugins and one that violates the rules.
Registry WithLiar(const Facts& facts, Lie lie);

}  // namespace berth::scheduler::testing
