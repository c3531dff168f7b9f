// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_index.h"

namespace berth::scheduler {

std::string PodQuery::Key() const {
  std::string key;
  key.reserve(256);  // most are shorter
  key += with_terminating ? 't' : 'f';
  for (const PodSelector& selector : all_of) selector.AppendKey(key);
  return key;
}

}  // namespace berth::scheduler
