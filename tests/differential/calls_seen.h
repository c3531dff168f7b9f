// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/differential/extenders.h"
#include "tests/differential/scenario.h"

namespace berth::differential {

// CallNames replaces values that differ between two clusters with the scenario's names.
struct CallNames {
  std::function<std::string(const std::string& uid)> pod;  // "" if the pod does not exist
  std::function<std::string(std::string)> text;            // for any other text
};

// Returns the requests to extenders about each pod, in a form that is comparable between two
// schedulers: by pod a list of calls, in order, with extender, verb, method, path, contentType and
// body. UIDs, resource versions and times become "UID", "VERSION" and "TIME", UIDs of pods "uid of
// NAME". Null fields stay null, absent fields stay absent; managedFields are removed, because they
// differ by design (differences.yaml). Nodes of a list are sorted by name, because upstream's order
// depends on its threads. Consecutive prioritize requests are sorted, because upstream sends them
// in parallel. With Repeats::kFree, repeated requests are removed, and so are the pod's conditions,
// which depend on earlier attempts.
Json CallsSeen(const std::vector<ExtenderCall>& calls, const CallNames& names, Repeats repeats);

}  // namespace berth::differential
