// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controllers/effective.h"
#include "controllers/name_ownership.h"
#include "controllers/observed.h"
#include "crds/allowances.h"

namespace berth::controllers {

// Explanation is the reason and message of a condition or event.
struct Explanation {
  std::string reason;
  std::string message;
};

// Verdict is the result of judging a profile before anything is written.
struct Verdict {
  std::optional<Explanation> invalid;   // condition Valid is False until the profile is changed
  std::optional<Explanation> rejected;  // valid, but not applied while this is set
  Effective effective;                  // empty if invalid
  NameDecision names;                   // empty if invalid or rejected

  // Reports whether the plugin lists could be merged, so that plugins and warnings are known.
  bool IsRead() const { return !effective.capabilities.empty(); }

  // Reports whether objects are rendered, with the names that the profile serves.
  bool IsRendered() const { return !invalid && !rejected; }
};

// Validates the profile, checks whether the installation allows it, and decides which of its names
// it serves. `of_engine` are the rejections of ChooseKubeScheduler. Pure.
Verdict JudgeProfile(const crds::SchedulerProfile& profile, const Observed& observed,
                     const PluginCatalogue& catalogue, const crds::Allowances& allowances,
                     const std::vector<crds::Rejection>& of_engine = {});

// Returns every error of a profile and of its rendered configuration, which must fit twice into a
// ConfigMap. Pure; `berth validate` calls it too.
std::vector<api::FieldError> ErrorsIn(const crds::SchedulerProfile& profile,
                                      const PluginCatalogue& catalogue,
                                      crds::DefaultSchedulerName default_scheduler);

// Returns the reason and message for a list of errors; nullopt if it is empty.
std::optional<Explanation> ExplainErrors(const std::vector<api::FieldError>& errors);

// Return the names that are not served and the profiles that have them; nullopt if there are none.
std::optional<Explanation> ExplainTaken(const NameDecision& names);
std::optional<Explanation> ExplainAwaited(const NameDecision& names);

}  // namespace berth::controllers
