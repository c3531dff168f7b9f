// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

std::string PodQuery::Key() const {
  KeyText text(320);  // most keys are shorter
  text.Add(with_terminating);
  for (const PodSelector& selector : all_of) selector.AppendKey(text);
  return text.Take();
}

}  // namespace berth::scheduler
