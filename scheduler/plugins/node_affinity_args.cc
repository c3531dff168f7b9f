// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_affinity_args.h"

#include <iterator>

#include "api/labels.h"

namespace berth::scheduler {

std::vector<api::FieldError> NodeAffinityArgs::Validate() const {
  std::vector<api::FieldError> mistakes;
  if (!added_affinity) return mistakes;
  if (added_affinity->required) {
    const std::string path = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution";
    mistakes = api::CompiledNodeSelector::Create(*added_affinity->required).Errors();
    for (api::FieldError& mistake : mistakes) mistake.path = api::Child(path, mistake.path);
  }
  const std::string path = "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution";
  for (size_t i = 0; i < added_affinity->preferred.size(); ++i) {
    const api::PreferredSchedulingTerm& term = added_affinity->preferred[i];
    if (term.weight == 0) continue;  // dropped unread, as in a pod
    const auto compiled = api::CompiledTerm::Create(term.preference, api::Index(path, i));
    mistakes.insert(mistakes.end(), compiled.errors.begin(), compiled.errors.end());
  }
  return mistakes;
}

}  // namespace berth::scheduler
