// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/differential/extenders.h"
#include "tests/differential/scenario.h"

namespace berth::differential {

// CallNames are what is not the same on two clusters, in the words of a scenario.
struct CallNames {
  std::function<std::string(const std::string& uid)> pod;  // "" where there was no such pod
  std::function<std::string(std::string)> text;            // any other text
};

// CallsSeen gives what extenders were asked about each pod, in a form in which two schedulers can
// be compared: by pod a list of calls, in their order, with extender, verb, method, path,
// contentType and body. UIDs, resource versions and times read "UID", "VERSION" and "TIME", pods'
// UIDs "uid of NAME"; a field that is null stays null, one that is absent stays absent; but
// managedFields are left out, which differ by design (differences.yaml). Nodes of a list are in the order of their names, since those of upstream are in that in which its threads
// were done; so are questions to prioritize that follow each other, which are asked at once.
// With Repeats::kFree a question that came before is left out, and so are the pod's conditions, which
// say whether it was tried before.
Json CallsSeen(const std::vector<ExtenderCall>& calls, const CallNames& names, Repeats repeats);

}  // namespace berth::differential
